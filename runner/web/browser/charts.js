/* global addEventListener, getComputedStyle, matchMedia, uPlot */

const drawn = new Map()
const dark = matchMedia('(prefers-color-scheme: dark)')
const height = 150

/**
 * Draws the rounds of each load into its figure, or moves its chart on.
 *
 * @param {HTMLElement} place with figures of `roundsHtml`
 * @param {Map<string, any[]>} loads rounds by load
 */
export function drawRounds (place, loads) {
  for (const figure of place.querySelectorAll('figure[data-load]')) {
    const rounds = loads.get(figure.dataset.load) ?? []
    draw(figure.querySelector('.chart'), [
      rounds.map(({ number }) => number),
      rounds.map(({ baseline }) => baseline),
      rounds.map(({ yours }) => yours)
    ], roundsOptions)
  }
}

/**
 * The ratio of one gate after each round, with its interval of 95 % closing in on the target or away from it.
 *
 * @param {HTMLElement} chart
 * @param {any[]} standings of one gate, in the order of the rounds
 */
export function drawRatio (chart, standings) {
  draw(chart, [
    standings.map((_, at) => at + 1),
    standings.map(({ interval95, ratio }) => interval95?.[0] ?? ratio),
    standings.map(({ interval95, ratio }) => interval95?.[1] ?? ratio),
    standings.map(({ ratio }) => ratio),
    standings.map(({ target }) => target)
  ], ratioOptions)
}

function draw (element, data, optionsOf) {
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

function roundsOptions (colours) {
  const points = { show: true, size: 6 }
  return {
    ...common(colours),
    scales: { x: roundScale, y: { range: (_, low, high) => [0, (high || 1) * 1.1] } },
    series: [
      {},
      { label: 'baseline', stroke: colours.first, width: 2, dash: [6, 4], points: { ...points, fill: colours.first } },
      { label: 'yours', stroke: colours.second, width: 2, points: { ...points, fill: colours.second } }
    ]
  }
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
