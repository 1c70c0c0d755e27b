import assert from 'node:assert/strict'
import test from 'node:test'
import { aboutSelfTest, diagnose } from '../../runner/check/doctor.js'

/**
 * @import { Finding } from '../../runner/check/doctor.js'
 * @import { SelfTest } from '../../runner/check/self-test/self-test.js'
 */

const place = { node: 'v22.1.0', v8: '12', platform: 'linux' }
const machine = { ...place, cpu: 'a processor', cores: 4, steal: null, work: 1, warnings: [] }
const quiet = { busyMs: 50, steal: 0, wallMs: 1000 }
/** @param {Partial<SelfTest>} [more] @returns {SelfTest} */
const selfTest = (more) => ({
  ratios: Array(20).fill(1),
  typical: 1,
  spread: 0.05,
  disturbed: 0,
  problem: null,
  ...more
})
const today = new Date('2026-01-31')
const states = (/** @type {Finding[]} */ findings) => findings.map(({ state }) => state)
const text = (/** @type {Finding[]} */ findings) => findings.map(({ what, fix }) => `${what} ${fix ?? ''}`).join('\n')

/** @param {Partial<Parameters<typeof diagnose>[0]>} [more] */
const found = (more) => diagnose({ machine, places: [], quiet, today, ...more })

test('a quiet machine with several cores is fit', () => {
  assert.deepEqual(states(found()), ['good', 'good', 'good', 'good'])
  assert.deepEqual(states(aboutSelfTest(selfTest())), ['good'])
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
  assert.deepEqual(states(found({ places })), ['good', 'good', 'bad', 'good', 'good'])
})

test('an uneven machine, a biased one and a disturbed one are doubts', () => {
  for (const more of [{ spread: 0.4 }, { typical: 1.3 }]) {
    assert.match(text(aboutSelfTest(selfTest(more))), /uneven/)
  }
  assert.match(text(aboutSelfTest(selfTest({ disturbed: 10 }))), /during 50 % of the rounds/)
})

test('a self-test that did not work is bad', () => {
  assert.deepEqual(states(aboutSelfTest(selfTest({ problem: 'it ended' }))), ['bad'])
})

test('a release line without fixes is a doubt, from the day on which they end', () => {
  const about = (/** @type {string} */ node, /** @type {string} */ today) =>
    found({ machine: { ...machine, node }, today: new Date(today) })[0]
  assert.equal(about('v20.19.0', '2026-04-29').state, 'good')
  assert.match(about('v20.19.0', '2026-05-02').what, /no fixes since 2026-04-30/)
  assert.equal(about('v24.1.0', '2026-05-02').state, 'good')
  assert.match(about('v23.0.0', '2026-05-02').what, /hasn’t been tested on/)
})
