import assert from 'node:assert/strict'
import test from 'node:test'
import { conditionsOf, mergeReports } from '../../runner/check/slice.js'
import { growthOf, theilSenSlope } from '../../runner/judge/statistics.js'

test('the slope of Theil and Sen is that of a line, and one wild point does not bend it', () => {
  assert.equal(theilSenSlope([1, 3, 5, 7]), 2)
  assert.equal(theilSenSlope([1, 3, 500, 7, 9, 11]), 2)
  assert.equal(theilSenSlope([4, 4, 4]), 0)
})

test('what grows is told in bytes a request, without the first batch', () => {
  assert.equal(growthOf([90_000, 1000, 2000, 3000, 4000], 10), 100)
  assert.equal(growthOf([0, 4000, 3000, 2000], 10), 0, 'what shrinks does not grow')
})

test('too few readings, unknown ones and no batches say nothing', () => {
  assert.equal(growthOf([1, 2, 3], 10), null)
  assert.equal(growthOf([1, null, 3, 4, 5], 10), null)
  assert.equal(growthOf([1, 2, 3, 4], undefined), null)
})

/** @param {object} differences @returns {any} */
const report = (differences) => ({
  answers: 10,
  elapsedMs: 100,
  rate: 100,
  latencies: { counts: [0, 10], max: 9 },
  degradation: 1,
  littlesLaw: 1,
  accepted: [],
  refused: [],
  lateMs: 0,
  busy: 0.2,
  cpuMs: 3,
  probes: [1],
  probeLateMs: 0,
  lost: [],
  wrong: 0,
  badStatus: 0,
  problems: [],
  ...differences
})

test('batches add up to one slice, in which the pauses do not count', () => {
  const merged = mergeReports([
    report({}),
    report({ answers: 30, elapsedMs: 100, busy: 0.4, wrong: 1, latencies: { counts: [30], max: 20 } })
  ])
  assert.deepEqual(
    [merged.answers, merged.elapsedMs, merged.rate, merged.wrong],
    [40, 200, 200, 1]
  )
  assert.equal(Math.round(merged.busy * 10) / 10, 0.3)
  assert.deepEqual(merged.probes, [1, 1])
  assert.deepEqual(merged.latencies, { counts: [30, 10], max: 20 })
  assert.equal(merged.littlesLaw, null)
})

test('one report stays what it is', () => {
  const one = report({})
  assert.equal(mergeReports([one]), one)
})

test('the conditions of a slice are those of its parts together', () => {
  /** @type {any[]} */
  const parts = [
    {
      machine: { busyMs: 150, wallMs: 100, steal: 0 },
      serving: { cpuMs: 80, waitMs: 20 },
      resting: { cpuMs: 0 },
      ownMs: 20
    },
    {
      machine: { busyMs: 50, wallMs: 100, steal: 0.2 },
      serving: { cpuMs: 20, waitMs: 0 },
      resting: { cpuMs: 10 },
      ownMs: 20
    }
  ]
  const conditions = conditionsOf(parts, 2)
  assert.deepEqual(conditions, {
    steal: 0.1,
    foreign: 0.25,
    busy: 0.5,
    waiting: 20 / 120,
    stopped: false,
    connectedToBaseline: false,
    interfered: null,
    idleServer: 0.05
  })
})

test('what one part does not know, the slice does not know', () => {
  /** @type {any[]} */
  const parts = [{ machine: null, serving: null, resting: null, ownMs: 1 }]
  assert.deepEqual(conditionsOf(parts, 2), {
    steal: null,
    foreign: null,
    busy: null,
    waiting: null,
    stopped: false,
    connectedToBaseline: false,
    interfered: null,
    idleServer: null
  })
})
