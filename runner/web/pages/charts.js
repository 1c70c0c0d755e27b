import { formatNumber, html, marks, tableHtml } from '../../report/index.js'

/**
 * @import { LatencyFigures, LatencyResult, ResultRecord, RoundResult } from '../../judge/index.js'
 * @import { WaterfallBar, WaterfallResult } from '../../judge/index.js'
 * @import { Html } from '../../report/index.js'
 *
 * @typedef {Pick<ResultRecord, 'rounds' | 'gates'> & Partial<Pick<ResultRecord, 'latencies' | 'waterfall'>>} Measured
 */

/**
 * The latencies that the first gate is about, and the waterfall; behind a switch the other latencies and the rounds.
 *
 * @param {Measured} measured
 */
export function chartsHtml ({ rounds, gates, latencies = [], waterfall }) {
  const isFirst = (/** @type {LatencyResult} */ { of }) => (of === 'answers') !== (gates[0]?.kind === 'latency')
  const [first, ...others] = latencies.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    .map((latency) => latencyHtml(latency, rounds[0]?.servers))
  if (first === undefined && !waterfall && rounds.length === 0) return html``
  return html`${first ?? ''}${waterfallHtml({ waterfall })}<details><summary>All measurements</summary>${others}${
    roundsHtml(rounds)}</details>`
}

/** @param {number} high @param {[number, number]} room from and to @returns {(value: number) => number} from 0 on */
function linearPlace (high, [from, to]) {
  return (value) => Math.round((from + value / (high || 1) * (to - from)) * 10) / 10
}

/** @param {number} high above 0 @returns {number[]} round figures from 0 on, at most five */
export function linearTicks (high) {
  const power = 10 ** Math.floor(Math.log10(high || 1))
  const step = [0.2, 0.25, 0.5, 1, 2].map((share) => share * power).find((step) => high / step < 5) ?? power
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, at) => Number((at * step).toPrecision(3)))
}

/** The width of every chart, in its own units. */
const width = 440

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
 * @param {LatencyResult} latency
 * @param {readonly [string, string]} [servers] what the two are called
 */
function latencyHtml ({ load, of, baseline, yours }, servers = ['slow', 'yours']) {
  const both = [baseline, yours]
  const table = tableHtml('Latencies, ms', {
    columns: ['ms', ...servers.map((name) => `#${name}`)],
    rows: [
      ...rows.map(([key, name]) => [name, ...both.map((one) => formatNumber(one[key], marks.none))]),
      ['answers', ...both.map(({ count }) => count.toLocaleString('en'))]
    ]
  })
  return html`<p class="caption"><span><strong>${load}</strong>, ${words[of]}</span></p>${table}${noteOf(both)}`
}

/** @param {LatencyFigures[]} both */
function noteOf (both) {
  return both.some(({ p999 }) => p999 === null)
    ? html`<p class="soft">${marks.none} means that there were too few answers to tell:
p99 takes 100, p99.9 a thousand.</p>`
    : ''
}

/** The rounds as a table. @param {readonly RoundResult[]} rounds */
function roundsHtml (rounds) {
  if (rounds.length === 0) return ''
  const servers = rounds[0].servers ?? ['slow', 'yours']
  return tableHtml('Rounds', {
    columns: ['load', 'round', ...servers.map((name) => `#${name}`), '#ratio', 'remark'],
    rows: rounds.map(({ load, number, baseline, yours, disturbed, unit = 'requests/s' }) => {
      const [first, second, ratio] = [baseline, yours, yours / baseline].map((value) => formatNumber(value, marks.none))
      const shown = ratio === marks.none ? ratio : `${ratio}${marks.times}`
      return [`${load}, ${unit}`, String(number), first, second, shown, disturbed ?? '']
    })
  })
}

/** The upstream calls of one request as bars on one scale. Pure. */

const [callsLeft, callsRight] = [156, width - 40]
const [callHeight, gap] = [18, 8]
const longestName = 20

/** Those of both servers, one above the other. @param {Pick<Measured, 'waterfall'>} measured */
export function waterfallHtml ({ waterfall }) {
  if (!waterfall) return ''
  const rows = [
    ...waterfall.baseline.map((bar) => ({ side: 'slow', ...bar })),
    ...waterfall.yours.map((bar) => ({ side: 'yours', ...bar }))
  ]
  return html`<figure><figcaption><span><strong>Waterfall</strong>: the upstream calls of one request, ms</span>
<span class="key"><span class="slow">slow</span> <span class="yours">yours</span></span></figcaption>
${barsSvg(rows)}</figure>
<details><summary>As a table</summary>${tableHtml('Upstream calls of one request, ms', {
  columns: ['call', 'server', '#begins', '#ends'],
  rows: rows.map(({ path, side, startMs, endMs }) => [path, side, ms(startMs), ms(endMs)])
})}</details>`
}

/** @param {(WaterfallBar & { side: string })[]} rows */
function barsSvg (rows) {
  const wholeMs = Math.max(...rows.map(({ startMs, endMs }) => endMs ?? startMs), 1)
  const place = linearPlace(wholeMs, [callsLeft, callsRight])
  const top = (/** @type {number} */ at) => at * callHeight + (rows[at].side === rows[0].side ? 0 : gap)
  const bottom = top(rows.length - 1) + callHeight
  const ticks = linearTicks(wholeMs).map((tick) => html`<line class="grid" x1="${place(tick)}" x2="${place(tick)}"
y1="0" y2="${bottom}"/><text class="tick" x="${place(tick)}" y="${bottom + 14}" text-anchor="middle">${
  tick.toLocaleString('en')}</text>`)
  const bars = rows.map(({ path, startMs, endMs, side }, at) => {
    const [x, end, y] = [place(startMs), place(endMs ?? wholeMs), top(at)]
    return html`<text class="tick" x="0" y="${y + 13}">${shortName(path)}</text><rect class="${side}${
      endMs === null ? ' hollow' : ''}" x="${x}" y="${y + 3}" width="${Math.max(end - x, 2).toFixed(1)}" height="${
      callHeight - 6}" rx="2"/><text class="tick" x="${end + 5}" y="${y + 13}">${
      ms(endMs && endMs - startMs)}</text>`
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${bottom + 18}" aria-hidden="true">${ticks}${bars}</svg>`
}

const [barLeft, barHeight, barStep] = [56, 20, 30]
/** What a figure needs behind its bar. */
const barRight = 130

/**
 * Two figures as bars, one below the other, each as long as its figure.
 *
 * @param {{ name: string, side: 'slow' | 'yours', value: number, text: string }[]} bars
 */
export function pairBarsSvg (bars) {
  const most = Math.max(...bars.map(({ value }) => value))
  const rows = bars.map(({ name, side, value, text }, at) => {
    const [y, length] = [at * barStep, Math.max(3, value / (most || 1) * (width - barLeft - barRight))]
    return html`<text x="0" y="${y + 15}">${name}</text>
<rect class="${side}" x="${barLeft}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="3"/>
<text class="value" x="${(barLeft + length + 8).toFixed(1)}" y="${y + 15}">${text}</text>`
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${bars.length * barStep}" role="img" aria-label="${
    bars.map(({ name, text }) => `${name} ${text}`).join(', ')}">${rows}</svg>`
}

/** The blocks of a terminal as a curve. @param {string} blocks from ▁ to █ */
export function sparkSvg (blocks) {
  const heights = [...blocks].map((block) => '▁▂▃▄▅▆▇█'.indexOf(block))
  const points = heights.map((height, at) => `${at * 100 / (heights.length - 1)},${15 - height * 2}`)
  return html`<svg class="spark" viewBox="0 0 100 16" preserveAspectRatio="none" role="img" aria-label="over time">
<polyline points="${points.join(' ')}"/></svg>`
}

/** @param {string} path of an upstream call */
function shortName (path) {
  const [name] = path.split('?')
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}

/** @param {number | null} value */
function ms (value) {
  return value === null ? marks.none : formatNumber(value, marks.none, 2)
}
