import { plural } from '../shared/format.js'
import { kindOf } from '../judge/index.js'
import { formatNumber, formatTarget, gateColumns, sayMore } from './numbers.js'
import { scaleOf, sparkline } from './section.js'
import { firstFitting, layoutTable, secondaryRow, tableWidth } from './table.js'
import { fits, hanging, padText, styleOf, textWidth, truncateText, wrapParts } from './theme.js'

/**
 * @import { GateResult, RoundResult } from '../judge/index.js'
 * @import { Cell, Row } from './table.js'
 * @import { Theme } from './theme.js'
 */

/**
 * @typedef {object} Shape
 * @property {number} scale columns of the scale, 0 for none
 * @property {boolean} confidence name the confidence in the head
 * @property {number} [name] longest name that stays uncut
 */

const shortestScale = 12
const longestScale = 30

/** A table where the window is wide enough, else gate by gate. @param {GateResult[]} gates @param {Theme} theme */
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

/** The richest table that fits. @param {GateResult[]} gates @param {Theme} theme */
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
  const rows = firstFitting(shapes.map((shape) => () => tableRows(gates, shape, theme)), theme)
  return fits(tableWidth(rows), theme) ? layoutTable(rows, alignment, theme) : null
}

/** @type {('left' | 'right')[]} */
const alignment = ['left', ...gateColumns.map(({ align }) => align), 'left', 'left']

/** @param {GateResult[]} gates @param {Shape} shape @param {Theme} theme @returns {Row[]} */
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

/** @param {GateResult} gate @param {Shape} shape @param {Theme} theme @returns {Row} */
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

/** The names of the two servers of a gate. @param {GateResult} gate */
export function serversOf ({ kind, servers }) {
  return servers ?? kindOf(kind).servers ?? ['baseline', 'yours']
}

/** @param {GateResult} gate @param {Theme} theme @returns {Cell} */
function unitCell (gate, theme) {
  const unit = theme.line(gate.unit)
  return { text: unit === theme.marks.times ? `slowdown, ${unit}` : unit, style: 'secondary' }
}

/** @param {GateResult} gate @param {Shape} shape @param {Theme} theme @returns {Row} */
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

/** @param {GateResult[]} gates @param {Theme} theme */
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

/** @param {GateResult[]} gates @param {Theme} theme */
function notMeasured (gates, theme) {
  const names = gates.filter((gate) => gate.verdict === 'not measured').map((gate) => theme.line(gate.name))
  if (names.length === 0) return []
  return hanging(`${theme.marks['not measured']} `, `not measured: ${names.join(', ')}`, theme)
    .map((line) => theme.paint('secondary', line))
}

/** @param {GateResult} gate @param {Theme} theme */
function noteOf (gate, theme) {
  const says = gate.ratio === null ? '' : kindOf(gate.kind).says ?? ''
  const note = [theme.line(says), theme.line(gate.note), sayMore(gate)].filter((text) => text !== '').join(' ')
  if (note === '') return []
  return hanging('  ', `${theme.line(gate.name)}: ${note}`, theme).map((line) => theme.paint('secondary', line))
}

/** The tier that a gate has reached. @param {GateResult} gate @param {Theme} theme @returns {string[]} */
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

const longestCurve = 24
const longestName = 24

/**
 * The rounds of each load as two small curves on one scale.
 *
 * @param {RoundResult[]} rounds
 * @param {Theme} theme
 * @param {{ figures: boolean }} options figures: end each curve with the last round's requests/s
 * @returns {string[]} for each load a title and two curves
 */
export function layoutRounds (rounds, theme, { figures }) {
  // In the order of their first round.
  const loads = [...new Set(rounds.map(({ load }) => load))]
  return loads.flatMap((load) => layoutLoad(load, rounds.filter((round) => round.load === load), theme, figures))
}

/** @param {string} load @param {RoundResult[]} rounds @param {Theme} theme @param {boolean} figures */
function layoutLoad (load, rounds, theme, figures) {
  const { marks, paint } = theme
  const disturbed = rounds.filter((round) => round.disturbed !== null).length
  const count = plural(rounds.length, 'round') +
    (disturbed === 0 ? '' : `, ${disturbed} disturbed`)
  const name = truncateText(theme.line(load), theme.columns - textWidth(count) - 2, marks.ellipsis)
  const names = (rounds[0].servers ?? ['baseline', 'yours'])
    .map((one) => truncateText(theme.line(one), longestName, marks.ellipsis))
  const width = Math.max(8, ...names.map(textWidth))
  const shown = rounds.slice(-Math.max(1, Math.min(longestCurve, theme.columns - 26 - width)))
  const largest = Math.max(...shown.flatMap((round) => [round.baseline, round.yours]).filter(Number.isFinite), 0)
  const last = shown[shown.length - 1]
  const curve = (/** @type {'baseline' | 'yours'} */ who) => {
    const signs = sparkline(shown.map((round) => round[who]), largest, marks.spark)
    const painted = shown
      .map((round, at) => paint(round.disturbed === null ? undefined : 'inconclusive', signs[at]))
      .join('')
    const figure = figures
      ? `  ${formatNumber(last[who], marks.none)}${paint('secondary', ` ${theme.line(last.unit ?? 'requests/s')}`)}`
      : ''
    const name = names[who === 'baseline' ? 0 : 1]
    return `  ${paint('secondary', padText(name, width))}  ${painted}${figure}`
  }
  return [`${name}  ${paint('secondary', count)}`, curve('baseline'), curve('yours')]
}
