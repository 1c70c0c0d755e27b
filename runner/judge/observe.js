import { kindOf } from './gate-kinds.js'

/**
 * @import { Gate, Observation } from './gate-kinds.js'
 * @import { Slice } from './slice.js'
 */

/**
 * What one round says about one gate; null when it says nothing. Pure.
 *
 * @param {Gate} gate
 * @param {{ baseline: Slice, yours: Slice, seconds: number }} round
 * @returns {Observation | null}
 */
export function observe (gate, { baseline, yours, seconds }) {
  const kind = kindOf(gate.kind)
  const target = typeof gate.target === 'number' ? gate.target : 0
  const least = kind.least ?? target * (kind.leastShare ?? 0)
  const [theirs, found] = [baseline, yours].map((slice) => {
    const figure = kind.figure(slice, gate)
    return figure === null ? null : Math.max(figure, least)
  })
  const ours = found ?? (kind.absolute ? least : 0)
  if (!(ours > 0)) return null
  if (!kind.absolute && (theirs === null || !(theirs > 0))) return null
  return { baseline: theirs ?? 0, yours: ours, seconds }
}
