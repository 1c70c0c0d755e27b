import assert from 'node:assert/strict'
import test from 'node:test'
import {
  callsOf, changePerRequest, mergeTrees, placeToLook, readCpuProfile, readSentences, summarise
} from '../../../runner/inside/index.js'
import { dir, inServer, rawProfile } from './profiles.js'

/** @typedef {[name: string, url: string, line?: number]} At */

const server = inServer('server.js')
/** @type {At} */
const handler = ['', server, 22]
/** @type {At} */
const check = ['checkPassword', server, 40]
/** @type {At} */
const hash = ['pbkdf2Sync', 'node:internal/crypto/pbkdf2', 62]
/** @type {At} */
const router = ['next', 'file:///somewhere/node_modules/express/lib/router.js', 12]
/** @type {At} */
const idle = ['(idle)', '']

const blocked = rawProfile([
  { stack: [router, handler, check, hash], ms: 60 },
  { stack: [router, handler, check], ms: 6 },
  { stack: [router, handler], ms: 4 },
  { stack: [router], ms: 10 },
  { stack: [['(garbage collector)', '']], ms: 5 },
  { stack: [['(program)', '']], ms: 5 },
  { stack: [idle], ms: 10 }
])
const read = (/** @type {any} */ raw) => readCpuProfile(raw, { dir })
const summaryOf = (/** @type {any} */ raw) => summarise(read(raw).root)
const unknown = { callsPerRequest: null, cores: null, thread: 'main thread' }

test('every millisecond of a profile belongs to a function', () => {
  const { root, samples } = read(blocked)
  assert.equal(Math.round(root.totalMs), 100)
  assert.equal(samples.length, 100)
  const { shares } = summarise(root)
  assert.deepEqual(Object.fromEntries(Object.entries(shares).map(([kind, share]) => [kind, Math.round(share * 100)])), {
    javascript: 80,
    native: 5,
    gc: 5,
    idle: 10
  })
})

test('functions are told apart by whose they are, and named by their place', () => {
  const { functions } = summaryOf(blocked)
  const seen = Object.fromEntries(functions.map(({ name, owner, place }) => [name, [owner, place]]))
  assert.deepEqual(seen.checkPassword, ['yours', 'server.js:40'])
  assert.deepEqual(seen['function at server.js:22'], ['yours', 'server.js:22'])
  assert.deepEqual(seen.next, ['package', 'express/lib/router.js:12'])
  assert.deepEqual(seen.pbkdf2Sync, ['node', 'node:internal/crypto/pbkdf2:62'])
  assert.deepEqual(seen['garbage collection'], ['gc', ''])
})

test('a function is charged with the foreign code that it called itself', () => {
  const { charged, heaviest, hottest, callers } = summaryOf(blocked)
  assert.equal(charged?.name, 'checkPassword')
  assert.equal(Math.round(charged?.chargedMs ?? 0), 66)
  assert.equal(heaviest?.name, 'pbkdf2Sync')
  assert.equal(hottest?.name, 'pbkdf2Sync')
  assert.deepEqual(
    callers.map(({ name, share }) => [name, share]),
    [['checkPassword', 1], ['function at server.js:22', 1], ['next', 1]]
  )
})

test('a function that calls itself counts once', () => {
  /** @type {At} */
  const canonical = ['canonical', server, 50]
  const { functions } = summaryOf(rawProfile([{ stack: [canonical, canonical, canonical], ms: 10 }]))
  assert.deepEqual(functions.map(({ name, selfMs, totalMs }) => [name, selfMs, totalMs]), [['canonical', 10, 10]])
})

test('self time is told by line: by V8’s shares, over all calls of a function', () => {
  const raw = rawProfile([{ stack: [handler], ms: 30 }, { stack: [router, handler], ms: 10 }])
  raw.nodes[1].positionTicks = [{ line: 23, ticks: 8 }, { line: 24, ticks: 4 }]
  raw.nodes[3].positionTicks = [{ line: 24, ticks: 10 }]
  const [{ lineMs }] = summaryOf(raw).functions
  assert.deepEqual(Object.entries(lineMs).map(([line, ms]) => [line, Math.round(ms)]), [['23', 20], ['24', 20]])
})

test('the summary is read in sentences that name the function, the place and how often it is called', () => {
  assert.deepEqual(readSentences(summaryOf(blocked), { ...unknown, callsPerRequest: 148.4, cores: 0.9 }), [
    '66 % of the main thread’s time is spent in checkPassword (server.js:40), most of it in pbkdf2Sync ' +
      '(node:internal/crypto/pbkdf2:62); it is called 148 times per request.'
  ])
  assert.match(
    readSentences(summaryOf(blocked), { ...unknown, callsPerRequest: 1.01 })[0],
    /it is called about once per request\.$/
  )
})

test('a machine that was busy otherwise is told of, where that is known and much', () => {
  const [, said] = readSentences(summaryOf(blocked), { ...unknown, coreless: 0.43 })
  assert.equal(said, 'For 43 % of the time, the main thread had no core, because other threads or programs used them.')
  assert.doesNotMatch(readSentences(summaryOf(blocked), { ...unknown, coreless: 0.04 }).join(' '), /no core/)
})

test('a thread that waits, and threads that cannot be seen, are told of first', () => {
  const [waits, elsewhere] = readSentences(
    summaryOf(rawProfile([{ stack: [idle], ms: 90 }, { stack: [handler], ms: 10 }])),
    { ...unknown, cores: 1.9 }
  )
  assert.match(waits, /idle 90 % of the time/)
  assert.match(elsewhere, /1\.9 cores busy, 0\.1 of that in the main thread/)
})

test('much garbage collection is told of', () => {
  const [gc] = readSentences(
    summaryOf(rawProfile([{ stack: [['(garbage collector)', '']], ms: 40 }, { stack: [handler], ms: 60 }])),
    unknown
  )
  assert.match(gc, /Garbage collection takes 40 %/)
})

test('the place to look at is the learner’s own, and none where the time is not theirs', () => {
  assert.equal(
    placeToLook(summaryOf(blocked)),
    'Begin at server.js:40, checkPassword: 66 % of the main thread’s time is spent there, most of it in ' +
      'its calls to pbkdf2Sync.'
  )
  assert.match(
    placeToLook(summaryOf(rawProfile([{ stack: [idle], ms: 80 }, { stack: [handler], ms: 20 }]))) ?? '',
    /idle 80 % of the time: look at what it waits for/
  )
  assert.equal(placeToLook(summaryOf(rawProfile([{ stack: [router], ms: 95 }, { stack: [handler], ms: 5 }]))), null)
})

test('a middleware isn’t charged with the framework that it hands the request to', () => {
  const logs = /** @type {At} */ (['logs', server, 12])
  const { charged } = summaryOf(rawProfile([
    { stack: [logs, router], ms: 1 }, { stack: [logs, router, handler], ms: 40 }, { stack: [logs, router], ms: 50 }
  ]))
  assert.deepEqual([charged?.name, charged?.chargedMs], ['function at server.js:22', 40])
})

test('a server that did nothing has no hottest function and no sentence', () => {
  const summary = summaryOf(rawProfile([]))
  assert.equal(summary.hottest, null)
  assert.deepEqual(readSentences(summary, unknown), [])
  assert.equal(placeToLook(summaryOf(rawProfile([{ stack: [idle], ms: 0 }]))), null)
})

test('what is no CPU profile is refused', () => {
  for (const thing of [null, {}, { nodes: [] }, 'text']) assert.throws(() => read(thing), /no CPU profile/)
})

test('frames of the recorder are left out', () => {
  const recorder = new URL('../../../runner/inside/recorder/measure-thread.js', import.meta.url).href
  const { root } = read(rawProfile([{ stack: [['stopCpu', recorder]], ms: 5 }, { stack: [handler], ms: 5 }]))
  assert.equal(root.totalMs, 5)
})

test('trees of several threads become one', () => {
  const merged = mergeTrees([read(blocked).root, read(blocked).root])
  assert.equal(Math.round(merged.totalMs), 200)
  assert.equal(merged.children.length, 4)
})

test('the change is that of one request, and lines that moved do not matter', () => {
  /** @type {At} */
  const moved = ['checkPassword', server, 44]
  const before = { functions: summaryOf(blocked).functions, answers: 2 }
  const after = {
    functions: summaryOf(
      rawProfile([{ stack: [router, handler, moved], ms: 6 }, { stack: [router], ms: 40 }])
    ).functions,
    answers: 4
  }
  const changes = changePerRequest(before, after)
  assert.deepEqual(changes.slice(0, 2).map(({ name, place, beforeMs, afterMs }) => [name, place, beforeMs, afterMs]), [
    ['pbkdf2Sync', 'node:internal/crypto/pbkdf2:62', 30, 0],
    ['next', 'express/lib/router.js:12', 5, 10]
  ])
  assert.deepEqual(
    changes.find(({ name }) => name === 'checkPassword'),
    { name: 'checkPassword', place: 'server.js:44', owner: 'yours', beforeMs: 3, afterMs: 1.5 }
  )
})

test('calls are found by file, line and name', () => {
  const source = 'const a = 1\n\nfunction first () {}\nconst pair = [() => {}, () => {}]\n'
  const coverage = [
    {
      url: server,
      functions: [
        { name: 'first', start: source.indexOf('function'), calls: 7 },
        { name: '', start: source.indexOf('() =>'), calls: 1 },
        { name: '', start: source.lastIndexOf('() =>'), calls: 2 }
      ]
    }
  ]
  const wanted = (/** @type {string} */ name, /** @type {number} */ line, /** @type {number} */ column) =>
    callsOf({ name, url: server, line, column }, coverage, () => source)
  assert.equal(wanted('first', 3, 16), 7)
  assert.equal(wanted('function at server.js:4', 4, 15), 1)
  assert.equal(wanted('function at server.js:4', 4, 25), 2)
  assert.equal(wanted('first', 9, 1), null)
  assert.equal(callsOf({ name: 'first', url: server, line: 3, column: 16 }, [...coverage, ...coverage], () => source),
    14, 'several processes run the same file')
  const later = 'const later = async () => {}'
  assert.equal(
    callsOf(
      { name: 'later', url: server, line: 1, column: 21 },
      [{ url: server, functions: [{ name: 'later', start: later.indexOf('async'), calls: 4 }] }],
      () => later
    ),
    null
  )
  assert.equal(callsOf({ name: 'first', url: 'file:///other.js', line: 3, column: 16 }, coverage, () => source), null)
})
