import { exactPercent } from '../format.js'
import { kindOf } from '../judge/index.js'
import { formatCount, formatNumber, formatRatio, formatTarget, gateColumns } from './numbers.js'
import { scaleOf } from './section.js'
import { layoutTable, secondaryRow, tableWidth } from './table.js'
import { fits, padText, styleOf, textWidth, truncateText, wrapParts, wrapText } from './theme.js'

/**
 * @import { GateResult } from '../judge/index.js'
 * @import { Cell, Row } from './table.js'
 * @import { Theme } from './theme.js'
 */

/** The table of gates: side by side where the window is wide enough, else gate by gate. */

/**
 * @typedef {object} Shape
 * @property {number} scale columns of the scale, 0 for none
 * @property {boolean} confidence name the confidence in the head
 * @property {number} [name] longest name that stays uncut
 */

const shortestScale = 12
const longestScale = 30

/**
 * @param {GateResult[]} gates
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutGates (gates, theme) {
  if (gates.length === 0) return []
  const measured = gates.filter((gate) => gate.verdict !== 'not measured')
  const rows = measured.length === 0 ? [] : fittingTable(measured, theme) ?? stacked(measured, theme)
  return [
    ...rows,
    ...notMeasured(gates, theme),
    ...gates.flatMap((gate) => [...layoutTiers(gate, theme), ...noteOf(gate, theme)])
  ]
}

/**
 * The richest table that fits.
 *
 * @param {GateResult[]} gates
 * @param {Theme} theme
 */
function fittingTable (gates, theme) {
  const room = theme.columns
  const plain = tableWidth(tableRows(gates, { scale: 0, confidence: true }, theme))
  const scale = Math.min(longestScale, room - plain - 2)
  /** @type {Shape[]} */
  const shapes = [
    { scale: 0, confidence: true },
    { scale: 0, confidence: false },
    { scale: 0, confidence: false, name: 16 }
  ]
  if (scale >= shortestScale) shapes.unshift({ scale, confidence: true })
  for (const shape of shapes) {
    const rows = tableRows(gates, shape, theme)
    if (fits(tableWidth(rows), theme)) return layoutTable(rows, alignment, theme)
  }
  return null
}

/** @type {('left' | 'right')[]} */
const alignment = ['left', ...gateColumns.map(({ align }) => align), 'left', 'left']

/**
 * @param {GateResult[]} gates
 * @param {Shape} shape
 * @param {Theme} theme
 * @returns {Row[]}
 */
function tableRows (gates, shape, theme) {
  // One line names the unit of all gates below it; a dropped gate has no figures to name a unit for.
  const first = gates.find((gate) => gate.verdict !== 'dropped') ?? gates[0]
  /** @type {Row[]} */
  const rows = [headRow(first, shape, theme)]
  let unit = first.unit
  for (const gate of gates) {
    if (gate.unit !== unit && gate.verdict !== 'dropped') {
      rows.push([unitCell(gate, theme)])
      unit = gate.unit
    }
    rows.push(gateRow(gate, shape, theme))
  }
  return rows
}

/**
 * @param {GateResult} gate
 * @param {Shape} shape
 * @param {Theme} theme
 * @returns {Row}
 */
function headRow (gate, shape, theme) {
  const { marks } = theme
  const [baseline, yours] = serversOf(gate)
  /** @type {Record<string, string>} */
  const renamed = { baseline, yours, ...shape.confidence ? {} : { '95 % interval': 'interval' } }
  const scale = `${marks.interval} interval  ${marks.target} target`
  const titles = [...gateColumns.map(({ title }) => renamed[title] ?? title), 'verdict']
  if (shape.scale > 0) titles.push(shape.scale < scale.length ? '' : scale)
  return [unitCell(gate, theme), ...secondaryRow(titles)]
}

/** @param {GateResult} gate */
function serversOf ({ kind, servers }) {
  return servers ?? kindOf(kind).servers ?? ['baseline', 'yours']
}

/**
 * @param {GateResult} gate
 * @param {Theme} theme
 * @returns {Cell}
 */
function unitCell (gate, theme) {
  const unit = theme.line(gate.unit)
  return { text: unit === theme.marks.times ? `slowdown, ${unit}` : unit, style: 'secondary' }
}

/**
 * @param {GateResult} gate
 * @param {Shape} shape
 * @param {Theme} theme
 * @returns {Row}
 */
function gateRow (gate, shape, theme) {
  const { marks, paint } = theme
  const style = styleOf(gate.verdict)
  const full = theme.line(gate.name)
  const name = shape.name === undefined ? full : truncateText(full, shape.name, marks.ellipsis)
  const mark = marks[gate.verdict]
  /** @type {Row} */
  const row = [
    { text: `${mark} ${name}`, painted: `${paint(style, mark)} ${name}` },
    ...gateColumns.map(({ cell, style }) => ({ text: cell(gate, marks), style })),
    { text: gate.answer ?? gate.verdict, style }
  ]
  if (shape.scale > 0) row.push(scaleOf(gate, shape.scale, theme) ?? { text: '' })
  return row
}

/**
 * @param {GateResult[]} gates
 * @param {Theme} theme
 */
function stacked (gates, theme) {
  const { marks, paint } = theme
  const indent = '  '
  const labelWidth = 10
  return gates.flatMap((gate) => {
    const style = styleOf(gate.verdict)
    const word = gate.answer ?? gate.verdict
    const room = theme.columns - word.length - 4
    const name = padText(truncateText(theme.line(gate.name), room, marks.ellipsis), room)
    const head = `${paint(style, marks[gate.verdict])} ${name}  ${paint(style, word)}`
    if (gate.verdict === 'dropped') return [head]

    const unit = theme.line(gate.unit)
    const [baseline, yours, ratio, interval, target] = gateColumns.map(({ cell }) => cell(gate, marks))
    const figures = [baseline, yours]
      .map((text) => text === marks.none ? text : `${text}${unit === marks.times ? unit : ` ${unit}`}`)
    const comparison = [ratio, gate.interval95 === null ? '' : `(${interval})`,
      gate.target === null ? '' : `target ${target}`].filter((part) => part !== '')
    const labels = [...serversOf(gate), 'ratio']
    const lines = [...figures.map((text) => [text]), comparison].flatMap((parts, row) =>
      wrapParts(parts, '  ', theme.columns - indent.length - labelWidth).map((line, at) =>
        indent + paint('secondary', padText(at === 0 ? labels[row] : '', labelWidth)) + line))
    const scale = scaleOf(gate, Math.min(longestScale, theme.columns - indent.length - labelWidth), theme)
    if (scale !== null) lines.push(indent + ' '.repeat(labelWidth) + scale.painted)
    return [head, ...lines]
  })
}

/**
 * @param {GateResult[]} gates
 * @param {Theme} theme
 */
function notMeasured (gates, theme) {
  const names = gates.filter((gate) => gate.verdict === 'not measured').map((gate) => theme.line(gate.name))
  if (names.length === 0) return []
  return hanging(`${theme.marks['not measured']} `, `not measured: ${names.join(', ')}`, theme)
}

/**
 * @param {GateResult} gate
 * @param {Theme} theme
 */
function noteOf (gate, theme) {
  const seconds = gate.verdict === 'inconclusive' ? gate.moreSeconds : null
  const more =
    seconds === null ? '' : `About ${formatCount(seconds)} more second${seconds === 1 ? '' : 's'} would settle it.`
  const says = gate.ratio === null ? '' : kindOf(gate.kind).says ?? ''
  const note = [theme.line(says), theme.line(gate.note), more].filter((text) => text !== '').join(' ')
  return note === '' ? [] : hanging('  ', `${theme.line(gate.name)}: ${note}`, theme)
}

/**
 * @param {string} start
 * @param {string} text
 * @param {Theme} theme
 */
function hanging (start, text, theme) {
  const indent = ' '.repeat(textWidth(start))
  return wrapText(text, theme.columns - indent.length)
    .map((line, at) => theme.paint('secondary', (at === 0 ? start : indent) + line))
}

/** The tier that a gate has reached. */

/**
 * @param {GateResult} gate
 * @param {Theme} theme
 * @returns {string[]} empty if the gate has no tiers, or wasn't measured
 */
function layoutTiers (gate, theme) {
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

/** How far a gate has come between its target, what the reference reached and what this machine can do. */

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
