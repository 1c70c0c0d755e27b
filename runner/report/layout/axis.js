/** @import { GateResult } from '../../judge/index.js' */

/**
 * The logarithmic axis on which a ratio is shown with its target. It depends on these two alone, so that it stays
 * still while the interval shrinks.
 *
 * @param {Pick<GateResult, 'ratio' | 'target'>} gate
 * @returns {((value: number) => number) | null} where a value lies, 0 to 1; null if there's nothing to show
 */
export function axisOf ({ ratio, target }) {
  if (ratio === null || target === null) return null
  const anchors = [ratio, target]
  if (!anchors.every((value) => value > 0 && Number.isFinite(value))) return null
  const low = Math.log(Math.min(1, ...anchors) / 1.5)
  const high = Math.log(Math.max(1, ...anchors) * 1.5)
  return (value) => {
    const share = value > 0 ? (Math.log(value) - low) / (high - low) : 0
    return Math.max(0, Math.min(1, share))
  }
}
