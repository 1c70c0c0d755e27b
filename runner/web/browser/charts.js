/**
 * Charts by uPlot, a global: its script comes before this one.
 *
 * @import { Drawn } from './live/figure.js'
 *
 * @typedef {ReturnType<typeof coloursOf>} Colours
 */

/** By their element. @type {Map<HTMLElement, uPlot>} */
const charts = new Map()
const dark = matchMedia('(prefers-color-scheme: dark)')
const height = 150

/** Draws a chart into its element, or moves it on. @param {HTMLElement} element @param {Drawn} drawn */
export function drawChart (element, drawn) {
  const data = dataOf(drawn)
  const former = charts.get(element)
  if (former !== undefined) return former.setData(data)
  const width = element.clientWidth
  if (width === 0) return
  // eslint-disable-next-line new-cap -- its name is that of its package
  charts.set(element, new uPlot({ width, height, ...optionsOf[drawn.kind](coloursOf(element)) }, data, element))
}

/** @param {HTMLElement} element */
function coloursOf (element) {
  const style = getComputedStyle(element)
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim()
  return {
    ink: colour('--soft'),
    line: colour('--line'),
    first: colour('--first'),
    second: colour('--second'),
    band: colour('--band')
  }
}

/** At least six rounds wide, so that the first ones do not jump. @type {uPlot.Scale} */
const roundScale = { time: false, range: (_, low, high) => [low - 0.5, Math.max(high, low + 5) + 0.5] }
/** On this axis each further nine lies as far from the one before: 90 %, 99 %, 99.9 %. */
const percentiles = /** @type {const} */ ({ p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 })
const placeOf = (/** @type {number} */ share) => -Math.log10(1 - share)
const ticks = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999 }

/** @param {Drawn} drawn @returns {uPlot.AlignedData} */
function dataOf ({ kind, values }) {
  if (kind === 'rounds') {
    return [
      values.map(({ number }) => number),
      values.map(({ baseline }) => baseline),
      values.map(({ yours }) => yours)
    ]
  }
  if (kind === 'latency') {
    const names = /** @type {(keyof typeof percentiles)[]} */ (Object.keys(percentiles))
    return [names.map((name) => placeOf(percentiles[name])), ...values.map((one) => names.map((name) => one[name]))]
  }
  return [
    values.map(({ round }) => round),
    values.map(({ interval95, ratio }) => interval95?.[0] ?? ratio),
    values.map(({ interval95, ratio }) => interval95?.[1] ?? ratio),
    values.map(({ ratio }) => ratio),
    values.map(({ target }) => target)
  ]
}

/** @type {Record<Drawn['kind'], (colours: Colours) => Omit<uPlot.Options, 'width' | 'height'>>} */
const optionsOf = {
  rounds: (colours) => ({
    ...common(colours),
    scales: { x: roundScale, y: { range: (_, low, high) => [0, (high || 1) * 1.1] } },
    series: bothServers(colours)
  }),
  latency: (colours) => {
    const { axes: [shares, times], ...rest } = common(colours)
    const splits = Object.values(ticks).map(placeOf)
    return {
      ...rest,
      axes: [
        { ...shares, splits: () => splits, values: () => Object.keys(ticks) },
        { ...times, grid: { ...times.grid, filter: (_, values) => values.map(onlyDecades) } }
      ],
      scales: { x: { time: false, range: [placeOf(0.5) - 0.2, placeOf(0.999) + 0.2] }, y: { distr: 3 } },
      series: bothServers(colours)
    }
  },
  ratio: (colours) => {
    const bound = { stroke: colours.band, width: 1, points: { show: false } }
    const { axes: [rounds, ratios], ...rest } = common(colours)
    return {
      ...rest,
      axes: [rounds, { ...ratios, grid: { show: false } }],
      // A ratio of 2 and one of 1/2 lie equally far from 1.
      scales: { x: roundScale, y: { distr: 3 } },
      bands: [{ series: [2, 1], fill: colours.band }],
      series: [
        {},
        bound,
        bound,
        { stroke: colours.second, width: 2, points: { show: true, size: 6, fill: colours.second } },
        { stroke: colours.ink, width: 2, dash: [2, 4], points: { show: false } }
      ]
    }
  }
}

/** @param {Colours} colours */
function common ({ ink, line }) {
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '12px system-ui' }
  return {
    cursor: { show: false },
    legend: { show: false },
    padding: /** @type {uPlot.Padding} */ ([8, 8, 0, 0]),
    axes: /** @type {[uPlot.Axis, uPlot.Axis]} */ ([
      { ...axis, size: 24, grid: { show: false }, incrs: [1, 2, 5, 10, 20, 50, 100] },
      // A logarithmic axis leaves out some of its figures.
      { ...axis, size: 52, values: (_, ticks) => ticks.map((value) => value?.toLocaleString('en') ?? '') }
    ])
  }
}

/** A line at each power of ten, and none between. */
const onlyDecades = (/** @type {number} */ value) =>
  Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? value : null

/** @param {Colours} colours @returns {uPlot.Series[]} */
function bothServers ({ first, second }) {
  const points = { show: true, size: 6 }
  return [
    {},
    { label: 'baseline', stroke: first, width: 2, dash: [6, 4], points: { ...points, fill: first } },
    { label: 'yours', stroke: second, width: 2, points: { ...points, fill: second } }
  ]
}

/** Charts whose element is gone, or has another width now, are drawn again. @param {() => void} again */
export function followWindow (again) {
  const redraw = () => {
    for (const [element, chart] of charts) {
      chart.destroy()
      charts.delete(element)
    }
    again()
  }
  addEventListener('resize', redraw)
  dark.addEventListener('change', redraw)
}

/** Forgets the charts of what is no longer in the page. */
export function forgetCharts () {
  for (const [element, chart] of charts) {
    if (element.isConnected) continue
    chart.destroy()
    charts.delete(element)
  }
}
