'use strict'

/**
 * Runs in the page of a trace, as a classic script after uPlot's: charts one below the other, with one time axis and
 * one cursor. The page's data are `Charts`; each is drawn into the element with its number as `data-chart`.
 *
 * @typedef {import('../trace-page.js').Chart} Chart
 * @typedef {import('../trace-page.js').Charts} Charts
 */

drawCharts()

/** Draws each chart into its place, and again when the page switches between light and dark. */
function drawCharts () {
  /** @type {Charts} */
  const all = JSON.parse(document.getElementById('data')?.textContent ?? '')
  for (const { series } of all.charts) for (const [at, one] of series.entries()) one.style ??= at
  const places = [...document.querySelectorAll('[data-chart]')].filter((place) => place instanceof HTMLElement)
  /** @type {uPlot[]} */
  let plots = []
  const drawAll = () => {
    for (const plot of plots) plot.destroy()
    plots = places.map((place) => drawChart(all.charts[Number(place.dataset.chart)], all, place))
  }
  drawAll()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll)
  new ResizeObserver(() => {
    for (const [at, plot] of plots.entries()) {
      const width = places[at].clientWidth
      if (width > 0 && width !== plot.width) plot.setSize({ width, height: plot.height })
    }
  }).observe(places[0])
}

/** @param {Chart} chart @param {Charts} all @param {HTMLElement} place */
function drawChart (chart, { band, end }, place) {
  // The two ends of the time belong to every chart, so that all have the same axis.
  const data = uPlot.join([[[0, end], [null, null]], ...chart.series.map(({ x, y }) =>
    /** @type {uPlot.AlignedData} */ ([x, y]))])
  data.splice(1, 1)
  // eslint-disable-next-line new-cap -- its name is that of its package
  return new uPlot(
    {
      width: place.clientWidth,
      height: place.clientWidth < 600 ? 150 : 180,
      scales: { x: { time: false }, y: { range: yRange(chart) } },
      cursor: { y: false, sync: { key: 'time' }, hover: { prox: chart.bars ? 12 : null } },
      legend: { markers: { show: false } },
      hooks: { drawClear: [shade(band)], init: [swatches] },
      axes: axes(),
      series: seriesOf(chart)
    },
    data,
    place
  )
}

/** The two axes of a chart: the time, and the values. @returns {uPlot.Axis[]} */
function axes () {
  const style = () => ({
    stroke: css('--soft'),
    grid: { stroke: css('--line'), width: 1 },
    ticks: { stroke: css('--line'), width: 1 },
    font: '12px system-ui, sans-serif'
  })
  return [
    { ...style(), size: 30, values: (_, ticks) => ticks.map((tick) => `${digits(tick)} s`) },
    { ...style(), size: 58, space: 28, values: (_, ticks) => ticks.map((tick) => digits(tick)) }
  ]
}

/** @param {Chart} chart @returns {uPlot.Range.Function} */
function yRange ({ top }) {
  return (_, low, high) => [0, top ?? (Math.max(low, high, 0) * 1.08 || 1)]
}

/** The time first, as the library wants it. @param {Chart} chart */
function seriesOf ({ unit, bars, steps, series }) {
  const time = {
    label: 'at',
    value: (/** @type {any} */ _, /** @type {number | null} */ value) =>
      value == null ? '–' : `${value.toFixed(2)} s`
  }
  return [time, ...series.map(({ label, style = 0 }) => ({
    label,
    style,
    stroke: colourOf(style),
    width: bars ? 3 : 1.75,
    // A canvas counts device pixels.
    dash: dashOf(style).map((length) => length * devicePixelRatio),
    points: { show: false },
    ...(bars ? { paths: barsUp } : steps ? { paths: uPlot.paths.stepped?.({ align: -1 }) } : {}),
    value: (/** @type {any} */ _, /** @type {number | null} */ value) =>
      value == null ? '–' : `${digits(value)} ${unit}`.trim()
  }))]
}

/** One upright bar for each value. @param {any} plot @param {number} at @param {number} from @param {number} to */
function barsUp (plot, at, from, to) {
  const [stroke, xs, ys] = [new Path2D(), plot.data[0], plot.data[at]]
  const bottom = plot.valToPos(0, 'y', true)
  for (let i = from; i <= to; i++) {
    if (ys[i] == null) continue
    const x = plot.valToPos(xs[i], 'x', true)
    stroke.moveTo(x, bottom)
    stroke.lineTo(x, plot.valToPos(ys[i], 'y', true))
  }
  return { stroke, fill: null, clip: null, band: null, gaps: null, flags: 0 }
}

/** @param {[number, number]} band */
function shade ([start, end]) {
  return (/** @type {any} */ { ctx, bbox, valToPos }) => {
    const left = Math.max(bbox.left, valToPos(start, 'x', true))
    const right = Math.min(bbox.left + bbox.width, valToPos(end, 'x', true))
    ctx.fillStyle = css('--band')
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
}

/** A sample of each line next to its name. @param {any} plot */
function swatches ({ root, series }) {
  for (const [at, row] of [...root.querySelectorAll('.u-legend .u-series')].entries()) {
    if (at === 0) continue
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    line.setAttribute('class', 'swatch')
    line.setAttribute('viewBox', '0 0 30 10')
    line.setAttribute('aria-hidden', 'true')
    line.innerHTML = `<path d="M0 5H30" fill="none" stroke-width="2.5" stroke="${colourOf(series[at].style)}" ` +
      `stroke-dasharray="${dashOf(series[at].style).join(' ')}"/>`
    row.querySelector('th').prepend(line)
  }
}

/** @param {number} style */
function colourOf (style) {
  // Okabe and Ito (2008): distinct for every kind of colour vision; those that are clear on this background. The
  // dashes differ, too.
  const colours = matchMedia('(prefers-color-scheme: dark)').matches
    ? ['#56B4E9', '#E69F00', '#009E73', '#CC79A7', '#F0E442']
    : ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#1b1f24']
  return colours[style % 5]
}

/** From the sixth on, the colours repeat with other dashes. @param {number} style */
function dashOf (style) {
  return [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4]][(style + Math.floor(style / 5)) % 5]
}

/** @param {string} name of a custom property */
function css (name) {
  return getComputedStyle(document.body).getPropertyValue(name)
}

/** @param {number} value */
function digits (value) {
  return String(Number(value.toPrecision(3)))
}
