import assert from 'node:assert/strict'
import test from 'node:test'
import { contradictions, seeMechanism } from '../../runner/judge/index.js'

/** @import { Sample } from '../../runner/judge/index.js' */

/** @type {any} */
const lesson = {
  mechanism: {
    expected: 'the hash leaves the event loop',
    load: 'login',
    cpuPerRequest: 'stays',
    shows: [{ figure: 'loopBusy', does: 'falls' }, { figure: 'function', of: ['pbkdf2Sync'], does: 'falls' }]
  }
}

/** @param {object} [changes] @returns {Sample} */
const sample = (changes) => ({
  cpuPerRequestMs: 41,
  loopBusy: 0.99,
  loopDelayMs: 210,
  gcShare: 0.01,
  heapBytes: 12e6,
  cores: 1,
  listeners: null,
  upstreamCalls: null,
  place: null,
  functions: [{ name: 'pbkdf2Sync', owner: 'node', share: 0.96 }],
  ...changes
})
const pass = { passed: true }
const solved = sample({ loopBusy: 0.11, loopDelayMs: 3, functions: [], cores: 1.9 })

test('a mechanism that moved as it should is confirmed, in one line', () => {
  const seen = seeMechanism(lesson, { baseline: sample(), yours: solved }, { baseline: 41, yours: 42 }, pass)
  assert.equal(seen?.confirmed, true)
  assert.equal(
    seen?.seen,
    'CPU time for one answer 41 ms → 42 ms; serving thread busy 99 % → 11 %; ' +
      'pbkdf2Sync 96 % → 0 % of the main thread’s time'
  )
  assert.deepEqual(contradictions(seen), [])
})

test('what the lesson does not name is shown separately', () => {
  const seen = seeMechanism(lesson, { baseline: sample(), yours: solved }, null, pass)
  assert.deepEqual(
    seen?.figures.filter(({ does }) => does === null).map(({ text }) => text),
    [
      'event loop delay (99 %) 210 ms → 3 ms',
      'garbage collection 1 % → 1 %',
      'heap after the load 12.0 MB → 12.0 MB',
      'cores busy 1.0 → 1.9'
    ]
  )
})

test('a pass without its mechanism is warned about, with what did not move', () => {
  const seen = seeMechanism(lesson, { baseline: sample(), yours: sample({ cpuPerRequestMs: 4 }) }, null, pass)
  assert.equal(seen?.confirmed, false)
  const [warning] = contradictions(seen)
  assert.match(warning, /CPU time for one answer 41 ms → 4 ms \(should have stayed\)/)
  assert.match(warning, /serving thread busy 99 % → 99 % \(should have fallen\)/)
})

test('what does not pass confirms nothing, and refutes nothing', () => {
  for (const yours of [solved, sample()]) {
    const seen = seeMechanism(lesson, { baseline: sample(), yours }, null, { passed: false })
    assert.equal(seen?.confirmed, null)
    assert.equal(seen?.note, 'This is what was seen. Only a pass can confirm it.')
    assert.match(seen?.seen ?? '', /serving thread busy 99 % →/)
    assert.deepEqual(contradictions(seen), [])
  }
})

test('of a server that’s still the slow one, only that is said', () => {
  const seen = seeMechanism(lesson, { baseline: sample(), yours: sample() }, null, { passed: false, unchanged: true })
  assert.deepEqual([seen?.expected, seen?.seen, seen?.figures], ['', '', []])
  assert.match(seen?.note ?? '', /^Your server is the slow one, unchanged/)
})

test('where nothing could be sampled, the rounds still tell the CPU time, which confirms no other figure', () => {
  const seen = seeMechanism(lesson, { baseline: null, yours: null }, { baseline: 41, yours: 42 }, pass)
  assert.equal(seen?.confirmed, null)
  assert.equal(seen?.note, 'This couldn’t be measured: serving thread busy; pbkdf2Sync.')
  assert.equal(seen?.figures.length, 1)
})

test('where nothing was seen at all, nothing is said', () => {
  assert.equal(seeMechanism(lesson, { baseline: sample(), yours: null }, null, pass), null)
})

test('a figure that had nothing to lose says neither yes nor no', () => {
  const seen = seeMechanism(
    { mechanism: { ...lesson.mechanism, shows: [{ figure: 'function', of: ['gone'], does: 'falls' }] } },
    { baseline: sample(), yours: solved },
    null,
    pass
  )
  assert.equal(seen?.figures.find(({ name }) => name === 'gone')?.agrees, null)
  assert.equal(seen?.confirmed, null)
  assert.equal(seen?.note, 'This couldn’t be measured: gone.')
})

test('what a server says of itself and is no number is not heard', () => {
  const seen = seeMechanism(
    lesson,
    { baseline: sample(), yours: sample({ loopBusy: '<b>', heapBytes: NaN, cores: null }) },
    null,
    pass
  )
  assert.deepEqual(
    seen?.figures.map(({ name }) => name),
    ['CPU time for one answer', 'pbkdf2Sync', 'event loop delay (99 %)', 'garbage collection']
  )
})
