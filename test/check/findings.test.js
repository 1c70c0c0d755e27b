import assert from 'node:assert/strict'
import test from 'node:test'
import { diagnose, diagnoseDeeply } from '../../runner/check/self-test/findings.js'

/**
 * @import { Finding } from '../../runner/check/self-test/findings.js'
 * @import { SelfTest } from '../../runner/check/self-test/index.js'
 */

const machine = {
  node: 'v22.1.0',
  v8: '12',
  cpu: 'a processor',
  cores: 4,
  platform: 'linux',
  steal: null,
  work: 1,
  warnings: []
}
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

test('a quiet machine with several cores is fit', () => {
  assert.deepEqual(states(diagnose({ machine, places: [], quiet, selfTest: null, today })), [
    'good',
    'good',
    'good',
    'good'
  ])
  assert.deepEqual(states(diagnose({ machine, places: [], quiet: null, selfTest: selfTest() })), ['good'])
})

test('one core, an odd release, a warning, other programs and stolen time are doubts, each with its fix', () => {
  const findings = diagnose({
    machine: { ...machine, node: 'v23.0.0', cores: 1, warnings: ['It runs on its battery.'] },
    places: [],
    quiet: { busyMs: 900, steal: 0.2, wallMs: 1000 },
    selfTest: null
  })
  assert.deepEqual(states(findings), ['doubt', 'doubt', 'doubt', 'doubt', 'doubt'])
  assert.match(text(findings), /One core.*\n.*battery.*\n.*90 % of a core busy. Close/)
})

test('a folder that cannot be written is bad', () => {
  assert.deepEqual(
    states(
      diagnose({
        machine,
        places: [{ what: 'It can be written.', problem: 'It cannot be written.', fix: 'Make room.' }],
        quiet: null,
        selfTest: selfTest()
      })
    ),
    ['bad', 'good']
  )
})

test('an uneven machine, a biased one and a disturbed one are doubts', () => {
  for (const more of [{ spread: 0.4 }, { typical: 1.3 }]) {
    assert.match(text(diagnose({ machine, places: [], quiet: null, selfTest: selfTest(more) })), /uneven/)
  }
  assert.match(
    text(diagnose({ machine, places: [], quiet: null, selfTest: selfTest({ disturbed: 10 }) })),
    /during 50 % of the rounds/
  )
})

test('the deep look says what a check can tell', () => {
  const findings = diagnoseDeeply({ identical: selfTest(), apart: apart(), ratio: 1.5 })
  assert.deepEqual(states(findings), ['good', 'good', 'good', 'good'])
  assert.match(text(findings), /A server that is 1.5× as fast: measured 1.50× \(1.30 to 1.70\)/)
  assert.match(text(findings), /On this machine, a check can tell 1\.\d\d× from 1×/)
})

test('an interval without the truth is bad: such a machine’s verdicts may be wrong', () => {
  assert.deepEqual(
    states(
      diagnoseDeeply({ identical: selfTest({ typical: 1.2, interval: [1.1, 1.3] }), apart: apart(), ratio: 1.5 })
    ).filter((state) => state === 'bad').length,
    1
  )
  assert.match(
    text(diagnoseDeeply({ identical: selfTest(), apart: apart({ typical: 1.1, interval: [1, 1.2] }), ratio: 1.5 })),
    /verdicts here may be wrong/
  )
})

test('a machine that is too noisy or too slow for a check is told so', () => {
  assert.match(
    text(diagnoseDeeply({ identical: selfTest({ spread: 0.6 }), apart: apart(), ratio: 1.5 })),
    /closer to their target than that stay inconclusive/
  )
  assert.match(
    text(diagnoseDeeply({ identical: selfTest({ seconds: 9 }), apart: apart(), ratio: 1.5 })),
    /doesn’t have time for enough rounds/
  )
  assert.match(
    text(diagnoseDeeply({ identical: selfTest({ interval: null, disturbed: 20 }), apart: apart(), ratio: 1.5 })),
    /couldn’t be measured: too few quiet rounds \(0 of 20\)/
  )
})

test('a self-test that did not work is bad', () => {
  assert.deepEqual(
    states(diagnoseDeeply({ identical: selfTest({ problem: 'it ended' }), apart: apart(), ratio: 1.5 })),
    ['bad', 'good', 'good']
  )
  assert.deepEqual(
    states(diagnoseDeeply({ identical: selfTest(), apart: apart({ problem: 'it ended' }), ratio: 1.5 })),
    ['good', 'good', 'bad']
  )
})

test('a release line without fixes is a doubt, from the day on which they end', () => {
  const about = (/** @type {string} */ node, /** @type {string} */ today) => {
    return diagnose({
      machine: { ...machine, node },
      places: [],
      quiet: null,
      selfTest: null,
      today: new Date(today)
    })[0]
  }
  assert.equal(about('v20.19.0', '2026-04-29').state, 'good')
  assert.match(about('v20.19.0', '2026-05-02').what, /no fixes since 2026-04-30/)
  assert.equal(about('v24.1.0', '2026-05-02').state, 'good')
  assert.match(about('v23.0.0', '2026-05-02').what, /hasn’t been tested on/)
})
