import { formatInterval, formatRatio, formatTarget, html, marks } from '../../../report/browser.js'
import { logPlace, logTicks } from './axes.js'
import { width } from './figure.js'
import { tableHtml } from './table.js'

/**
 * @import { CoursePoint, GateResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 */

const [left, right, bottom] = [56, width - 76, 120]

/**
 * How the ratio of each gate closed in on its target, or moved away from it.
 *
 * @param {readonly GateResult[]} gates
 * @returns {Figure[]} of those that have moved
 */
export function ratioFigures (gates) {
  return gates.filter(({ course = [], verdict }) => course.length > 1 && verdict !== 'dropped').map((gate) => {
    const { name, course = [] } = gate
    return {
      kind: 'ratio',
      name,
      caption: html`<span>Ratio of <strong>${name}</strong> after each round, with its 95 % interval</span>`,
      chart: ratioSvg(gate, course, gate.target ?? 1),
      table: tableHtml('Ratio after each round', ['after round', 'ratio', '95 %'], course.map(({ round, ...point }) =>
        [round, formatRatio({ ...gate, ...point }, marks), formatInterval({ ...gate, ...point }, marks)]))
    }
  })
}

/** @param {GateResult} gate @param {readonly CoursePoint[]} course @param {number} target */
function ratioSvg (gate, course, target) {
  const bounds = course.flatMap(({ ratio, interval95 }) => [ratio, ...interval95 ?? []]).filter((value) => value > 0)
  const [low, high] = [Math.min(target, ...bounds) / 1.2, Math.max(target, ...bounds) * 1.2]
  const place = logPlace([low, high], [bottom, 0])
  const step = (right - left) / course.length
  const unit = gate.ratioUnit === '×' ? marks.times : ''
  const [top, end] = gate.direction === 'at least' ? [0, place(target)] : [place(target), bottom]
  const ticks = logTicks(low, high).map((tick) => html`<line class="grid" x1="${left}" x2="${right}" y1="${place(tick)}"
y2="${place(tick)}"/><text class="tick" x="${left - 8}" y="${place(tick) + 4}" text-anchor="end">${tick}${unit}</text>`)
  const points = course.filter(({ ratio }) => ratio > 0).map(({ round, ratio, interval95 }, at) => {
    const x = (left + (at + 0.5) * step).toFixed(1)
    const [from, to] = (interval95 ?? [ratio, ratio]).map((value) => place(Math.max(value, low)))
    const isWritten = at === 0 || at === course.length - 1 || course.length <= 12
    return html`<line class="interval" x1="${x}" x2="${x}" y1="${from}" y2="${to}"/>
<circle class="yours" cx="${x}" cy="${place(ratio)}" r="4"/>${isWritten
  ? html`<text class="tick" x="${x}" y="${bottom + 15}" text-anchor="middle">${round}</text>`
  : ''}`
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${bottom + 18}" aria-hidden="true">
<rect class="good" x="${left}" y="${top}" width="${right - left}" height="${end - top}"/>${ticks}
<line class="target" x1="${left}" x2="${right}" y1="${place(target)}" y2="${place(target)}"/>
<text class="value target" y="${place(target) - 3}">${sayTarget(gate).map((line, at) =>
  html`<tspan x="${right + 6}" dy="${at * 14}">${line}</tspan>`)}</text>${points}</svg>`
}

/** In two lines, for which there's room. @param {GateResult} gate */
function sayTarget (gate) {
  return gate.target === null ? ['as', 'before'] : ['target', formatTarget(gate, marks)]
}
