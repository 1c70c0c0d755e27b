import { html } from '../../../report/browser.js'
import { latencyFigures } from './latencies.js'
import { ratioFigures } from './ratios.js'
import { roundFigures } from './rounds.js'

/**
 * @import { GateResult, LatencyResult, RoundResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 *
 * @typedef {object} Measured
 * @property {readonly RoundResult[]} rounds
 * @property {readonly GateResult[]} gates
 * @property {readonly LatencyResult[]} [latencies]
 */

/** What was measured, as figures: each a chart and its table. Pure. @param {Measured} measured @returns {Figure[]} */
export function figuresOf ({ rounds, gates, latencies = [] }) {
  return [...roundFigures(rounds), ...latencyFigures(latencies), ...ratioFigures(gates)]
}

/** @param {Figure} figure with an empty place for the chart */
export function figureHtml ({ kind, name, caption, summary, table }) {
  return html`<figure data-figure="${kind} ${name}"><figcaption>${caption}</figcaption>
<div class="chart" aria-hidden="true"></div>
<details><summary>${summary}</summary><div>${table}</div></details></figure>`
}
