import { escapeHtml } from '../../../report/browser.js'
import { latencyFigures } from './latencies.js'
import { ratioFigures } from './ratios.js'
import { roundFigures } from './rounds.js'

/**
 * @import { GateResult, LatencyResult, RoundResult } from '../../../judge/index.js'
 *
 * @typedef {object} Measured
 * @property {readonly RoundResult[]} rounds
 * @property {readonly GateResult[]} gates
 * @property {readonly LatencyResult[]} [latencies]
 *
 * @typedef {object} Figure
 * @property {'rounds' | 'ratio' | 'latency'} kind of its chart
 * @property {string} name of what it shows; together with the kind there is one
 * @property {string} caption HTML
 * @property {string} summary of the table
 * @property {string} table HTML
 * @property {unknown} values for the chart
 */

/** What was measured, as figures: each a chart and its table. Pure. @param {Measured} measured @returns {Figure[]} */
export function figuresOf ({ rounds, gates, latencies = [] }) {
  return [...roundFigures(rounds), ...latencyFigures(latencies), ...ratioFigures(gates)]
}

/** @param {Figure} figure @returns {string} HTML with an empty place for the chart */
export function figureHtml ({ kind, name, caption, summary, table }) {
  return `<figure data-figure="${escapeHtml(`${kind} ${name}`)}"><figcaption>${caption}</figcaption>
<div class="chart" aria-hidden="true"></div>
<details><summary>${escapeHtml(summary)}</summary><div>${table}</div></details></figure>`
}
