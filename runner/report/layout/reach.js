/** How far a gate has come between its target, what the reference reached and what this machine can do. */
import { exactPercent } from '../../format.js'
import { kindOf } from '../../judge/index.js'
import { formatNumber, formatRatio } from './numbers.js'
import { wrapText } from './text.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/** A limit this many times as far away as the reference says nothing: other work can't be avoided. */
const farAway = 4
/** Above this share of the limit, the rest is noise. */
const practicallyAll = 0.995

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

/** @param {GateResult} gate @param {Theme} theme @returns {string} empty if there's nothing to compare with */
function sayReach (gate, theme) {
  const { kind, ratio, target, yours, tiers, reference = null } = gate
  if (!kindOf(kind).hasLimit || ratio === null || target === null) return ''
  const limit = limitOf(gate)
  const isTelling = limit !== null && (tiers !== null || limit <= farAway * Math.max(ratio, reference ?? 0))
  if (reference === null && !isTelling) return ''
  const { marks } = theme
  const show = (/** @type {number} */ value) => formatNumber(value, marks.none) + marks.times
  const parts = [
    `${theme.line(gate.name)}: ${formatRatio(gate, marks)} of ${Number(target.toPrecision(3))}${marks.times}`,
    ...reference === null ? [] : [`the reference reached ${show(reference)} where it was measured`],
    ...isTelling && limit !== null
      ? [sayLimit(show(limit), Number(yours) / Number(gate.limit))]
      : []
  ]
  return `${parts.join('; ')}.`
}

/** @param {string} limit @param {number} share of it that yours reaches: both are measured, so it may be above 1 */
function sayLimit (limit, share) {
  return share >= practicallyAll
    ? 'you’ve reached what a bare Node.js server does here'
    : `a bare Node.js server reaches about ${limit} here, and yours comes to ${exactPercent(share)} of that`
}

/** @param {GateResult} gate @returns {number | null} as a ratio */
function limitOf ({ limit, baseline }) {
  return limit === null || baseline === null || !(baseline > 0) || !(limit > 0) ? null : limit / baseline
}
