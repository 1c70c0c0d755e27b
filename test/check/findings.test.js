import assert from 'node:assert/strict'
import test from 'node:test'
import { diagnose, diagnoseDeeply } from '../../runner/check/self-test/index.js'

/** @import { Finding, SelfTest } from '../../runner/check/self-test/index.js' */

const place = { node: 'v22.1.0', v8: '12', platform: 'linux' }
const machine = { ...place, cpu: 'a processor', cores: 4, steal: null, work: 1, warnings: [] }
const quiet = { busyMs: 50, steal: 0, wallMs: 1000 }
/** @param {Partial<SelfTest>} [more] @returns {SelfTest} */
const selfTest = (more) => ({
  ratios: Array(20).fill(1),
  typical: 1,
  interval: [0.9, 1.1],
  seconds: 0.6,
  spread: 0.05,
  disturbed: 0,
  problem: null,
  ...more
})
const today = new Date('2026-01-31')
const apart = (/** @type {Partial<SelfTest>} */ more = {}) => selfTest({ typical: 1.5, interval: [1.3, 1.7], ...more })
const states = (/** @type {Finding[]} */ findings) => findings.map(({ state }) => state)
const text = (/** @type {Finding[]} */ findings) => findings.map(({ what, fix }) => `${what} ${fix ?? ''}`).join('\n')

/** @param {Partial<Parameters<typeof diagnose>[0]>} [more] */
const found = (more) => diagnose({ machine, places: [], quiet: null, selfTest: null, today, ...more })
const deeply = (/** @type {Partial<SelfTest>} */ identical, other = {}) =>
  diagnoseDeeply({ identical: selfTest(identical), apart: apart(other), ratio: 1.5 })

test('a quiet machine with several cores is fit', () => {
  assert.deepEqual(states(found({ quiet })), ['good', 'good', 'good', 'good'])
  assert.deepEqual(states(found({ selfTest: selfTest() })), ['good'])
})

test('one core, an odd release, a warning, other programs and stolen time are doubts, each with its fix', () => {
  const findings = found({
    machine: { ...machine, node: 'v23.0.0', cores: 1, warnings: ['It runs on its battery.'] },
    quiet: { busyMs: 900, steal: 0.2, wallMs: 1000 }
  })
  assert.deepEqual(states(findings), ['doubt', 'doubt', 'doubt', 'doubt', 'doubt'])
  assert.match(text(findings), /One core.*\n.*battery.*\n.*90 % of a core busy. Close/)
})

test('a folder that cannot be written is bad', () => {
  const places = [{ what: 'It can be written.', problem: 'It cannot be written.', fix: 'Make room.' }]
  assert.deepEqual(states(found({ places, selfTest: selfTest() })), ['bad', 'good'])
})

test('an uneven machine, a biased one and a disturbed one are doubts', () => {
  for (const more of [{ spread: 0.4 }, { typical: 1.3 }]) {
    assert.match(text(found({ selfTest: selfTest(more) })), /uneven/)
  }
  assert.match(text(found({ selfTest: selfTest({ disturbed: 10 }) })), /during 50 % of the rounds/)
})

test('the deep look says what a check can tell', () => {
  const findings = deeply({})
  assert.deepEqual(states(findings), ['good', 'good', 'good', 'good'])
  assert.match(text(findings), /A server that is 1.5× as fast: measured 1.50× \(1.30 to 1.70\)/)
  assert.match(text(findings), /On this machine, a check can tell 1\.\d\d× from 1×/)
})

test('an interval without the truth is bad: such a machine’s verdicts may be wrong', () => {
  const biased = deeply({ typical: 1.2, interval: [1.1, 1.3] })
  assert.equal(states(biased).filter((state) => state === 'bad').length, 1)
  assert.match(text(deeply({}, { typical: 1.1, interval: [1, 1.2] })), /verdicts here may be wrong/)
})

test('a machine that is too noisy or too slow for a check is told so', () => {
  assert.match(text(deeply({ spread: 0.6 })), /closer to their target than that stay inconclusive/)
  assert.match(text(deeply({ seconds: 9 })), /doesn’t have time for enough rounds/)
  const few = /couldn’t be measured: too few quiet rounds \(0 of 20\)/
  assert.match(text(deeply({ interval: null, disturbed: 20 })), few)
})

test('a self-test that did not work is bad', () => {
  assert.deepEqual(states(deeply({ problem: 'it ended' })), ['bad', 'good', 'good'])
  assert.deepEqual(states(deeply({}, { problem: 'it ended' })), ['good', 'good', 'bad'])
})

test('a release line without fixes is a doubt, from the day on which they end', () => {
  const about = (/** @type {string} */ node, /** @type {string} */ today) =>
    found({ machine: { ...machine, node }, quiet, today: new Date(today) })[0]
  assert.equal(about('v20.19.0', '2026-04-29').state, 'good')
  assert.match(about('v20.19.0', '2026-05-02').what, /no fixes since 2026-04-30/)
  assert.equal(about('v24.1.0', '2026-05-02').state, 'good')
  assert.match(about('v23.0.0', '2026-05-02').what, /hasn’t been tested on/)
})
