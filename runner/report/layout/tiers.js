/** The tier that a gate has reached. */
import { formatTarget } from './numbers.js'
import { wrapParts } from './text.js'
import { styleOf } from './theme.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/**
 * @param {GateResult} gate
 * @param {Theme} theme
 * @returns {string[]} empty if the gate has no tiers, or wasn't measured
 */
export function layoutTiers (gate, theme) {
  const { marks, paint } = theme
  if (gate.tiers === null || gate.ratio === null) return []
  const indent = '  '
  const room = theme.columns - indent.length
  const tiers = gate.tiers.map(({ name, target, verdict }) => {
    const mark = marks[verdict]
    const rest = ` ${theme.line(name)} ${formatTarget({ ...gate, target }, marks)}`
    return { plain: mark + rest, painted: paint(styleOf(verdict), mark) + rest }
  })
  // Colours have no width: they're added after the lines are broken.
  const lines = wrapParts([`${theme.line(gate.name)}:`, ...tiers.map(({ plain }) => plain)], '  ', room)
    .map((line) => tiers.reduce((text, { plain, painted }) => text.replace(plain, () => painted), line))
  return lines.map((line) => indent + line)
}
