import { formatNumber, html, marks, tableHtml } from '../../report/index.js'

/**
 * @import { LatencyFigures, LatencyResult, ResultRecord, RoundResult } from '../../judge/index.js'
 * @import { WaterfallBar, WaterfallResult } from '../../judge/index.js'
 * @import { Html } from '../../report/index.js'
 *
 * @typedef {Pick<ResultRecord, 'rounds' | 'gates'> & Partial<Pick<ResultRecord, 'latencies' | 'waterfall'>>} Measured
 */

/**
 * A chart of what the first gate is about, and the waterfall; behind a switch the other latencies and all tables.
 *
 * @param {Measured} measured
 */
export function chartsHtml ({ rounds, gates, latencies = [], waterfall }) {
  const isFirst = (/** @type {LatencyResult} */ { of }) => (of === 'answers') !== (gates[0]?.kind === 'latency')
  const sorted = latencies.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
  const [first, ...others] = latencyFigures(sorted, rounds[0]?.servers)
  const shown = [...first ? [first] : [], ...waterfallFigures(waterfall)]
  if (shown.length === 0 && rounds.length === 0) return html``
  const tables = [...shown, ...others].map(({ caption, table }) => html`<p class="caption">${caption}</p>${table}`)
  return html`${shown.map(figureHtml)}<details><summary>All measurements</summary>${others.map(figureHtml)}${tables}${
    roundsHtml(rounds)}</details>`
}

/** @param {Pick<Measured, 'waterfall'>} measured */
export function waterfallHtml ({ waterfall }) {
  return waterfallFigures(waterfall).map((figure) => html`<div class="charts">${figureHtml(figure)}
<details><summary>As a table</summary>${figure.table}</details></div>`)
}

/** @param {Figure} figure */
function figureHtml ({ kind, name, caption, chart }) {
  return html`<figure data-figure="${kind} ${name}"><figcaption>${caption}</figcaption>${chart}</figure>`
}

/**
 * Where values lie in a drawing, and which of them are written at an axis. Pure.
 *
 * @typedef {(value: number) => number} Place of a value, in units of the drawing
 */

/**
 * @param {[number, number]} values the least and the largest, above 0
 * @param {[number, number]} room from and to
 * @returns {Place} on a logarithmic axis: 2 and 1/2 lie equally far from 1
 */
export function logPlace ([low, high], [from, to]) {
  const [start, span] = [Math.log(low), Math.log(high) - Math.log(low) || 1]
  return (value) => round(from + (Math.log(value) - start) / span * (to - from))
}

/** @param {number} high @param {[number, number]} room @returns {Place} on an axis that begins at 0 */
function linearPlace (high, [from, to]) {
  return (value) => round(from + value / (high || 1) * (to - from))
}

/** @param {number} low above 0 @param {number} high @returns {number[]} round figures, at most six or powers of ten */
export function logTicks (low, high) {
  const digits = high / low < 5 ? [1, 1.5, 2, 3, 4, 5, 7] : [1, 2, 5]
  const ticks = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    ticks.push(...digits.map((digit) => Number(`${digit}e${power}`)))
  }
  const inside = ticks.filter((tick) => tick >= low && tick <= high)
  return inside.length <= 6 ? inside : inside.filter((tick) => Number.isInteger(Math.log10(tick)))
}

/** @param {number} high above 0 @returns {number[]} round figures from 0 on, at most five */
export function linearTicks (high) {
  const power = 10 ** Math.floor(Math.log10(high || 1))
  const step = [0.2, 0.25, 0.5, 1, 2].map((share) => share * power).find((step) => high / step < 5) ?? power
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, at) => Number((at * step).toPrecision(3)))
}

/** @param {number} value */
function round (value) {
  return Math.round(value * 10) / 10
}

/**
 * @typedef {object} Figure what was measured, as a chart and as a table
 * @property {'latency' | 'waterfall'} kind
 * @property {string} name of what it shows; unique together with the kind
 * @property {Html} caption
 * @property {Html} chart SVG
 * @property {Html} table
 */

/** The width of every chart, in its own units. */
export const width = 440

/** How the two servers of a chart are told apart. @param {readonly [string, string]} servers */
function keyHtml ([first, second]) {
  return html`<span class="key"><span class="slow">${first}</span>
<span class="yours">${second}</span></span>`
}

/** @type {Record<LatencyResult['of'], string>} */
const words = {
  answers: 'latency of its answers, ms',
  accepted: 'latency of the accepted answers, each from the moment it was due, ms',
  probes: 'latency of the probe’s requests, each from the moment it was due, ms'
}

/** @type {['p50' | 'p90' | 'p99' | 'p999' | 'max', string][]} */
const rows = [['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99'], ['p999', 'p99.9'], ['max', 'largest']]
/** How many of them are drawn. */
const mostDrawn = 3

/**
 * How latencies are distributed, over the rounds that count.
 *
 * @param {readonly LatencyResult[]} latencies
 * @param {readonly [string, string]} [servers] what the two are called
 * @returns {Figure[]}
 */
function latencyFigures (latencies, servers) {
  return latencies.map(({ load, of, baseline, yours }) => ({
    kind: 'latency',
    name: `${load} ${of}`,
    caption: html`<span><strong>${load}</strong>, ${words[of]}</span>${keyHtml(servers ?? ['slow', 'yours'])}`,
    chart: pairsSvg(rows.slice(0, mostDrawn).map(([key, name]) =>
      ({ name, baseline: baseline[key] || null, yours: yours[key] || null }))),
    table: html`${tableHtml('Latencies, ms', {
      columns: ['ms', ...(servers ?? ['baseline', 'yours']).map((name) => `#${name}`)],
      rows: [
        ...rows.map(([key, name]) => [name, ...[baseline, yours].map((one) => formatNumber(one[key], marks.none))]),
        ['answers', ...[baseline, yours].map(({ count }) => count.toLocaleString('en'))]
      ]
    })}${noteOf([baseline, yours])}`
  }))
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

const [left, bottom] = [56, 120]

/**
 * Latencies of both servers as dots on a logarithmic axis, one pair next to the other, each with its figure.
 *
 * @param {{ name: string, baseline: number | null, yours: number | null }[]} pairs ms; null: not known
 */
function pairsSvg (pairs) {
  const values = pairs.flatMap(({ baseline, yours }) => [baseline ?? [], yours ?? []].flat())
  if (values.length === 0) return html``
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const place = logPlace([low, Math.max(high, low * 1.5)], [bottom - 6, 6])
  const ticks = logTicks(low, high).map((tick) => html`<line class="grid" x1="${left}" x2="${width}" y1="${
    place(tick)}" y2="${place(tick)}"/><text class="tick" x="${left - 8}" y="${place(tick) + 4}" text-anchor="end">${
    tick.toLocaleString('en')}</text>`)
  const columns = pairs.map(({ name, baseline, yours }, at) => {
    const x = round(left + (at + 0.5) * (width - left) / pairs.length)
    const [from, to] = [baseline ?? yours, yours ?? baseline].map((value) => place(value ?? low))
    const dot = (/** @type {string} */ side, /** @type {number | null} */ value) => {
      if (value === null) return ''
      // A figure is on the side of its server: two that lie close don't cover each other.
      const [end, anchor] = side === 'slow' ? [x - 8, 'end'] : [x + 8, 'start']
      return html`<circle class="${side}" cx="${x}" cy="${place(value)}" r="4"/><text class="value ${side}" x="${
        end}" y="${place(value) + 4}" text-anchor="${anchor}">${formatNumber(value, marks.none)} ms</text>`
    }
    return html`<text class="tick" x="${x}" y="${bottom + 15}" text-anchor="middle">${name}</text>
<line class="pair" x1="${x}" x2="${x}" y1="${from}" y2="${to}"/>${dot('slow', baseline)}${dot('yours', yours)}`
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${bottom + 18}" aria-hidden="true">${ticks}${columns}</svg>`
}

/** The upstream calls of one request as bars on one scale. Pure. */

const [callsLeft, callsRight] = [156, width - 40]
const [callHeight, gap] = [18, 8]
const longestName = 20

/** Those of both servers, one above the other. @param {WaterfallResult | null} [waterfall] @returns {Figure[]} */
export function waterfallFigures (waterfall) {
  if (!waterfall) return []
  const rows = [
    ...waterfall.baseline.map((bar) => ({ side: 'slow', ...bar })),
    ...waterfall.yours.map((bar) => ({ side: 'yours', ...bar }))
  ]
  return [{
    kind: 'waterfall',
    name: 'calls',
    caption: html`<span><strong>Waterfall</strong>: the upstream calls of one request, ms</span>${
      keyHtml(['slow', 'yours'])}`,
    chart: barsSvg(rows),
    table: tableHtml('Upstream calls of one request, ms', {
      columns: ['call', 'server', '#begins', '#ends'],
      rows: rows.map(({ path, side, startMs, endMs }) => [path, side, ms(startMs), ms(endMs)])
    })
  }]
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
