import { kindOf } from './gate-kinds.js'
import { targetOf } from './gate.js'
import { geometricMean } from './statistics.js'

/**
 * @import { Gate, Machine } from './gate-kinds.js'
 * @import { GateResult } from './record.js'
 */

/**
 * The state of the gates for the slow server itself: whatever one round shows, it is as fast as itself. Pure.
 *
 * @param {readonly Gate[]} gates
 * @param {Machine} machine
 * @param {readonly GateResult[]} results of a round or none
 * @returns {GateResult[] | null} null where none of them fails by that alone
 */
export function unchangedGates (gates, machine, results) {
  const judged = results.map((result, at) => judgeUnchanged(gates[at], machine, result))
  return judged.some(({ verdict }) => verdict === 'fail') ? judged : null
}

/** Is yours compared with the baseline, and not judged by itself? @param {Pick<Gate, 'kind'>} gate */
function isRelative ({ kind }) {
  return kindOf(kind).ratio({ baseline: 2, yours: 2, seconds: 0 }) === 1
}

/**
 * Can the slow server fail this gate? If it requires no more than the slow server does, it only keeps others from doing
 * less. Pure.
 *
 * @param {Pick<GateResult, 'kind' | 'direction' | 'target'>} gate
 */
export function tellsApart ({ kind, direction, target }) {
  return target !== null && (!isRelative({ kind }) || (direction === 'at least' ? target > 1 : target < 1))
}

/** @param {Gate} gate @param {Machine} machine @param {GateResult} result @returns {GateResult} */
function judgeUnchanged (gate, machine, result) {
  const target = targetOf(gate, machine) ?? null
  if (result.verdict === 'dropped' || !isRelative(gate) || !tellsApart({ ...result, target })) return result
  const { baseline, yours } = result
  const same = baseline === null || yours === null ? null : geometricMean([baseline, yours])
  return { ...result, baseline: same, yours: same, ratio: 1, verdict: 'fail', moreSeconds: null }
}
