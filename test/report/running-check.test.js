import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { createTerminalReport } from '../../runner/report/index.js'
import { createLiveRegion } from '../../runner/report/live-region.js'
import { afterEvent, noProgress } from '../../runner/report/check-progress.js'
import { layoutEvent, layoutLive } from '../../runner/report/running-check.js'
import { createTheme, textWidth } from '../../runner/report/theme.js'
import { assertPages } from './expected.js'
import { broken, failed, hostile, hostileText } from './records.js'

/** @import { CheckProgress, ResultRecord } from '../../runner/judge/index.js' */

/**
 * @param {ResultRecord} record
 * @returns {CheckProgress[]}
 */
function eventsOf (record) {
  return [
    { type: 'phase', phase: 'start', text: 'Starting both servers.' },
    { type: 'phase', phase: 'contract', text: '' },
    ...record.contract.map(
      (result, at) => /** @type {const} */ ({ type: 'check', result, done: at + 1, total: record.contract.length })
    ),
    { type: 'phase', phase: 'warm-up', text: 'movies' },
    { type: 'phase', phase: 'rounds', text: '' },
    ...record.rounds.map(
      (round, at) => /** @type {const} */ ({ type: 'round', round, gates: record.gates, elapsedMs: at * 500 })
    )
  ]
}

/** @param {ResultRecord} record */
function runOf ({ lesson, submission, seed }) {
  return { lesson, submission, seed }
}

/**
 * @param {{ isTTY?: boolean, columns?: number, rows?: number }} kind
 */
function fakeStream (kind) {
  /** @type {string[]} */
  const chunks = []
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => {
      chunks.push(String(chunk))
      done()
    }
  })
  return { stream: Object.assign(stream, kind), written: () => chunks.join('') }
}

test('draws a running check at every width', () => {
  const record = failed()
  const progress = eventsOf(record).reduce(afterEvent, noProgress)
  assertPages('live', Object.fromEntries([50, 80, 120].map((columns) =>
    [`${columns} columns`, layoutLive(progress, runOf(record), 7300, createTheme({ columns }))])))
})

test('draws a contract check that failed', () => {
  const progress = eventsOf(broken()).slice(0, 4).reduce(afterEvent, noProgress)
  assertPages('live-contract', { '80 columns': layoutLive(progress, undefined, 400, createTheme()) })
})

test('a live line is never longer than the window, nor the picture higher', () => {
  for (const record of [failed(), broken(), hostile()]) {
    let progress = noProgress
    for (const event of eventsOf(record)) {
      progress = afterEvent(progress, event)
      for (const columns of [40, 47, 60, 79, 100, 139]) {
        for (const unicode of [true, false]) {
          const lines = layoutLive(progress, runOf(record), 1e6, createTheme({ columns, unicode }), 10)
          assert.ok(lines.length <= 10)
          for (const line of lines) {
            assert.ok(textWidth(line) <= columns, `${textWidth(line)} of ${columns} columns: ${line}`)
            assert.doesNotMatch(line, /\p{Cc}/u)
          }
        }
      }
    }
  }
})

test('gates of one load leave those of another as they were', () => {
  const { gates, rounds } = failed()
  /** @type {CheckProgress[]} */
  const events = gates.map((gate) => ({ type: 'round', round: rounds[0], gates: [gate], elapsedMs: 0 }))
  assert.deepEqual(events.reduce(afterEvent, noProgress).gates, gates)
})

test('writes plain lines where there is no terminal, one a phase and one a round', () => {
  const record = failed()
  const { stream, written } = fakeStream({})
  const report = createTerminalReport({ stream, run: runOf(record), columns: 80, colour: false, unicode: true })
  for (const event of eventsOf(record)) report.onProgress(event)
  assertPages('plain', { '80 columns': written().trimEnd().split('\n') })
  report.finish(record)
  assert.doesNotMatch(written(), /[^\P{Cc}\n]/u)
  assert.match(written(), /✗ FAIL {2}Lesson 3/)
})

test('a hostile server cannot write control characters while it runs', () => {
  for (const event of eventsOf(hostile())) {
    for (const line of layoutEvent(event, createTheme())) assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u)
  }
  const phase = layoutEvent({ type: 'phase', phase: 'start', text: hostileText }, createTheme())
  assert.deepEqual(phase, ['start: red bell gnp.exe a b tab zero'])
})

test('redraws in place on a terminal and leaves only the result behind', () => {
  const record = failed()
  const { stream, written } = fakeStream({ isTTY: true, columns: 80, rows: 50 })
  const report = createTerminalReport({ stream, run: runOf(record), colour: false, live: true, unicode: true })
  for (const event of eventsOf(record)) report.onProgress(event)
  report.finish(record)
  const afterWipe = written().slice(written().lastIndexOf('\u001b[0J') + 4)
  assert.match(afterWipe, /^\n✗ FAIL {2}Lesson 3/)
  assert.equal(stripVTControlCharacters(afterWipe), afterWipe)
})

test('the verdict is told as soon as it is settled, and what is looked at afterwards below it, both once', () => {
  const record = failed()
  for (const isTTY of [true, false]) {
    const { stream, written } = fakeStream({ isTTY, columns: 80, rows: 50 })
    const report = createTerminalReport({ stream, colour: false, live: isTTY, unicode: true })
    for (const event of eventsOf(record)) report.onProgress(event)
    report.onProgress({ type: 'verdict', record })
    assert.match(written(), /\n✗ FAIL {2}Lesson 3[^]*\nContract /)
    assert.doesNotMatch(written(), /\nMechanism /)
    const before = written().length
    report.onProgress({ type: 'phase', phase: 'inside', text: 'Looking inside both servers' })
    report.finish(record)
    const below = written().slice(before)
    assert.match(below, /Looking inside both servers[^]*\nMechanism [^]*\nNext /)
    assert.doesNotMatch(below, /FAIL {2}Lesson 3|\nContract /)
  }
})

test('stopping ends the live picture for good', () => {
  const { stream, written } = fakeStream({ isTTY: true, columns: 80, rows: 50 })
  const report = createTerminalReport({ stream, colour: false, live: true, unicode: true })
  report.onProgress({ type: 'phase', phase: 'start', text: '' })
  report.stop()
  const before = written()
  report.stop()
  report.onProgress({ type: 'phase', phase: 'contract', text: '' })
  assert.equal(written(), before)
})

test('an interruption leaves the picture where it is, and says one sentence below it', () => {
  const { stream, written } = fakeStream({ isTTY: true, columns: 80, rows: 50 })
  const report = createTerminalReport({ stream, colour: false, live: true, unicode: true })
  report.onProgress({ type: 'phase', phase: 'start', text: 'Starting both servers' })
  const before = written()
  report.interrupt('Stopped.')
  report.stop()
  assert.equal(written(), `${before}\nStopped.\n`)
  const plain = fakeStream({})
  createTerminalReport({ stream: plain.stream }).interrupt('Stopped.')
  assert.equal(plain.written(), 'Stopped.\n')
})

test('without a terminal a check that fails is told with the result, and counted before', () => {
  const record = broken()
  const { stream, written } = fakeStream({})
  const report = createTerminalReport({ stream, columns: 80, colour: false, unicode: true })
  for (const event of eventsOf(record)) report.onProgress(event)
  report.finish(record)
  assert.match(written(), /^contract: 2 checked, 1 failed$/m)
  assert.equal(written().split('✗ shows a new movie to the very next read').length, 2)
})

test('two series of checks are counted as one', () => {
  const [result] = broken().contract
  const totals = [[1, 3], [2, 3], [1, 2], [2, 2], [3, 3]]
  const events = totals.map(([done, total]) => /** @type {const} */ ({ type: 'check', result, done, total }))
  assert.deepEqual(events.slice(0, 2).reduce(afterEvent, noProgress).checks, { done: 2, total: 3 })
  assert.deepEqual(events.reduce(afterEvent, noProgress).checks, { done: 5, total: 5 })
})

test('draws no more than ten times a second, and the newest state last', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { stream, written } = fakeStream({ isTTY: true, columns: 80 })
  let clock = 0
  let state = 0
  const region = createLiveRegion({ stream, lay: () => [`state ${state}`], now: () => clock })
  for (state = 1; state < 50; state++) region.changed()
  assert.equal(written(), 'state 1\n')
  clock = 100
  t.mock.timers.tick(100)
  assert.match(written(), /state 50\n$/)
  assert.equal(written().split('state').length - 1, 2)
  region.clear()
})

test('moves up by the rows that a line takes in a window that became narrower', () => {
  const { stream, written } = fakeStream({ isTTY: true, columns: 80 })
  let line = 'x'.repeat(70)
  const region = createLiveRegion({ stream, lay: () => [line], shortestMs: -1, now: () => 0 })
  region.changed()
  stream.columns = 40
  line = 'y'
  region.changed()
  assert.match(written(), /\u001b\[2A/) // eslint-disable-line no-control-regex
  region.clear()
})
