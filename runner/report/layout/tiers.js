/** Which tier a gate has reached, and how much of the machine's limit. */
import { exactPercent } from '../../format.js'
import { formatNumber, formatTarget } from './numbers.js'
import { wrapParts, wrapText } from './text.js'
import { styleOf } from './theme.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/**
 * @param {GateResult} gate
 * @param {Theme} theme
 * @returns {string[]} nothing where the gate has no tiers, or was not measured
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
  const limit =
    gate.limit === null || gate.yours === null || gate.limit <= 0
      ? []
      : wrapText(
          `A Node.js server that does nothing answers ${formatNumber(gate.limit, marks.none)} ` +
            `${theme.line(gate.unit)} under this load, on this machine: yours reaches ` +
            `${exactPercent(gate.yours / gate.limit)} of that limit.`,
          room
      ).map((line) => paint('secondary', line))
  // Colours have no width: they are laid on when the lines are broken.
  const lines = wrapParts([`${theme.line(gate.name)}:`, ...tiers.map(({ plain }) => plain)], '  ', room)
    .map((line) => tiers.reduce((text, { plain, painted }) => text.replace(plain, () => painted), line))
  return [...lines, ...limit].map((line) => indent + line)
}
