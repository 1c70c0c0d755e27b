import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { findLeftovers } from '../leftovers.js'
import { check, root, slow, solution, submission, variant } from './mini.js'
import { assertValid } from '../valid-record.js'

/** @import { ResultRecord } from '../../runner/judge/index.js' */

const linux = { skip: process.platform === 'linux' ? false : 'needs /proc' }
const signals = { skip: process.platform === 'win32' }

/** Refused, for this reason; and the record is whole. @param {ResultRecord} record @param {RegExp} reason */
function refused (record, reason) {
  assert.equal(record.verdict, 'fail', record.reason)
  assert.match([record.reason, ...record.contract.map(({ message }) => message)].join('\n'), reason)
  assert.notEqual(record.next, '')
  assertValid(record)
}

test('a server that crashes under load is refused, and its last words are shown', async (t) => {
  const handler = 'if (count === 40) setImmediate(() => { throw new Error("out of luck") })'
  const record = await check(submission(t, variant({ handler })))
  refused(record, /Your server ended with exit code 1 under load|wrong under load/)
  assert.match(record.output[0].text, /out of luck/)
  assert.doesNotMatch(record.output[0].text, /node:internal/)
})

test('a server that hangs on one request of the contract is refused', async (t) => {
  const hangs = variant({ before: 'let asked = 0', handler: 'if (req.url === "/1") return' })
  refused(await check(submission(t, hangs)), /GET \/1: no answer within 5 s/)
})

test('a server that breaks once it has been loaded and left alone is refused', async (t) => {
  // While the other server is measured this one rests for at least as long as a slice.
  const breaks = variant({
    before: 'let timer, broken = false',
    handler: 'clearTimeout(timer); if (count > 20) timer = setTimeout(() => { broken = true }, 40); ' +
      'if (broken) res.statusCode = 503'
  })
  const record = await check(submission(t, breaks))
  refused(record, /An answer was wrong under load: .*got 503|after the load/)
})

test('a server that keeps a core busy while the other one is measured is not passed', linux, async (t) => {
  const dir = submission(t, variant({
    before: `import { Worker, isMainThread } from 'node:worker_threads'
let last = 0
const flag = new Int32Array(new SharedArrayBuffer(4))
const burns = 'const { workerData: flag } = require("worker_threads"); ' +
  'for (;;) if (Atomics.load(flag, 0) === 1) Atomics.wait(flag, 0, 1, 50)'
for (let i = 0; i < 2; i++) new Worker(burns, { eval: true, workerData: flag })
setInterval(() => Atomics.store(flag, 0, Date.now() - last < 20 ? 1 : 0), 5)`,
    handler: 'last = Date.now()'
  }))
  const record = await check(dir, { budgetMs: 4000 })
  assert.notEqual(record.verdict, 'pass')
})

const signalling = new URL('../red-team/attacks/shared/signal.js', import.meta.url).href

/**
 * Finds the other servers of this run by their arguments, and does something to each.
 *
 * @param {string} action with `pid`
 * @param {number} everyMs
 */
const others = (action, everyMs) => `import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'
import { signal } from '${signalling}'
const found = () => readdirSync('/proc').filter((pid) => {
  const read = (name) => readFileSync('/proc/' + pid + '/' + name, 'latin1')
  try {
    return Number(pid) && Number(pid) !== process.pid && /\0server[.]js\0$/.test(read('cmdline')) &&
      read('environ').includes('MAKE_IT_FAST_RUN=' + process.env.MAKE_IT_FAST_RUN)
  } catch {}
})
setInterval(() => { for (const pid of found()) { ${action} } }, ${everyMs}).unref()`

test('a baseline that is stopped by signals makes no pass', linux, async (t) => {
  const stops = "signal(Number(pid), 'SIGSTOP'); setTimeout(() => signal(Number(pid), 'SIGCONT'), 60).unref()"
  const record = await check(submission(t, variant({ before: others(stops, 80) })), { budgetMs: 4000 })
  assert.notEqual(record.verdict, 'pass', record.reason)
})

test('a server that is connected to the slow server is refused', linux, async (t) => {
  const port = "Number(/\0PORT=(\\d+)/.exec(readFileSync('/proc/' + pid + '/environ', 'latin1'))?.[1])"
  const connects = `for (let i = 0; i < 4; i++) net.connect(${port}, '127.0.0.1').on('error', () => {})`
  const record = await check(submission(t, variant({ before: others(connects, 50) })), { budgetMs: 4000 })
  refused(record, /your server was connected to it/)
})

test('a child that the server leaves behind is stopped and mentioned', linux, async (t) => {
  const before = 'import { spawn } from "node:child_process"\n' +
    'spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" }).unref()'
  const record = await check(submission(t, variant({ before })))
  assert.match(record.warnings.join(), /left a process behind/)
  assert.deepEqual(findLeftovers().filter((leftover) => leftover.startsWith('process')), [])
})

test('a server that ignores the request to stop is stopped and mentioned', signals, async (t) => {
  const record = await check(submission(t, variant({ before: 'process.on("SIGTERM", () => {})' })))
  assert.match(record.warnings.join(), /ignored the request to stop/)
})

test('a server that floods its output is graded all the same, and told', async (t) => {
  const handler = 'for (let i = 0; i < 30; i++) console.log("x".repeat(3000))'
  const record = await check(submission(t, variant({ handler })))
  assert.notEqual(record.verdict, 'error')
  assert.ok(JSON.stringify(record).length < 100_000)
})

for (const phase of ['start', 'contract', 'warm-up', 'rounds', 'after', 'inside']) {
  test(`Ctrl-C while it is at “${phase}” stops everything`, async (t) => {
    const controller = new AbortController()
    const reason = new Error('Ctrl-C')
    // The slow server to itself takes long enough in every phase, where it isn't known as that.
    const touched = submission(t, `${fs.readFileSync(path.join(slow, 'server.js'))}// touched\n`)
    const [before, serversBefore] = [findLeftovers(), serversHere()]
    const onProgress = (/** @type {any} */ event) => {
      if (event.phase === phase) setTimeout(() => controller.abort(reason), 30)
    }
    const isLate = phase === 'after' || phase === 'inside'
    const options = { signal: controller.signal, onProgress, sampleInside: phase === 'inside' }
    await check(isLate ? solution : touched, options).then(
      (record) => assert.ok(isLate, `it should have been stopped, but: ${record.verdict}`),
      (error) => assert.equal(error, reason)
    )
    assert.deepEqual(findLeftovers().filter((leftover) => !before.includes(leftover)), [])
    assert.equal(serversHere(), serversBefore, 'ports that are still open here')
  })
}

function serversHere () {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
}

test(
  'a stranger’s connection to the slow server decides nothing, and SIGUSR1 opens no inspector of it',
  linux,
  async (t) => {
    // The grandchild has lost its parent and its marker: there's no telling whose it is.
    const port = "Number(/\0PORT=(\\d+)/.exec(readFileSync('/proc/' + pid + '/environ', 'latin1'))?.[1])"
    const visit = `require('net').connect(\${${port}}, '127.0.0.1')` +
      ".on('error', () => {}).on('close', () => process.exit())"
    const shell = `env -u MAKE_IT_FAST_RUN -u MAKE_IT_FAST_SERVER "\${process.execPath}" -e "${visit}" &`
    // Before Node.js listens for SIGUSR1 it ends a process.
    const listens = `readFileSync('/proc/net/tcp', 'latin1').includes(':' +
      (${port}).toString(16).toUpperCase().padStart(4, '0') + ' 00000000:0000 0A')`
    const action = `if (!started.has(pid) && ${listens}) { started.add(pid); signal(Number(pid), 'SIGUSR1')
      spawn('sh', ['-c', \`${shell}\`], { detached: true, stdio: 'ignore' }).unref() }`
    const before = `import { spawn } from 'node:child_process'
const started = new Set()
${others(action, 200)}`
    const loaded = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))
    // Looks are samples, the first of a slice within 200 ms: in slices of 400 ms none goes by without one.
    const loads = { add: { ...loaded.lesson.loads.add, sliceMs: 400 } }
    const entry = { ...loaded, lesson: { ...loaded.lesson, loads } }
    const record = await check(submission(t, variant({ before })), { entry, budgetMs: 6000 })
    assert.equal(record.verdict, 'error', record.reason)
    assert.match(record.reason, /another program was connected to it/)
  }
)
