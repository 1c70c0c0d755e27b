import assert from 'node:assert/strict'
import fs from 'node:fs'
import inspector from 'node:inspector'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCheck } from '../../runner/check/index.js'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { findLeftovers } from '../leftovers.js'
import { repeated } from '../until.js'
import { assertValid } from '../valid-record.js'
import { check, root, slow, solution, submission, variant } from './mini.js'
import { entry as plan, isPlan, planOf, refused, saturating } from './plans.js'

/**
 * What only real servers show that are measured for seconds, stopped, or silent. What a check makes of the figures is
 * tried in rounds/rounds.test.js and plan.test.js, and most attacks are in test/red-team/.
 *
 * @import { GateResult, ResultRecord } from '../../runner/judge/index.js'
 */

const linux = { skip: process.platform === 'linux' ? false : 'needs /proc' }
const signals = { skip: process.platform === 'win32' }
const kindsRoot = fileURLToPath(new URL('kinds-root/', import.meta.url))

/** @param {ResultRecord} record */
const isRight = ({ verdict }) => verdict === 'pass' || verdict === 'inconclusive'

/**
 * A check of a lesson with gates of other kinds: a machine that is busy gets more time to show it.
 *
 * @param {string} lesson
 * @param {string} dir
 * @param {(record: ResultRecord) => void} shows
 * @param {ResultRecord['verdict']} never
 */
async function checkKind (lesson, dir, shows, never) {
  const entry = await loadLesson(await resolveLesson(lesson, { env: { MAKE_IT_FAST_LESSONS: kindsRoot } }))
  const measure = (/** @type {number} */ budgetMs) => check(dir, { entry, budgetMs, seed: `${lesson} ${budgetMs}` })
  await repeated([3000, 8000, 20_000], measure, shows, (record) => {
    assertValid(record)
    assert.notEqual(record.verdict, never, record.reason)
  })
}

/** @param {ResultRecord} record @param {string} name */
const gateOf = (record, name) => /** @type {GateResult} */ (record.gates.find((gate) => gate.name === name))

test('what each request leaves behind is measured, and a server that keeps nothing is never failed', async () => {
  await checkKind('kept', path.join(kindsRoot, 'solutions', '01-kept'), (record) => {
    const { baseline, yours } = gateOf(record, 'retained')
    assert.ok(baseline && baseline > 100_000, `the slow server keeps 160,000 bytes of each request, seen: ${baseline}`)
    assert.ok(yours && yours < 40_000, `${yours}`)
    assert.equal(gateOf(record, 'calls').yours, 1)
  }, 'fail')
})

test('a leak outside of the heap is seen as well', async (t) => {
  const dir = submission(t, `import http from 'node:http'
const kept = []
http.createServer(async (req, res) => {
  const answer = await fetch(process.env.UPSTREAM_URL + req.url)
  kept.push(Buffer.alloc(160_000, 1))
  res.end(await answer.text())
}).listen(process.env.PORT, process.env.HOST)`)
  await checkKind('kept', dir, (record) => assert.notEqual(gateOf(record, 'retained').verdict, 'pass'), 'pass')
})

test('requests arrive at a multiple of the measured capacity, and refusals are counted apart', async () => {
  await checkKind('arrivals', path.join(kindsRoot, 'solutions', '02-arrivals'), (record) => {
    const wait = gateOf(record, 'wait')
    assert.ok(wait.baseline && wait.yours && wait.baseline > wait.yours, `${wait.baseline} ${wait.yours}`)
    assert.equal(gateOf(record, 'refusals').ratioUnit, ' ms')
    const tiers = gateOf(record, 'tiers')
    assert.deepEqual(tiers.tiers?.map(({ name }) => name), ['low', 'high'])
    assert.notEqual(tiers.tiers?.[1].verdict, 'pass')
  }, 'fail')
})

const loop = `function step (x) { return Math.sqrt(x) }
function spin () {
  let x = 1
  while (x > 0) x = step(x) + 1
}`

test('a server in an endless loop is told its function and line', async (t) => {
  const record = await check(submission(t, variant({ before: loop, handler: 'spin()' })), { speed: 'preview' })
  assert.equal(record.verdict, 'fail')
  assert.match(record.reason, /^GET \/\d+ got no answer: your server is busy in spin \(server\.js:\d+\) and doesn’t/)
})

test('so is one that never listens because of it', async (t) => {
  const record = await check(submission(t, `${loop}\nspin()\n`), { speed: 'preview' })
  assert.match(record.reason, /^server\.js never gets as far as listening: .* busy in spin \(server\.js:4\)/)
})

test('one that waits is told that it does', async (t) => {
  const record = await check(submission(t, variant({ handler: 'if (n > 3) return' })), { speed: 'preview' })
  assert.match(record.reason, /got no answer: your server is idle and waits\. .+ end the response\?$/)
})

test('a server that does not let itself be looked into is graded all the same', async (t) => {
  const dir = submission(t, variant({ before: 'if (process.env.NODE_OPTIONS) process.exit(3)' }))
  const record = await check(dir, { sampleInside: true, budgetMs: 3000 })
  assert.ok(isRight(record), record.reason)
  assert.deepEqual(record.mechanism?.figures.filter(({ does }) => does === null) ?? [], [])
})

test('a server that forges what the recorder says changes its mechanism and nothing else', async (t) => {
  const forge = `
import { connect } from 'node:net'

const [port, token] = (process.env.MAKE_IT_FAST_RECORDER ?? '').split(' ')
if (token) {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(JSON.stringify({ hello: token, pid: 1, threadId: 0, main: true }) + '\\n')
  socket.on('error', () => {})
  socket.on('data', (lines) => {
    for (const line of String(lines).trim().split('\\n')) {
      const { id } = JSON.parse(line)
      const value = { nodes: 'none', wallMs: -1, gcMs: {}, heapBytes: 'much', cpuMs: [] }
      socket.write(JSON.stringify({ id, value }) + '\\n')
    }
  })
  socket.unref()
}`
  const dir = submission(t, variant({ before: forge }))
  const record = await check(dir, { sampleInside: true, budgetMs: 3000 })
  assert.ok(isRight(record), record.reason)
  for (const figure of record.mechanism?.figures ?? []) {
    assert.ok(Number.isFinite(figure.baseline) && Number.isFinite(figure.yours))
  }
})

test('a server that ignores the stop, leaves a process and floods its output is told', signals, async (t) => {
  const before = 'import { spawn } from "node:child_process"\n' +
    'process.on("SIGTERM", () => {})\n' +
    'spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" }).unref()'
  const handler = 'for (let i = 0; i < 30; i++) console.log("x".repeat(3000))'
  const record = await check(submission(t, variant({ before, handler })), { speed: 'preview' })
  assert.match(record.warnings.join(), /ignored the request to stop[^]*left a process behind/)
  assert.deepEqual(findLeftovers().filter((leftover) => leftover.startsWith('process')), [])
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
    const options = { signal: controller.signal, onProgress, sampleInside: isLate, ...isLate && { budgetMs: 1 } }
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

test('a stranger’s connection to the slow server decides nothing', linux, async (t) => {
  // The grandchild has lost its parent and its marker: there's no telling whose it is.
  const before = `import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
const started = new Set()
const read = (...names) => { try { return readFileSync(['/proc', ...names].join('/'), 'latin1') } catch { return '' } }
const isOther = (pid) => Number(pid) && Number(pid) !== process.pid &&
  /\\0server[.]js\\0$/.test(read(pid, 'cmdline')) &&
  read(pid, 'environ').includes('MAKE_IT_FAST_RUN=' + process.env.MAKE_IT_FAST_RUN)
const listensAt = (port) =>
  read('net', 'tcp').includes(':' + port.toString(16).toUpperCase().padStart(4, '0') + ' 00000000:0000 0A')
setInterval(() => {
  for (const pid of readdirSync('/proc').filter((pid) => !started.has(pid) && isOther(pid))) {
    const port = Number(/\\0PORT=(\\d+)/.exec(read(pid, 'environ'))?.[1])
    if (!listensAt(port)) continue
    started.add(pid)
    const visit = "require('net').connect(" + port + ", '127.0.0.1').on('close', () => process.exit())"
    const shell = 'env -u MAKE_IT_FAST_RUN -u MAKE_IT_FAST_SERVER "' + process.execPath + '" -e "' + visit + '" &'
    spawn('sh', ['-c', shell], { detached: true, stdio: 'ignore' }).unref()
  }
}, 200).unref()`
  const loaded = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))
  // Looks are samples, the first of a slice within 200 ms: in slices of 400 ms none goes by without one.
  const loads = { add: { ...loaded.lesson.loads.add, sliceMs: 400 } }
  const entry = { ...loaded, lesson: { ...loaded.lesson, loads } }
  const record = await check(submission(t, variant({ before })), { entry, budgetMs: 6000 })
  assert.equal(record.verdict, 'error', record.reason)
  assert.match(record.reason, /another program was connected to it/)
})

test('a load.js that never ends is refused', async (t) => {
  const dir = planOf(t, 'await new Promise((resolve) => setTimeout(resolve, 60000))')
  const { record } = await runCheck({ entry: plan, dir, seed: 'plan' })
  refused(record, isPlan, /load\.js was not read within 5 s/)
})

test('what load.js starts is stopped, and it opens no inspector of the process that grades it', linux, async (t) => {
  const attacks = new URL('../red-team/attacks/shared/signal.js', import.meta.url).href
  const dir = planOf(t, `import { spawn } from 'node:child_process'
import { signal } from '${attacks}'
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref()
signal(process.ppid, 'SIGUSR1')
await new Promise((resolve) => setTimeout(resolve, 300))
${saturating(4)}`)
  const before = findLeftovers()
  const { record } = await runCheck({ entry: plan, dir, speed: false, seed: 'plan' })
  assert.equal(record.verdict, 'inconclusive', record.reason)
  // That process is this one.
  assert.equal(inspector.url(), undefined)
  assert.deepEqual(findLeftovers().filter((what) => !before.includes(what)), [])
})
