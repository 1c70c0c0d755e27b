import { chartsOf } from '../../runner/profiling/pages/trace-page.js'
import { numberAt, text, width } from '../drawings/svg.js'

/**
 * A trace as small charts, those of the profile's page, that need no browser to be drawn. Pure.
 *
 * @import { Chart, Series } from '../../runner/profiling/pages/trace-page.js'
 * @import { Recording, Summary } from '../../runner/profiling/trace/over-time.js'
 */

const margin = 12
const inner = width - 2 * margin
const [chartHeight, rowHeight] = [38, 64]
const tones = ['blue', 'red', 'green', 'amber']
/** The least top of each scale, so that noise looks like noise, by how the title of the chart begins. */
const leastTops = { 'Event loop u': 100, 'Event loop d': 50, Processor: 2, Memory: 100, Active: 30, Garbage: 5 }
/** By the first word of the title. @type {Record<string, string>} */
const shorter = { Memory: 'Memory, MB: RSS, and heap below', Garbage: 'Garbage collections, ms' }
const usual = ['Event loop', 'Processor', 'Memory', 'Active']

export const timelineStyles = ['.load{fill:var(--soft);fill-opacity:.13}.axis{stroke:var(--soft);stroke-opacity:.6}']

/**
 * @param {Recording} recording
 * @param {Summary} summary
 * @param {{ charts?: string[], numbered?: boolean }} [look] charts: how their titles begin, in the order to show
 * @returns {{ height: number, pieces: string[] }}
 */
export function timelinePieces (recording, summary, { charts: wanted = usual, numbered = false } = {}) {
  const { charts, band, end } = chartsOf(recording, summary)
  const xOf = (/** @type {number} */ seconds) => round(margin + seconds / end * inner)
  const shown = wanted.flatMap((start) => charts.filter(({ title }) => title.startsWith(start)))
  const foot = 8 + shown.length * rowHeight
  const { requestMs, cores, loadMs, answers } = summary
  const own = `${digits(cores * loadMs / answers)} ms of CPU time`
  const times = requestMs === null ? `${own} per answer` : `A request takes ${digits(requestMs)} ms: ${own}`
  const count = recording.threads.length
  const shaded = `shaded: under load${count > 1 ? `; ${count} threads, a line each` : ''}`
  return {
    height: foot + 34,
    pieces: [
      ...shown.map((chart, at) => chartPieces(chart, { y: 8 + at * rowHeight, band, xOf })),
      ...numbered ? [...shown.keys()].map((at) => numberAt(276, 15 + at * rowHeight, at + 1)) : [],
      text(margin, foot + 6, '0 s', { isSmall: true, tone: 'soft' }),
      text(width - margin, foot + 6, `${end.toFixed(1)} s`, { isSmall: true, tone: 'soft', anchor: 'end' }),
      text(width / 2, foot + 6, shaded, { isSmall: true, tone: 'soft', anchor: 'middle' }),
      text(margin, foot + 25, times, { isSmall: true }),
      numbered ? numberAt(width - 20, foot + 21, shown.length + 1) : ''
    ]
  }
}

/**
 * @param {Chart} chart
 * @param {{ y: number, band: [number, number], xOf: (seconds: number) => number }} place
 */
function chartPieces ({ title, steps, bars, series }, { y, band: [from, to], xOf }) {
  const [, least] = Object.entries(leastTops).find(([start]) => title.startsWith(start)) ?? []
  const lines = series.filter(({ label }) => !/mean$|external/.test(label))
  const top = Math.max(least ?? 0, ...lines.flatMap((line) => line.y))
  const foot = y + 18 + chartHeight
  const yOf = (/** @type {number} */ value) => round(foot - value / top * chartHeight)
  return [
    text(margin, y + 12, shorter[title.split(/[ ,]/)[0]] ?? title, { isSmall: true, isBold: true }),
    text(width - margin, y + 12, `0 to ${digits(top)}`, { isSmall: true, tone: 'soft', anchor: 'end' }),
    `<rect class="load" x="${xOf(from)}" y="${y + 18}" width="${round(xOf(to) - xOf(from))}" height="${chartHeight}"/>`,
    `<path class="axis" d="M${margin},${foot}h${inner}"/>`,
    ...lines.map((line, at) =>
      `<path class="line ${tones[at % tones.length]}" d="${wayOf(line, { steps, bars, xOf, yOf, foot })}"/>`)
  ].join('')
}

/**
 * @param {Series} series
 * @param {Pick<Chart, 'steps' | 'bars'> & { xOf: (x: number) => number, yOf: (y: number) => number, foot: number
 *   }} look steps: a value tells of the time since the one before
 */
function wayOf ({ x, y }, { steps, bars, xOf, yOf, foot }) {
  return x.map((seconds, at) => {
    const [across, up] = [xOf(seconds), yOf(y[at])]
    if (bars) return `M${across},${foot}V${up}`
    if (at === 0) return `M${across},${up}`
    return steps ? `V${up}H${across}` : `L${across},${up}`
  }).join('')
}

/** @param {number} value */
function digits (value) {
  return String(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)))
}

/** @param {number} value */
function round (value) {
  return Number(value.toFixed(1))
}
