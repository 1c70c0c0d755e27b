import { html } from '../../../report/browser.js'
import { latencyFigures } from './latencies.js'
import { ratioFigures } from './ratios.js'
import { roundFigures } from './rounds.js'
import { waterfallFigures } from './waterfall.js'

/**
 * @import { GateResult, LatencyResult, RoundResult, WaterfallResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 *
 * @typedef {object} Measured
 * @property {readonly RoundResult[]} rounds
 * @property {readonly GateResult[]} gates
 * @property {readonly LatencyResult[]} [latencies]
 * @property {WaterfallResult | null} [waterfall]
 */

/** What was measured, as figures: what the first gate is about comes first. Pure. @param {Measured} measured */
export function figuresOf ({ rounds, gates, latencies = [] }) {
  const isFirst = (/** @type {LatencyResult} */ { of }) => (of === 'answers') !== (gates[0]?.kind === 'latency')
  const sorted = latencies.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
  return [...latencyFigures(sorted, rounds[0]?.servers), ...roundFigures(rounds), ...ratioFigures(gates)]
}

/**
 * One chart and the waterfall, if there is one, and behind a switch the others and all tables.
 *
 * @param {Measured} measured
 */
export function chartsHtml (measured) {
  const figures = figuresOf(measured)
  const waterfall = waterfallFigures(measured.waterfall)
  if (figures.length === 0) return html``
  const [first, ...others] = figures
  const tables = [...figures, ...waterfall].map(({ caption, table }) => html`<p class="caption">${caption}</p>${table}`)
  return html`${[first, ...waterfall].map(figureHtml)}<details><summary>All measurements</summary>${
    others.map(figureHtml)}<details><summary>As tables</summary>${tables}</details></details>`
}

/** @param {Pick<Measured, 'waterfall'>} measured */
export function waterfallHtml ({ waterfall }) {
  return waterfallFigures(waterfall).map((figure) => html`<div class="charts">${figureHtml(figure)}
<details><summary>As a table</summary>${figure.table}</details></div>`)
}

/** Without tables: redrawing during a job would close them. @param {Measured} measured */
export function liveChartsHtml (measured) {
  return html`${figuresOf(measured).map(figureHtml)}`
}

/** @param {Figure} figure */
function figureHtml ({ kind, name, caption, chart }) {
  return html`<figure data-figure="${kind} ${name}"><figcaption>${caption}</figcaption>${chart}</figure>`
}
