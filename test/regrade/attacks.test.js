import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { fileBytes, newRunMarker } from '../../runner/process/index.js'
import { listen } from '../../runner/process/sockets.js'
import { startServer } from '../../runner/process/start-server.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { root, solution, submission, variant } from '../check/mini.js'
import { setVariables } from '../environment.js'
import { temporaryFolder } from '../temporary.js'
import { launchIn } from '../../classroom/regrade/bubblewrap.js'
import { accountOfWaits, mostWait, withoutPlaces } from '../../classroom/regrade/regrade.js'
import { commands } from './commands.js'
import { expectHarmless, fillsDisk, grade, sandbox, skip, solutionAfter } from './in-sandbox.js'

/**
 * Attacks of a submission on the grader, each tried for real in the sandbox (attacker/server.js), and what has to come
 * of it.
 *
 * @import { TestContext } from 'node:test'
 */

const attacker = fileURLToPath(new URL('attacker/server.js', import.meta.url))
const entry = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))

/** What each of them finds. */
const tries = {
  'a signal that opens the grader’s inspector': 'ESRCH',
  'stopping the grader': 'ESRCH',
  'ending every process': 'ESRCH',
  // bubblewrap's own first process, and the server.
  'a look at other processes': 2,
  'the seed in another process’s memory': 'ENOENT',
  'reading solutions': 'ENOENT',
  'reading tests': 'ENOENT',
  'reading results': 'ENOENT',
  'reading other submissions': 'ENOENT',
  'following its own link': 'ENOENT',
  'writing into the engine': 'ENOENT',
  'writing into a package': 'EROFS',
  'writing into itself': 'EROFS',
  // Its own.
  'a look at other DATA_DIRs': 1,
  'a pipe next to DATA_DIR': 'EROFS',
  'shared memory': 'EROFS',
  'a setting of the system': 'EROFS',
  'a server of the machine': 'ECONNREFUSED',
  'the network': 'ENETUNREACH',
  'secrets in the environment': false,
  'its own namespace': 1
}

/** What each of them ends with, and the bound that it needs. @type {Record<string, [ends: RegExp, bound?: RegExp]>} */
const floods = {
  processes: [/fork/, /processes/],
  memory: [/SIGKILL/, /memory/],
  disk: [/"ENOSPC"/],
  'one large file': [/EFBIG|SIGXFSZ|ENOSPC/],
  descriptors: [/"EMFILE"/],
  output: [/"written"/],
  'detached children': [/"detached children":0/]
}

test('what a submission tries in the sandbox', { skip }, async (t) => {
  const stranger = net.createServer((socket) => { socket.destroy() })
  const port = await listen(stranger)
  t.after(() => stranger.close())
  const secret = 'correct-horse-battery'
  setVariables(t, { REDIS_URL: secret })
  const outcomes = await attack(t, 'tries', { secret, port })
  const found = JSON.parse(outcomes.split('\n').find((line) => line.startsWith('{')) ?? '{}')
  for (const [name, expected] of Object.entries(tries)) {
    await t.test(name, () => assert.equal(found[name], expected))
  }
  assert.deepEqual(Object.keys(found), Object.keys(tries))
})

for (const [name, [ends, bound]] of Object.entries(floods)) {
  test(`a flood, or what is left behind: ${name}`, { skip }, async (t) => {
    if (bound && !sandbox.enforced.some((phrase) => bound.test(phrase))) return t.skip('not bounded on this system')
    assert.match(await attack(t, name), ends)
    assert.deepEqual(commands().filter((command) => command.includes('sleep\x0086413')), [], 'it goes on')
  })
}

for (const [name, kind, verdict] of /** @type {const} */ ([
  // It goes on as if nothing lay there.
  ['9', 'link', 'inconclusive'],
  // The server itself can't get past it.
  ['15', 'pipe', 'fail']
])) {
  test(`a ${kind} where the check writes or reads in DATA_DIR, lesson ${name}`, { skip }, (t) =>
    expectHarmless(t, { name, kind, verdict }))
}

test('a server that keeps the check waiting fails', { skip }, async (t) => {
  const wait = 'req.socket.setTimeout(0); return setTimeout(() => res.end(), 4700)'
  const dir = submission(t, variant({ handler: wait }))
  const late = async (/** @type {object} */ times) => {
    const { record, verified } = await grade(dir, entry, { times: { wholeMs: 60_000, waitMs: 60_000, ...times } })
    return [record.verdict, verified, record.seed, record.reason.replace(/[\d.]+ sec/g, 'N sec')]
  }
  const waited = 'it waited N seconds for your server, and N seconds for the slow one.'
  assert.deepEqual(await late({ waitMs: 1500 }), ['fail', true, 'mini', `The check was ended: ${waited}`])
  assert.deepEqual(await late({ wholeMs: 2000 }),
    ['inconclusive', true, 'mini', `The check wasn’t over after N seconds: ${waited}`])
})

test('a check waits for a submission as long as for the slow server, and some more', () => {
  const { see, of } = accountOfWaits()
  see({ role: 'yours', isOver: false }, 0)
  see({ role: 'baseline', isOver: false }, 1000)
  see({ role: 'yours', isOver: false }, 2000)
  see({ role: 'yours', isOver: true }, 5000)
  see({ role: 'baseline', isOver: true }, 5000)
  see({ role: 'yours', isOver: true }, 6000)
  assert.deepEqual([of('yours', 9000), of('baseline', 9000)], [6000, 4000])
  see({ role: 'yours', isOver: false }, 10_000)
  assert.deepEqual([of('yours', 11_000), of('baseline', 11_000)], [7000, 4000])
  assert.ok(mostWait({ slowMs: 20_000, waitMs: 1000 }) > 50 * mostWait({ slowMs: 0, waitMs: 1000 }))
})

test('a load plan is read in a sandbox of its own', { skip }, async (t) => {
  const lesson = await loadLesson(await resolveLesson('7'))
  const dir = temporaryFolder(t)
  fs.copyFileSync(fileURLToPath(new URL('attacker/load.js', import.meta.url)), path.join(dir, 'load.js'))
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  const engine = path.join(workshopRoot, 'runner', 'cli.js')
  const given = { solution: path.join(lesson.solutionDir, 'load.js'), grader: process.pid, engine }
  fs.writeFileSync(path.join(dir, 'given.json'), JSON.stringify(given))
  const { record, verified } = await grade(dir, lesson)
  assert.deepEqual([record.verdict, verified], ['fail', true])
  assert.match(record.contract[0].message, /\["ENOENT","ESRCH","EROFS",2\]/)
  const { record: { contract } } = await grade(lesson.solutionDir, lesson)
  assert.deepEqual(contract.filter(({ status }) => status !== 'pass'), [])
})

test('a record says nothing of where this machine keeps things', () => {
  const text = `Error: ENOENT, open '/tmp/run-1/copy/server.js', ${workshopRoot}/node_modules/express/index.js`
  const record = { reason: text, output: [{ text }], rounds: [{ ratio: 1.5 }], output2: null }
  const said = 'Error: ENOENT, open \'copy/server.js\', node_modules/express/index.js'
  assert.deepEqual(withoutPlaces(record, '/tmp/run-1'),
    { reason: said, output: [{ text: said }], rounds: [{ ratio: 1.5 }], output2: null })
})

test('a disk that’s full, and a file whose name is no text, keep nobody from work', { skip }, async (t) => {
  const dir = solutionAfter(t, entry, { 'before.js': fillsDisk })
  fs.writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xdc, 0x2e, 0x6a, 0x73])]), 'odd')
  assert.equal((await grade(dir, entry)).record.reason, 'Every answer is right. Its speed wasn’t measured.')
})

test('what a server in the sandbox moves into a file without a name is counted', { skip }, async (t) => {
  const folder = temporaryFolder(t)
  const [dir, dataDir] = ['server', 'own/data'].map((name) => path.join(folder, name))
  fs.mkdirSync(dataDir, { recursive: true })
  fs.mkdirSync(dir)
  fs.writeFileSync(path.join(dir, 'server.js'), `const fs = require('fs')
require('http').createServer((req, res) => {
  const file = fs.openSync('/tmp/leak', 'w+')
  fs.unlinkSync('/tmp/leak')
  fs.writeSync(file, Buffer.alloc(8 * 1024 ** 2, 1))
  res.end()
}).listen(process.env.PORT, '127.0.0.1')
`)
  const launch = launchIn(sandbox, path.basename(folder), { baseline: folder, yours: folder })
  const given = { dir, shownDir: 'server', role: /** @type {const} */ ('yours'), dataDir, launch }
  const { server } = await startServer({ ...given, runMarker: newRunMarker() })
  assert.ok(server)
  t.after(() => server.stop())
  await server.use()
  const before = fileBytes([], disksOf(server.members()))
  await fetch(server.origin)
  assert.equal(fileBytes([], disksOf(server.members())) - before, 8 * 1024 ** 2)
  await fetch(server.origin)
  assert.equal(fileBytes(server.members(), []), 16 * 1024 ** 2)
})

/** @param {readonly number[]} pids */
const disksOf = (pids) => [`/proc/${Math.max(...pids)}/root/tmp`]

test('after all that the next submission is graded as ever', { skip }, async () => {
  const { record, verified } = await grade(solution, entry)
  assert.equal(record.reason, 'Every answer is right. Its speed wasn’t measured.')
  assert.equal(verified, true)
})

/** @param {TestContext} t @param {string} attack @param {object} [more] @returns {Promise<string>} what it came to */
async function attack (t, attack, more = {}) {
  const dir = path.join(temporaryFolder(t), 'submission')
  fs.mkdirSync(dir)
  fs.copyFileSync(attacker, path.join(dir, 'server.js'))
  fs.symlinkSync(path.join(workshopRoot, 'package.json'), path.join(dir, 'link.txt'))
  const namespace = fs.readlinkSync('/proc/self/ns/pid')
  const given = { attack, namespace, grader: process.pid, workshop: workshopRoot, dir, ...more }
  fs.writeFileSync(path.join(dir, 'given.json'), JSON.stringify(given))
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  const { record } = await grade(dir, entry)
  assert.equal(record.verdict, 'fail', record.reason)
  return [record.reason, ...record.output.map(({ text }) => text)].join('\n')
}
