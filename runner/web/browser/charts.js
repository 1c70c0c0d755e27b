/* global addEventListener, getComputedStyle, matchMedia, uPlot */

/** By their element. */
const drawn = new Map()
const dark = matchMedia('(prefers-color-scheme: dark)')
const height = 150

/**
 * Draws a chart into its element, or moves it on.
 *
 * @param {HTMLElement} element
 * @param {'rounds' | 'ratio' | 'latency'} kind
 * @param {any[]} values as `figuresOf` gives them
 */
export function drawChart (element, kind, values) {
  const { dataOf, optionsOf } = kinds[kind]
  const data = dataOf(values)
  const former = drawn.get(element)
  if (former !== undefined) return former.setData(data)
  const width = element.clientWidth
  if (width === 0) return
  // eslint-disable-next-line new-cap -- its name is that of its package
  const chart = new uPlot({ width, height, ...optionsOf(coloursOf(element)) }, data, element)
  drawn.set(element, chart)
}

function coloursOf (element) {
  const style = getComputedStyle(element)
  const colour = (name) => style.getPropertyValue(name).trim()
  return {
    ink: colour('--soft'),
    line: colour('--line'),
    first: colour('--first'),
    second: colour('--second'),
    band: colour('--band')
  }
}

/** At least six rounds wide, so that the first ones do not jump. */
const roundScale = { time: false, range: (_, low, high) => [low - 0.5, Math.max(high, low + 5) + 0.5] }
/** On this axis each further nine lies as far from the one before: 90 %, 99 %, 99.9 %. */
const percentiles = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 }
const placeOf = (share) => -Math.log10(1 - share)
const ticks = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999 }

const kinds = {
  rounds: {
    dataOf: (rounds) => [
      rounds.map(({ number }) => number),
      rounds.map(({ baseline }) => baseline),
      rounds.map(({ yours }) => yours)
    ],
    optionsOf: (colours) => ({
      ...common(colours),
      scales: { x: roundScale, y: { range: (_, low, high) => [0, (high || 1) * 1.1] } },
      series: bothServers(colours)
    })
  },
  latency: {
    dataOf: (both) => [
      Object.values(percentiles).map(placeOf),
      ...both.map((figures) => Object.keys(percentiles).map((name) => figures[name]))
    ],
    optionsOf: (colours) => {
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
    }
  },
  ratio: {
    dataOf: (course) => [
      course.map(({ round }) => round),
      course.map(({ interval95, ratio }) => interval95?.[0] ?? ratio),
      course.map(({ interval95, ratio }) => interval95?.[1] ?? ratio),
      course.map(({ ratio }) => ratio),
      course.map(({ target }) => target)
    ],
    optionsOf: ratioOptions
  }
}

function common ({ ink, line }) {
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '12px system-ui' }
  return {
    cursor: { show: false },
    legend: { show: false },
    padding: [8, 8, 0, 0],
    axes: [
      { ...axis, size: 24, grid: { show: false }, incrs: [1, 2, 5, 10, 20, 50, 100] },
      // A logarithmic axis leaves out some of its figures.
      { ...axis, size: 52, values: (_, ticks) => ticks.map((value) => value?.toLocaleString('en') ?? '') }
    ]
  }
}

/** A line at each power of ten, and none between. */
const onlyDecades = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? value : null

function bothServers ({ first, second }) {
  const points = { show: true, size: 6 }
  return [
    {},
    { label: 'baseline', stroke: first, width: 2, dash: [6, 4], points: { ...points, fill: first } },
    { label: 'yours', stroke: second, width: 2, points: { ...points, fill: second } }
  ]
}

function ratioOptions (colours) {
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

/** Charts whose element is gone, or has another width now, are drawn anew. @param {() => void} again */
export function followWindow (again) {
  const redraw = () => {
    for (const [element, chart] of drawn) {
      chart.destroy()
      drawn.delete(element)
    }
    again()
  }
  addEventListener('resize', redraw)
  dark.addEventListener('change', redraw)
}

/** Forgets the charts of what is no longer in the page. */
export function forgetCharts () {
  for (const [element, chart] of drawn) {
    if (element.isConnected) continue
    chart.destroy()
    drawn.delete(element)
  }
}
