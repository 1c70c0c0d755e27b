import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startSoak, testModel } from '../../runner/check/contract.js'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { startGenerator } from '../../runner/load/index.js'
import { TooBusy } from '../../runner/shared/errors.js'
import { rules } from '../../runner/shared/model-rules.js'
import { withSession } from '../../runner/process/index.js'
import { createRandom } from '../../runner/shared/random.js'
import { httpServer } from '../load/trap-server.js'

/**
 * A server's notes, where they are kept, and what it has been asked.
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Session } from '../../runner/process/index.js'
 *
 * @typedef {{ notes: any[], kept: any[], asked: number, birth: number, isWaiting?: boolean, isOld: () =>
 *   boolean }} Notes
 *
 * What one server does differently from a right one.
 * @typedef {object} Fault
 * @property {number} [missing] its status for a note that isn't there
 * @property {(server: Notes) => any[]} [list]
 * @property {boolean} [forgets] it starts without what was kept
 * @property {(birth: number) => boolean} [hangs] does it never answer a list? birth: which server of its role it is
 * @property {boolean} [isLate] it stores a note some turns of the event loop after it has numbered it
 * @property {boolean} [letsPass] of two notes at once it takes the second one first, which is as right
 */

const root = fileURLToPath(new URL('model-test-root', import.meta.url))
const [found] = await findLessons({ root })
// It has no solution: it isn't graded for speed.
const entry = await loadLesson({ ...found, solutionDir: found.slowDir })
/** With this one the sequence shows each fault below as the rule that it is meant to break. */
const seed = 'one'

/** @param {Session} session @param {any} getGenerator */
const contextOf = (session, getGenerator) => ({
  lesson: entry.lesson,
  session,
  submission: session.openSubmission(entry.slowDir),
  random: createRandom(seed),
  cores: 2,
  getGenerator,
  onProgress: () => {},
  phase: () => {}
})

/**
 * A session whose servers run in this process, those of the submission with a fault. What it calls old has been started
 * before `age`.
 *
 * @param {Fault} fault
 * @param {{ slow?: Fault, patience?: number }} [options] slow: what is wrong with the slow server
 */
function sessionWith (fault, { slow = {}, patience = 20 } = {}) {
  /** By its folder. @type {Map<string, any[]>} */
  const folders = new Map()
  let age = 0
  /** @type {Record<string, number>} */
  const births = {}
  const start = async (/** @type {string} */ role, /** @type {unknown} */ _, { dataDir = `${folders.size}` } = {}) => {
    const kept = folders.get(dataDir) ?? []
    folders.set(dataDir, kept)
    const bornAt = age
    const [own, first] = role === 'yours' ? [fault, fault.forgets ? [] : kept] : [slow, kept]
    const birth = births[role] = (births[role] ?? 0) + 1
    const server = { birth, notes: [...first], kept, asked: 0, isOld: () => age > bornAt }
    const { port, close } = await httpServer((req, res) => answerNotes(req, res, server, own))
    const handle = { role, port, dataDir, close, origin: `http://127.0.0.1:${port}`, patience, upstream: null }
    return { server: { ...handle, hasExited: () => false }, failure: null }
  }
  const session = /** @type {any} */ ({
    start,
    stop: (/** @type {any} */ server) => server.close(),
    baseline: {},
    openSubmission: () => ({}),
    data: {},
    seed
  })
  return { session, age: () => { age++ } }
}

/** @param {IncomingMessage} req @param {ServerResponse} res @param {Notes} server @param {Fault} fault */
async function answerNotes (req, res, server, fault) {
  const { missing = 404, list = ({ notes }) => notes, hangs, isLate = false, letsPass = false } = fault
  let body = ''
  for await (const chunk of req) body += chunk
  const answer = (/** @type {number} */ status, /** @type {unknown} */ value, headers = {}) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
  const { notes, kept } = server
  server.asked++
  if (req.method === 'POST') {
    const waits = letsPass && !server.isWaiting
    server.isWaiting ||= waits
    for (let turns = waits ? 100 : 0; turns > 0; turns--) await turn()
    if (waits) server.isWaiting = false
    const note = { id: notes.length + 1, text: JSON.parse(body).text }
    // A request that was sent at the same time arrives meanwhile.
    for (let turns = isLate ? 100 : 0; turns > 0; turns--) await turn()
    notes[note.id - 1] = kept[note.id - 1] = note
    return answer(201, note, { Location: `/notes/${note.id}` })
  }
  if (req.url === '/notes' && hangs?.(server.birth)) return
  if (req.url === '/notes') return answer(200, list(server))
  const note = notes[Number(/^\/notes\/(\d+)$/.exec(req.url ?? '')?.[1]) - 1]
  if (note === undefined) return answer(missing, { error: 'not_found' })
  answer(200, note)
}

/** Many others' requests: what the load generator sends while a sequence runs. */
const others = {
  read: async (/** @type {{ port: number }} */ { port }) => {
    for (let answers = 0; answers < 100; answers++) await (await fetch(`http://127.0.0.1:${port}/notes`)).text()
  }
}

/**
 * What a sequence says of a server with a fault.
 *
 * @param {Fault} fault
 * @param {{ soaked?: boolean, shrinkMs?: number }} [options] soaked: of servers that have been running for a while;
 *   shrinkMs: how long a failure may be made shorter
 * @returns the rule that is broken
 */
async function brokenBy (fault, { soaked = false, shrinkMs = 60_000 } = {}) {
  const { session, age } = sessionWith(fault)
  const context = contextOf(session, async () => others)
  const later = soaked ? await startSoak(context) : null
  age()
  const { contract = [], baselineFailures } = await (later?.() ?? testModel(context, { shrinkMs }))
  assert.equal(baselineFailures, undefined)
  const failed = contract.find(({ status }) => status === 'fail')
  // Rules that come after a wrong answer aren't known to hold.
  for (const rule of ['sends one note', rules.restart, rules.load, rules.http]) {
    assert.ok(failed !== undefined || contract.some(({ name }) => name === rule), rule)
  }
  return failed
}

/** @param {Fault} fault @param {string} rule that is told, of those that it breaks */
async function brokenAs (fault, rule) {
  const broken = await brokenBy(fault)
  assert.equal(broken?.name, rule)
  return broken
}

test('a right server breaks no rule, fresh or soaked', async () => {
  assert.equal(await brokenBy({}), undefined)
  assert.equal(await brokenBy({}, { soaked: true }), undefined)
})

test('two writes at once may be taken in either order, in the eyes of the lesson’s model as well', async () => {
  const { session } = sessionWith({ letsPass: true })
  // The model judges up to the first event.
  const lesson = { ...entry.lesson, sequence: { steps: 120, restart: false, load: false } }
  const { contract = [], baselineFailures } = await testModel({ ...contextOf(session, async () => others), lesson })
  assert.equal(baselineFailures, undefined)
  assert.deepEqual(contract.filter(({ status }) => status !== 'pass'), [])
  assert.ok(contract.some(({ name }) => name === rules.together))
})

test('a sequence is asked of two real servers, restarted on their data and under load', async () => {
  await withSession(entry, { seed, patience: 20 }, async (session) => {
    const context = contextOf(session, () => startGenerator(session))
    const { contract = [], baselineFailures } = await testModel(context)
    assert.equal(baselineFailures, undefined)
    assert.deepEqual(contract.filter(({ status }) => status !== 'pass'), [])
    assert.ok(contract.some(({ name }) => name === rules.restart))
  })
})

test('a wrong answer is told as one line for a shell', async () => {
  const broken = await brokenAs({ missing: 400 }, 'sends one note')
  assert.equal(broken.requests?.length, 1)
  assert.match(broken.requests?.[0] ?? '', /^curl -i (--compressed )?'http:\/\/127\.0\.0\.1:PORT\/notes\/\d'$/)
  assert.match(broken.message, /^GET \/notes\/\d: yours differs .* in the status: expected 404 .* got 400/)
})

test('what one request alone shows is told as that, even when there’s no time to leave others out', async () => {
  const broken = await brokenBy({ missing: 400 }, { shrinkMs: 1 })
  assert.deepEqual([broken?.name, broken?.requests?.length], ['sends one note', 1])
})

test('a write that later reads do not show breaks its effect', async () => {
  /** @type {WeakMap<Notes, any[]>} */
  const first = new WeakMap()
  const list = (/** @type {Notes} */ server) => {
    if (!first.has(server)) first.set(server, [...server.notes])
    return first.get(server) ?? []
  }
  const broken = await brokenAs({ list }, 'shows a new note in the next read')
  assert.equal(broken.requests?.length, 3)
})

test('what is lost over a restart, and what two writes at once lose, have separate rules', async () => {
  await brokenAs({ forgets: true }, rules.restart)
  await brokenAs({ isLate: true }, rules.together)
})

test('what goes wrong while many others ask is seen', async () => {
  await brokenAs({ list: ({ notes, asked }) => asked > 80 ? [] : notes }, rules.load)
})

test('what goes wrong some time after the start is seen in servers that have been running for a while', async () => {
  const forgets = { list: (/** @type {Notes} */ { notes, isOld }) => isOld() ? [] : notes }
  assert.equal(await brokenBy(forgets), undefined)
  assert.equal((await brokenBy(forgets, { soaked: true }))?.name, rules.later)
})

test('what was written before a pause, and is forgotten in it, is missed afterwards', async () => {
  let known = 0
  const list = (/** @type {Notes} */ { notes, isOld }) => {
    if (!isOld()) known = notes.length
    return isOld() ? notes.slice(known) : notes
  }
  assert.equal((await brokenBy({ list }, { soaked: true }))?.name, rules.later)
})

/** Long enough for whatever answers, and short enough to wait for what doesn't. */
const patience = 0.5
/** Nobody reads meanwhile: a list that hangs would keep them. */
const nobody = { read: async () => {} }

/** What a sequence says of a server that doesn't answer. @param {Fault} fault @param {Fault} [slow] */
async function silenceOf (fault, slow) {
  const { session } = sessionWith(fault, { slow, patience })
  const { contract = [] } = await testModel(contextOf(session, async () => nobody), { shrinkMs: 0 })
  assert.ok(contract.some(({ name }) => name === 'sends one note'))
  return contract.filter(({ status }) => status === 'fail')
}

test('an answer that is late once is no fault', async () => {
  let late = 0
  assert.deepEqual(await silenceOf({ hangs: (birth) => birth === 1 && Boolean(++late) }), [])
  assert.equal(late, 1)
})

test('a server that never answers fails, and is told so with both times', async () => {
  const [{ message }, ...others] = await silenceOf({ hangs: () => true })
  assert.match(message, /no answer within 5 s \(the second time, too, while the slow server was in time\)/)
  assert.deepEqual(others, [])
})

test('where the slow server is late as well, nothing is said of a submission', async () => {
  await assert.rejects(silenceOf({ hangs: () => true }, { hangs: () => true }), TooBusy)
  await assert.rejects(silenceOf({}, { hangs: () => true }), TooBusy)
})
