import assert from 'node:assert/strict'
import test from 'node:test'
import { createStandings, mergeTiers, tiersOf } from '../../runner/judge/judge-rounds.js'
import { gate } from '../report/records.js'

/** @import { Gate } from '../../runner/judge/index.js' */

/** @type {Gate} */
const tiered = { name: 'shop', kind: 'rate', load: 'shop', tiers: { bronze: 2, silver: 4, gold: 8 }, look: 'Where?' }
const quiet = { steal: 0, foreign: 0, busy: 0.5, waiting: 0, idleServer: 0 }

/** @param {number} ratio @param {number} count @returns {any[]} */
function rounds (ratio, count) {
  return Array.from({ length: count }, (_, at) => {
    const wobble = at % 2 === 0 ? 1.01 : 0.99
    const slice = (/** @type {number} */ rate) => ({ rate, conditions: quiet })
    return {
      result: { load: 'shop' },
      baseline: slice(100),
      yours: slice(100 * ratio * wobble),
      seconds: 1,
      disturbed: null
    }
  })
}

/** @param {any[]} gates */
const standingsOf = (gates) => createStandings(/** @type {any} */ ({ gates }), { cores: 2, tellsUse: true })

test('a gate with tiers is one gate for each, the lowest first', () => {
  assert.deepEqual(
    tiersOf(tiered).map(({ tier, gate }) => [tier, gate.target]),
    [['bronze', 2], ['silver', 4], ['gold', 8]]
  )
  assert.equal(tiersOf({ ...tiered, tiers: undefined, target: 3 }).length, 1)
})

test('the tier that was reached is named, and the lowest decides the verdict', () => {
  const [result] = standingsOf([tiered]).judge(rounds(5.6, 8))
  assert.equal(result.verdict, 'pass')
  assert.equal(result.target, 2)
  assert.deepEqual(
    result.tiers?.map(({ name, verdict }) => [name, verdict]),
    [['bronze', 'pass'], ['silver', 'pass'], ['gold', 'fail']]
  )
})

test('higher tiers get ten rounds, and a pass line all that there are', () => {
  const isOpenAfter = (/** @type {number} */ ratio, /** @type {number} */ count) => {
    const standings = standingsOf([tiered])
    const all = rounds(ratio, count)
    standings.judge(all)
    return standings.isOpen('shop', all)
  }
  assert.deepEqual([isOpenAfter(4, 8), isOpenAfter(4, 10)], [true, false])
  assert.deepEqual([isOpenAfter(2, 10), isOpenAfter(2, 20), isOpenAfter(2, 32)], [true, true, false])
})

test('below the lowest tier the gate fails', () => {
  const standings = standingsOf([tiered])
  assert.equal(standings.judge(rounds(1, 5))[0].verdict, 'fail')
  assert.equal(standings.hasFailed(), true)
})

test('a higher tier that is out of reach fails nothing, and an undecided tier takes more rounds', () => {
  const standings = standingsOf([tiered])
  standings.judge(rounds(3.8, 5))
  assert.equal(standings.hasFailed(), false)
  assert.equal(standings.isOpen('shop', rounds(3.8, 5)), true)
  standings.judge(rounds(5.6, 8))
  assert.equal(standings.isOpen('shop', rounds(5.6, 8)), false)
})

test('what was decided at a look stays decided', () => {
  const standings = standingsOf([{ ...tiered, tiers: undefined, target: 2 }])
  assert.equal(standings.judge(rounds(5, 4))[0].verdict, 'pass')
  assert.equal(standings.judge([...rounds(5, 4), ...rounds(0.1, 4)])[0].verdict, 'pass')
  assert.equal(standings.isOpen('shop', []), false)
  assert.equal(standings.isOpen('another', []), false)
})

test('a tier above one that is open is not claimed', () => {
  const merged = mergeTiers([
    { tier: 'low', result: gate({ verdict: 'pass' }) },
    { tier: 'middle', result: gate({ verdict: 'inconclusive' }) },
    { tier: 'high', result: gate({ verdict: 'pass' }) }
  ])
  assert.deepEqual(merged.tiers?.map(({ verdict }) => verdict), ['pass', 'inconclusive', 'inconclusive'])
})
