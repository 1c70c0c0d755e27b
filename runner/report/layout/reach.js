/** How far a gate has come between what is asked for, what the reference reached and what this machine can do. */
import { exactPercent } from '../../format.js'
import { formatNumber, formatRatio } from './numbers.js'
import { wrapText } from './text.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/** A limit that is so many times as far away as the reference says nothing: other work cannot be avoided. */
const farAway = 4

/**
 * @param {readonly GateResult[]} gates
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutReach (gates, theme) {
  return gates.flatMap((gate) => {
    const sentence = sayReach(gate, theme)
    return sentence === '' ? [] : wrapText(sentence, theme.columns)
  })
}

/** @param {GateResult} gate @param {Theme} theme @returns {string} empty where there is nothing to compare with */
function sayReach (gate, theme) {
  const { kind, ratio, target, yours, tiers, reference = null } = gate
  if (kind !== 'rate' || ratio === null || target === null) return ''
  const limit = limitOf(gate)
  const isTelling = limit !== null && (tiers !== null || limit <= farAway * Math.max(ratio, reference ?? 0))
  if (reference === null && !isTelling) return ''
  const { marks } = theme
  const show = (/** @type {number} */ value) => formatNumber(value, marks.none) + marks.times
  const parts = [
    `${theme.line(gate.name)}: ${formatRatio(gate, marks)} of ${Number(target.toPrecision(3))}${marks.times}`,
    ...reference === null ? [] : [`the reference reached ${show(reference)} where it was measured`],
    ...isTelling && limit !== null
      ? [`this machine’s limit is about ${show(limit)}, a Node.js server that does nothing, ` +
          `and yours reaches ${exactPercent(Number(yours) / Number(gate.limit))} of it`]
      : []
  ]
  return `${parts.join('; ')}.`
}

/** @param {GateResult} gate @returns {number | null} as a ratio */
function limitOf ({ limit, baseline }) {
  return limit === null || baseline === null || !(baseline > 0) || !(limit > 0) ? null : limit / baseline
}
