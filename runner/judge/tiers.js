/**
 * A gate with tiers is judged as one gate for each tier; the lowest is the pass line. Pure.
 *
 * @import { Gate } from './gate-kinds.js'
 * @import { GateResult, TierResult } from './record.js'
 */

/**
 * @param {Gate} gate
 * @returns {{ tier: string, gate: Gate }[]} from the lowest; the gate itself where it has no tiers
 */
export function gatesOf (gate) {
  if (!gate.tiers) return [{ tier: '', gate }]
  const { tiers, ...rest } = gate
  return Object.entries(tiers).map(([tier, target]) => ({ tier, gate: { ...rest, target } }))
}

/**
 * One result for the whole gate: that of the lowest tier, with what is known of the others.
 *
 * @param {readonly { tier: string, result: GateResult }[]} results from the lowest
 * @returns {GateResult}
 */
export function mergeTiers (results) {
  const { result } = results[0]
  if (results.length === 1) return result
  // The tier that was looked at last has seen the most rounds.
  const { baseline, yours, ratio, interval95, interval, rounds } = results
    .map((each) => each.result)
    .reduce((most, each) => (each.rounds > most.rounds ? each : most))
  let reached = true
  /** @type {TierResult[]} */
  const tiers = results.map(({ tier, result: { target, verdict } }) => {
    // A tier that wasn't reached rules out those above it.
    reached &&= verdict === 'pass'
    const shown = reached ? 'pass' : verdict === 'fail' ? 'fail' : 'inconclusive'
    return { name: tier, target: target ?? NaN, verdict: shown }
  })
  return { ...result, baseline, yours, ratio, interval95, interval, rounds, tiers }
}
