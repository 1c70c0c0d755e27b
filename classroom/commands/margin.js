import { kindOf, sayMeasured } from '../../runner/judge/index.js'

/**
 * How far a reference solution is from its targets, and whether that is enough to take the lesson on this machine.
 * Pure.
 *
 * @import { GateResult, ResultRecord } from '../../runner/judge/index.js'
 *
 * @typedef {object} Margin
 * @property {GateResult} gate the one with the least margin
 * @property {number} margin its estimate relative to its target: 1 is on it, below is missed
 * @property {number | null} certain the same for the end of the deciding interval that lies towards the target
 *
 * @typedef {ReturnType<typeof judgeRehearsal>} Rehearsed
 */

/**
 * Within a fifth of its target a check mostly stays inconclusive, on any machine (docs/measured.md), and a learner's
 * honest fix is often a little slower than the reference. The certain end decides nothing here: a check stops as soon
 * as that has passed the target, so it is close to it in the best of cases.
 */
const leastMargin = 1.2

/**
 * How far a ratio is from its target. Where a figure cannot leave a narrow range, its distance from the ideal.
 *
 * @param {Pick<GateResult, 'kind' | 'direction' | 'ratio'>} result
 * @param {number} target
 * @returns {number} NaN where nothing was measured
 */
export function marginOf ({ kind, direction, ratio }, target) {
  const reached = ratio ?? NaN
  const isAtLeast = direction === 'at least'
  if (!kindOf(kind).bounded) return isAtLeast ? reached / target : target / reached
  const fromIdeal = (/** @type {number} */ value) => isAtLeast ? 1 - value : value - 1
  return fromIdeal(target) / Math.max(fromIdeal(reached), 0.001)
}

/** @param {Pick<ResultRecord, 'gates'>} record @returns {Margin | null} */
export function leastMarginOf ({ gates }) {
  const margins = gates.flatMap((gate) => {
    const { target, interval, direction } = gate
    if (target === null || gate.ratio === null) return []
    const bound = interval && interval[direction === 'at least' ? 0 : 1]
    return [{
      gate,
      margin: marginOf(gate, target),
      certain: bound === null ? null : marginOf({ ...gate, ratio: bound }, target)
    }]
  })
  return margins.sort((a, b) => a.margin - b.margin)[0] ?? null
}

/**
 * What the checks of a lesson's reference solution say of the lesson on this machine.
 *
 * @param {readonly ResultRecord[]} records at least one, in the order of their making
 * @returns record: of the last check; least: null: nothing was measured; lack: why the lesson lacks margin here, a
 *   clause; null: it has enough
 */
export function judgeRehearsal (records) {
  const record = records[records.length - 1]
  const least = leastMarginOf(record)
  return { record, least, lack: lackOf(records, record, least) }
}

/** @param {readonly ResultRecord[]} records @param {ResultRecord} record @param {Margin | null} least */
function lackOf (records, record, least) {
  if (record.verdict === 'error') return `its check couldn’t be completed. ${record.reason}`
  if (record.verdict === 'fail') return `its reference solution doesn’t pass here. ${record.reason}`
  if (record.verdict === 'inconclusive') return `it’s unclear here whether its reference passes. ${record.reason}`
  if (least !== null && least.margin < leastMargin) {
    return `its reference solution passes with little margin. ${least.gate.name}: ${sayMeasured(least.gate)}.`
  }
  return records.length > 1 ? `its reference solution passes in only one of ${records.length} checks.` : null
}
