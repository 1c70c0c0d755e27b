import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { WorkshopError } from '../../shared/errors.js'
import { html, htmlPage, sectionsHtml } from '../../report/index.js'
import { onePerProcess, sumOverTime } from '../trace/over-time.js'
import { browserFile } from './flame-page.js'

/**
 * @import { TimelinePoint } from '../../inside/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { Recording, Thread } from '../trace/over-time.js'
 */

/**
 * @param {object} given
 * @param {string} given.title `Lesson 2, your server`
 * @param {Section[]} given.reading
 * @param {Section[]} given.figures
 * @param {Charts} given.charts
 * @returns {string} HTML
 * @throws {WorkshopError} the chart library isn't installed
 */
export function tracePage ({ title, reading, figures, charts }) {
  return htmlPage({
    title: `${title}: trace`,
    styles: [libraryFile('uPlot.min.css'), browserFile('trace-charts.css')],
    scripts: [libraryFile('uPlot.iife.min.js'), browserFile('trace-charts.js')],
    data: charts,
    body: html`<h1>${title}</h1>
<div class="reading">${sectionsHtml(reading)}</div>
<p class="soft">The load ran in the shaded part, from ${charts.band[0].toFixed(1)} s to ${charts.band[1].toFixed(1)} s.
Point at a chart to read all of them at that time. Drag sideways to look closer, double-click to see all of it again;
a click on a name in a legend hides its line.</p>
<noscript><p>The charts need JavaScript. The figures are below.</p></noscript>
${charts.charts.map(chartHtml)}
<h2>Figures under load</h2>
<div class="figures">
${sectionsHtml(figures, { level: 3 })}
</div>`
  })
}

/** The element that a chart is drawn into. @param {Chart} chart @param {number} at */
function chartHtml ({ title, about }, at) {
  return html`<section class="chart">
<h2 id="chart-title-${at}">${title}</h2>
<p class="soft">${about}</p>
<div data-chart="${at}" role="figure" aria-labelledby="chart-title-${at}"></div>
</section>`
}

/** @param {string} name of a file @returns {string} @throws {WorkshopError} it isn't installed */
function libraryFile (name) {
  try {
    const main = createRequire(import.meta.url).resolve('uplot')
    return fs.readFileSync(path.join(path.dirname(main), name), 'utf8')
  } catch (error) {
    throw new WorkshopError('The chart library uplot is not installed: `npm install` brings it.', { cause: error })
  }
}

/**
 * The charts of a recording. Pure.
 *
 * @typedef {object} Series
 * @property {string} label
 * @property {number[]} x seconds, ascending
 * @property {number[]} y
 * @property {number} [style] number of its colour and dashes, if it must look the same in several charts; default
 *   its place
 *
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} about
 * @property {string} unit
 * @property {number} [top] of the scale, if known
 * @property {boolean} [steps] a value covers the time since the one before
 * @property {boolean} [bars] one upright bar for each value
 * @property {Series[]} series
 *
 * @typedef {object} Charts
 * @property {[number, number]} band shaded, seconds
 * @property {number} end of the time axis, seconds
 * @property {Chart[]} charts
 *
 * @param {Recording} recording
 * @param {{ lead: { name: string } }} summary
 * @returns {Charts}
 */
export function chartsOf ({ threads, load, endMs }, { lead: { name: lead } }) {
  return {
    band: [seconds(load.fromMs), seconds(load.toMs)],
    end: seconds(endMs),
    charts: [...threadCharts(threads, lead), ...processCharts(threads), collectionsChart(threads, lead)]
  }
}

/** @param {Thread[]} threads @param {string} lead whose mean is shown too @returns {Chart[]} */
function threadCharts (threads, lead) {
  return [
    {
      title: 'Event loop utilisation, %',
      about: 'The share of the time that the thread spent running something, not waiting for events.',
      unit: '%',
      top: 100,
      steps: true,
      series: threads.map((thread, style) =>
        ({ style, ...ofThread(thread.name, thread, ({ loopBusy }) => loopBusy * 100) }))
    },
    {
      title: 'Event loop delay, ms',
      about: 'How late a timer fires. A request waits about as long, and longer if its connection is new.',
      unit: 'ms',
      steps: true,
      series: threads.flatMap((thread, style) => [
        { style, ...ofThread(`${thread.name}, largest`, thread, ({ delayMaxMs }) => delayMaxMs) },
        // The means of all threads would be a tangle.
        ...(thread.name === lead
          ? [{ style: threads.length, ...ofThread(`${thread.name}, mean`, thread, ({ delayMs }) => delayMs) }]
          : [])
      ])
    }
  ]
}

/** @param {Thread[]} threads @returns {Chart[]} */
function processCharts (threads) {
  const processes = onePerProcess(threads)
  const several = processes.length > 1
  return [
    {
      title: 'Processor, cores',
      about: `Cores kept busy by all threads${several ? ' of all processes' : ''}, those of the thread pool and of ` +
        'V8 included.',
      unit: 'cores',
      steps: true,
      series: [summed(several ? `${processes.length} processes` : 'process', sumOverTime(processes, ['cpu']), 1)]
    },
    {
      title: 'Memory, MB',
      about: 'All the memory of the process (RSS), V8’s heap within it, and buffers outside the heap.',
      unit: 'MB',
      series: [
        summed('RSS', sumOverTime(processes, ['rssBytes']), 1e6),
        summed('heap', sumOverTime(threads, ['heapBytes']), 1e6),
        summed('external', sumOverTime(threads, ['externalBytes']), 1e6)
      ]
    },
    {
      title: 'Active resources',
      about: 'What keeps the event loop alive: sockets, timers, operations on files. Jobs such as hashes don’t count.',
      unit: '',
      series: [summed('active', sumOverTime(threads, ['handles']), 1)]
    }
  ]
}

/** @param {Thread[]} threads @param {string} lead whose collections are shown @returns {Chart} */
function collectionsChart (threads, lead) {
  const collected = threads.filter(({ name }) => name === lead).flatMap(({ gcs }) => gcs)
  return {
    title: `Garbage collections of the ${lead}, ms`,
    about: collected.length === 0 ? 'There were none.' : 'Each bar is one collection, as high as it took.',
    unit: 'ms',
    bars: true,
    series: pauses(collected)
  }
}

/** In a fixed order, so that each kind looks the same on every page. */
const kinds = ['scavenge', 'mark-compact', 'incremental marking', 'minor mark-sweep', 'weak callbacks', 'other']

/** @param {Thread['gcs']} gcs one series per kind @returns {Series[]} */
function pauses (gcs) {
  return kinds.flatMap((label, style) => {
    const own = gcs.filter(({ kind }) => kind === label).sort((a, b) => a.atMs - b.atMs)
    return own.length === 0
      ? []
      : [{ style, label, x: own.map(({ atMs }) => seconds(atMs)), y: own.map(({ durationMs }) => round(durationMs)) }]
  })
}

/** @param {string} label @param {Thread} thread @param {(point: TimelinePoint) => number} figure @returns {Series} */
function ofThread (label, { points }, figure) {
  return { label, x: points.map(({ atMs }) => seconds(atMs)), y: points.map((point) => round(figure(point))) }
}

/** @param {string} label @param {{ atMs: number, value: number }[]} samples @param {number} unit @returns {Series} */
function summed (label, samples, unit) {
  return { label, x: samples.map(({ atMs }) => seconds(atMs)), y: samples.map(({ value }) => round(value / unit)) }
}

/** @param {number} ms */
function seconds (ms) {
  return Math.round(ms) / 1000
}

/** Four digits are more than a screen shows. @param {number} value */
function round (value) {
  return Number(value.toPrecision(4))
}
