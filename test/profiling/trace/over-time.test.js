import assert from 'node:assert/strict'
import test from 'node:test'
import { inParts, meanOver, onePerProcess, sumOverTime, within } from '../../../runner/profiling/trace/over-time.js'

/**
 * @import { TimelinePoint } from '../../../runner/inside/index.js'
 * @import { Thread } from '../../../runner/profiling/trace/over-time.js'
 */

/** @param {number} atMs @param {Partial<TimelinePoint>} [figures] @returns {TimelinePoint} */
const point = (atMs, figures) => ({
  atMs,
  loopBusy: 0,
  cpu: 0,
  rssBytes: 0,
  heapBytes: 0,
  externalBytes: 0,
  handles: 0,
  delayMs: 0,
  delayMaxMs: 0,
  ...figures
})

/** @param {TimelinePoint[]} points @param {Partial<Thread>} [more] @returns {Thread} */
const thread = (points, more) => ({
  name: 'main thread',
  pid: 1,
  main: true,
  startMs: 0,
  points,
  gcs: [],
  keptBefore: 0,
  keptAfter: 0,
  before: {},
  after: {},
  ...more
})

test('a point tells of the time since the one before, cut to the span', () => {
  const parts = within(thread([point(100), point(400), point(500)]), { fromMs: 150, toMs: 450 })
  assert.deepEqual(parts.map(({ point: { atMs }, ms }) => [atMs, ms]), [[400, 250], [500, 50]])
})

test('a mean weighs each point by the time that it tells of', () => {
  const parts = within(thread([point(100, { loopBusy: 0 }), point(400, { loopBusy: 1 })]), { fromMs: 0, toMs: 400 })
  assert.equal(meanOver(parts, 'loopBusy'), 0.75)
  assert.equal(meanOver([], 'loopBusy'), 0)
})

test('one thread speaks for its process, the main one if it is there', () => {
  const worker = thread([], { main: false })
  const main = thread([])
  const alone = thread([], { main: false, pid: 2 })
  assert.deepEqual(onePerProcess([worker, main, alone]), [main, alone])
})

test('sums threads at the times of all of them, each from its start on', () => {
  const one = thread([point(100, { handles: 1 }), point(200, { handles: 2 }), point(300, { handles: 3 })])
  const late = thread([point(550, { handles: 10 })], { startMs: 450 })
  assert.deepEqual(sumOverTime([one, late], ['handles']), [
    { atMs: 100, value: 1 },
    { atMs: 200, value: 2 },
    { atMs: 300, value: 3 },
    { atMs: 550, value: 13 }
  ])
})

test('those that start at nearly the same time count from the beginning', () => {
  const two = [thread([point(50, { handles: 1 })]), thread([point(70, { handles: 10 })], { startMs: 60 })]
  assert.deepEqual(sumOverTime(two, ['handles']).map(({ value }) => value), [11, 11])
})

test('adds several figures of one thread', () => {
  assert.deepEqual(
    sumOverTime([thread([point(1, { heapBytes: 5, externalBytes: 2 })])], ['heapBytes', 'externalBytes']),
    [{ atMs: 1, value: 7 }]
  )
})

test('fills the parts in which a blocked loop took no point from the next point', () => {
  assert.deepEqual(
    inParts([{ atMs: 10, value: 1 }, { atMs: 40, value: 3 }], { endMs: 50, count: 5 }),
    [1, 3, 3, 3, 0]
  )
})
