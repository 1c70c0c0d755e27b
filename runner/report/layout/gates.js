/** The table of gates: side by side where the window is wide enough, else gate by gate. */
import { kindOf } from '../../judge/index.js'
import { gateColumns } from './gate-columns.js'
import { formatCount } from './numbers.js'
import { scaleOf } from './scale.js'
import { layoutTable, secondaryRow, tableWidth } from './table.js'
import { padText, textWidth, truncateText, wrapParts, wrapText } from './text.js'
import { fits, styleOf } from './theme.js'
import { layoutTiers } from './tiers.js'

/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Cell, Row } from './table.js'
 * @import { Theme } from './theme.js'
 *
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
