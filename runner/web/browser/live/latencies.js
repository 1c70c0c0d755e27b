import { formatNumber, html, marks } from '../../../report/browser.js'
import { logPlace, logTicks } from './axes.js'
import { width } from './figure.js'
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
const drawn = rows.slice(0, 3)
const rowHeight = 34

/**
 * How latencies are distributed, over the rounds that count.
 *
 * @param {readonly LatencyResult[]} latencies
 * @param {readonly [string, string]} [servers] what the two are called
 * @returns {Figure[]}
 */
export function latencyFigures (latencies, servers) {
  return latencies.map(({ load, of, baseline, yours }) => ({
    kind: 'latency',
    name: `${load} ${of}`,
    caption: html`<span><strong>${load}</strong>, ${words[of]}</span>${keyHtml(servers ?? ['slow', 'yours'])}`,
    chart: latencySvg(baseline, yours),
    table: html`${tableHtml('Latencies, ms', ['ms', ...servers ?? ['baseline', 'yours']], [
      ...rows.map(([key, name]) => [name, ...[baseline, yours].map((one) => formatNumber(one[key], marks.none))]),
      ['answers', ...[baseline, yours].map(({ count }) => count.toLocaleString('en'))]
    ])}${noteOf([baseline, yours])}`
  }))
}

/**
 * Before and after, one line per percentile, each with its figure.
 *
 * @param {LatencyFigures} slow
 * @param {LatencyFigures} yours
 */
function latencySvg (slow, yours) {
  const known = drawn.filter(([key]) => slow[key] || yours[key])
  const values = known.flatMap(([key]) => [slow[key] || [], yours[key] || []].flat())
  if (values.length === 0) return html``
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const place = logPlace([low, Math.max(high, low * 1.5)], [112, width - 72])
  const bottom = known.length * rowHeight
  const ticks = logTicks(low, high).map((tick) => html`<line class="grid" x1="${place(tick)}" x2="${place(tick)}" y1="0"
y2="${bottom}"/><text class="tick" x="${place(tick)}" y="${bottom + 14}" text-anchor="middle">${
  tick.toLocaleString('en')}</text>`)
  return html`<svg class="chart" viewBox="0 0 ${width} ${bottom + 18}" aria-hidden="true">${ticks}${
    known.map(([key, name], at) => rowSvg(name, (at + 0.5) * rowHeight, [slow[key], yours[key]], place))}</svg>`
}

/** @param {string} name @param {number} y @param {(number | null)[]} both @param {(value: number) => number} place */
function rowSvg (name, y, both, place) {
  const sides = ['slow', 'yours']
  const spots = both.flatMap((value, at) => value ? [{ value, x: place(value), side: sides[at] }] : [])
    .sort((a, b) => a.x - b.x)
  const [left, right] = [spots[0], spots[spots.length - 1]]
  const dots = spots.map((spot) => {
    // Outwards, so that two that lie close don't cover each other.
    const [x, anchor] = spot === left && spots.length > 1 ? [spot.x - 10, 'end'] : [spot.x + 10, 'start']
    return html`<circle class="${spot.side}" cx="${spot.x}" cy="${y}" r="6"/><text class="value ${spot.side}"
x="${x}" y="${y + 4}" text-anchor="${anchor}">${formatNumber(spot.value, marks.none)} ms</text>`
  })
  return html`<text class="tick" x="0" y="${y + 4}">${name}</text>
<line class="pair" x1="${left.x}" x2="${right.x}" y1="${y}" y2="${y}"/>${dots}`
}

/** @param {LatencyFigures[]} both */
function noteOf (both) {
  return both.some(({ p999 }) => p999 === null)
    ? html`<p class="soft">${marks.none} means that there were too few answers to tell:
p99 takes 100, p99.9 a thousand.</p>`
    : ''
}
