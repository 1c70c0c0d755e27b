import assert from 'node:assert/strict'
import test from 'node:test'
import { lineId, placeIn } from '../../runner/web/browser/lines.js'
import { growthSeen, seenIn, timeSeen } from '../../runner/web/prediction-feedback.js'

/** @import { CpuFigures, SeenFunction, TraceFigures } from '../../runner/profiling/index.js' */

/** @param {Partial<SeenFunction>} given @returns {SeenFunction} */
const fun = (given) => ({
  name: 'findUser',
  place: 'server.js:31',
  file: 'server.js',
  line: 31,
  owner: 'yours',
  thread: 'main thread',
  self: 0.2,
  total: 0.7,
  charged: 0.61,
  ...given
})
const handler = fun({ name: 'function at server.js:40', place: 'server.js:40', line: 40, total: 0.95, charged: 0.05 })
const stringify = fun({ name: 'stringify', place: '', file: null, owner: 'native', total: 0.3, charged: 0 })
const next = fun({ name: 'next', place: 'router/index.js:3', file: null, owner: 'package', total: 0.9, charged: 0 })
const router = fun({ name: 'handleAll', place: 'router/index.js:9', file: null, owner: 'package', charged: 0 })
/** @type {CpuFigures} */
const figures = {
  version: 2,
  sentences: ['The main thread is busy.'],
  slow: null,
  functions: [handler, next, fun({}), router, stringify],
  sections: []
}
const sentences = (/** @type {string} */ text, shown = figures) => timeSeen(text, shown).sentences

test('a function that was named is answered with its share', () => {
  assert.deepEqual(sentences('findUser, I think: it looks at all.'), [
    'You named `findUser` (server.js:31): 61 % of the main thread.'
  ])
  assert.deepEqual(sentences('JSON.stringify, again and again'), [
    'You named `stringify`: 30 % of the main thread.',
    'Its largest function is `findUser` (server.js:31): 61 % of the main thread.'
  ])
})

test('compared with the slow server, both shares are told', () => {
  const faster = { ...figures, functions: [handler], slow: { ...figures, slow: null } }
  assert.deepEqual(timeSeen('findUser', faster).sentences, [
    'You named `findUser`: 61 % of the main thread in the slow server, not seen in yours.',
    'Its largest function is `server.js:40`: 5 % of the main thread.'
  ])
  const same = { ...faster, functions: [fun({ place: 'server.js:8', charged: 0.3 })] }
  assert.deepEqual(timeSeen('findUser', same).sentences, [
    'You named `findUser` (server.js:8): 61 % of the main thread in the slow server, 30 % of the main thread in yours.'
  ])
})

test('where nothing of that name was recorded, the reading answers, and the largest of the own functions', () => {
  assert.deepEqual(sentences('the regular expression'), [
    'The main thread is busy.', 'Its largest function is `findUser` (server.js:31): 61 % of the main thread.'
  ])
  assert.match(sentences('findUsers')[1], /^Its largest/, 'a part of a word is no name')
  assert.match(sentences('constructor')[1], /^Its largest/)
  assert.equal(sentences('')[1], 'Its largest function is `findUser` (server.js:31): 61 % of the main thread.')
  assert.deepEqual(timeSeen('', { ...figures, functions: [handler] }).sentences.slice(1), [
    'Its largest function is `server.js:40`: 5 % of the main thread.'
  ])
  assert.deepEqual(timeSeen('x', { ...figures, functions: [next] }).sentences.slice(1), [
    'None of the server’s own functions took any time that could be seen.'
  ])
})

test('that the thread is idle comes first, whatever was named', () => {
  const idle = { ...figures, sentences: ['The main thread is idle 74 % of the time.'] }
  const [first, second] = sentences('findUser', idle)
  assert.match(first, /idle 74 %/)
  assert.match(second, /^You named/)
})

test('a function is named by either form of it', () => {
  const sync = fun({ name: 'pbkdf2Sync', owner: 'node', total: 0.8 })
  for (const text of ['the hash (pbkdf2)', 'pbkdf2Sync']) {
    assert.match(sentences(text, { ...figures, functions: [sync] })[0], /^You named `pbkdf2Sync`: 80 % of the main/)
  }
})

test('a word of plain English names no function of a package', () => {
  assert.match(sentences('every request waits for the next one')[1], /^Its largest/)
  for (const text of ['`next`', 'next()', 'router.next']) assert.match(sentences(text)[0], /^You named `next`: 90 %/)
  assert.match(sentences('handleAll of the router')[0], /^You named `handleAll`: 70 %/)
})

test('a thread is named as one speaks of it', () => {
  const worker = fun({ thread: 'worker thread 1' })
  assert.match(timeSeen('', { ...figures, functions: [worker] }).sentences[1], /61 % of worker thread 1\.$/)
})

test('the own functions come by what is charged to them, the largest first', () => {
  assert.deepEqual(timeSeen('', figures).top.map(({ line }) => line), [31, 40])
})

test('what grows comes first, and that nothing does is said', () => {
  const summary = { loadMs: 3000 }
  /** @type {TraceFigures['findings']} */
  const [busy, memory] = [{ rule: 'busy', text: 'Busy.' }, { rule: 'memory', text: 'Memory grows.' }]
  assert.deepEqual(growthSeen({ findings: [busy, memory], summary }), ['Memory grows.', 'Busy.'])
  assert.deepEqual(growthSeen({ findings: [busy], summary }),
    ['Neither memory nor handles kept growing in 3.0 s of load. Does another curve of the report climb?', 'Busy.'])
  assert.deepEqual(seenIn([{ question: 'a', answer: 'b' }], [{ server: 'mine', cpu: null, trace: null }]),
    { time: null, growth: null, server: 'yours' })
  const both = [{ server: /** @type {const} */ ('mine'), cpu: null, trace: null },
    { server: /** @type {const} */ ('slow'), cpu: null, trace: { findings: [memory], summary } }]
  // The prediction is about the slow server, even when yours was profiled after it.
  assert.equal(seenIn([{ question: 'a', answer: 'b' }], /** @type {any} */ (both)).server, 'the slow server')
})

test('what a report tells is heard only where it is a place of the learner’s server', () => {
  const frame = { type: 'frame', place: 'lib/a b.js:12', other: false }
  assert.deepEqual(placeIn(frame), { file: 'lib/a b.js', line: 12 })
  for (const message of [
    null, 'frame', 12, {}, { ...frame, type: 'click' }, { ...frame, other: true }, { ...frame, other: undefined },
    { ...frame, place: 'server.js' }, { ...frame, place: { toString: () => 'a:1' } }, { ...frame, place: 'a:1e3' },
    { ...frame, place: `${'a'.repeat(501)}:1` }, { ...frame, place: 'a:12345678' }
  ]) {
    assert.equal(placeIn(message), null, JSON.stringify(message))
  }
  assert.equal(lineId({ file: 'server.js', line: 3 }, 'server.js'), 'L3')
  assert.equal(lineId({ file: 'a.js', line: 3 }, 'server.js'), 'L3-a.js')
})
