import { chartsOf } from '../../runner/profiling/trace/charts.js'
import { text, width } from '../drawings/svg.js'

/**
 * A trace as small charts, those of the profile's page, that need no browser to be drawn. Pure.
 *
 * @import { Chart, Series } from '../../runner/profiling/pages/chart.js'
 * @import { Recording } from '../../runner/profiling/trace/align.js'
 * @import { Summary } from '../../runner/profiling/trace/summarise.js'
 */

const margin = 12
const inner = width - 2 * margin
const [chartHeight, rowHeight] = [38, 64]
const tones = ['blue', 'red', 'green', 'amber']
/** The least top of each scale, so that noise looks like noise; their order is that of the page. */
const leastTops = [100, 50, 2, 30, 30]

export const timelineStyles = ['.load{fill:var(--soft);fill-opacity:.13}.axis{stroke:var(--soft);stroke-opacity:.6}']

/**
 * @param {Recording} recording
 * @param {Summary} summary
 * @returns {{ height: number, pieces: string[] }}
 */
export function timelinePieces (recording, summary) {
  const { charts, band, end } = chartsOf(recording, summary)
  const xOf = (/** @type {number} */ seconds) => round(margin + seconds / end * inner)
  const shown = charts.slice(0, leastTops.length)
  const foot = 8 + shown.length * rowHeight
  const { requestMs, cores, loadMs, answers } = summary
  const own = `${digits(cores * loadMs / answers)} ms of CPU time`
  const times = requestMs === null ? `${own} per answer` : `A request takes ${digits(requestMs)} ms: ${own}`
  const count = recording.threads.length
  const shaded = `shaded: under load${count > 1 ? `; ${count} threads, a line each` : ''}`
  return {
    height: foot + 34,
    pieces: [
      ...shown.map((chart, at) => chartPieces(chart, { y: 8 + at * rowHeight, least: leastTops[at], band, xOf })),
      text(margin, foot + 6, '0 s', { isSmall: true, tone: 'soft' }),
      text(width - margin, foot + 6, `${end.toFixed(1)} s`, { isSmall: true, tone: 'soft', anchor: 'end' }),
      text(width / 2, foot + 6, shaded, { isSmall: true, tone: 'soft', anchor: 'middle' }),
      text(margin, foot + 25, times, { isSmall: true })
    ]
  }
}

/**
 * @param {Chart} chart
 * @param {{ y: number, least: number, band: [number, number], xOf: (seconds: number) => number }} place
 */
function chartPieces ({ title, steps, series }, { y, least, band: [from, to], xOf }) {
  const isMemory = title.startsWith('Memory')
  const lines = series.filter(({ label }) => isMemory ? label === 'heap' : !label.endsWith('mean'))
  const top = Math.max(least, ...lines.flatMap((line) => line.y))
  const foot = y + 18 + chartHeight
  const yOf = (/** @type {number} */ value) => round(foot - value / top * chartHeight)
  return [
    text(margin, y + 12, isMemory ? 'V8’s heap, MB' : title, { isSmall: true, isBold: true }),
    text(width - margin, y + 12, `0 to ${digits(top)}`, { isSmall: true, tone: 'soft', anchor: 'end' }),
    `<rect class="load" x="${xOf(from)}" y="${y + 18}" width="${round(xOf(to) - xOf(from))}" height="${chartHeight}"/>`,
    `<path class="axis" d="M${margin},${foot}h${inner}"/>`,
    ...lines.map((line, at) =>
      `<path class="line ${tones[at % tones.length]}" d="${wayOf(line, { steps, xOf, yOf })}"/>`)
  ].join('')
}

/**
 * @param {Series} series
 * @param {{ steps?: boolean, xOf: (x: number) => number, yOf: (y: number) => number }} scales steps: a value tells of
 *   the time since the one before
 */
function wayOf ({ x, y }, { steps = false, xOf, yOf }) {
  return x.map((seconds, at) => {
    if (at === 0) return `M${xOf(seconds)},${yOf(y[at])}`
    return steps ? `V${yOf(y[at])}H${xOf(seconds)}` : `L${xOf(seconds)},${yOf(y[at])}`
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
