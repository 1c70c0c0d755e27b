import { formatNumber, html, marks } from '../../../report/browser.js'
import { keyHtml, tableHtml } from './table.js'

/**
 * @import { LatencyFigures, LatencyResult } from '../../../judge/index.js'
 * @import { Figure } from './figure.js'
 */

/** @type {Record<LatencyResult['of'], string>} */
const words = {
  answers: 'latency of its answers, ms',
  accepted: 'latency of the accepted answers, each from the moment it was due, ms',
  probes: 'latency of the probe’s requests, each from the moment it was due, ms'
}

/** @type {['p50' | 'p90' | 'p99' | 'p999' | 'max', string][]} */
const rows = [['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99'], ['p999', 'p99.9'], ['max', 'largest']]

/**
 * How latencies are distributed, over the rounds that count.
 *
 * @param {readonly LatencyResult[]} latencies
 * @returns {Figure[]}
 */
export function latencyFigures (latencies) {
  return latencies.map(({ load, of, baseline, yours }) => ({
    kind: 'latency',
    name: `${load} ${of}`,
    caption: html`<span><strong>${load}</strong>, ${words[of]}</span>${keyHtml(['baseline', 'yours'])}`,
    summary: `These latencies of ${load} as a table`,
    table: html`${tableHtml('Latencies, ms', ['ms', 'baseline', 'yours'], [
      ...rows.map(([key, name]) => [name, ...[baseline, yours].map((one) => formatNumber(one[key], marks.none))]),
      ['answers', ...[baseline, yours].map(({ count }) => count.toLocaleString('en'))]
    ])}${noteOf([baseline, yours])}`,
    values: [baseline, yours]
  }))
}

/** @param {LatencyFigures[]} both */
function noteOf (both) {
  return both.some(({ p999 }) => p999 === null)
    ? html`<p class="soft">${marks.none} means that there were too few answers to tell:
p99 takes 100, p99.9 a thousand.</p>`
    : ''
}
