import { onePerProcess, sumOverTime } from './over-time.js'

/**
 * @import { Chart, Charts, Series } from '../pages/chart.js'
 * @import { TimelinePoint } from '../../inside/index.js'
 * @import { Recording, Thread } from './align.js'
 */

/**
 * The charts of a recording. Pure.
 *
 * @param {Recording} recording
 * @param {{ lead: { name: string } }} summary
 * @returns {Charts}
 */
export function chartsOf ({ threads, load, endMs }, { lead }) {
  const processes = onePerProcess(threads)
  return {
    band: [seconds(load.fromMs), seconds(load.toMs)],
    end: seconds(endMs),
    charts: [
      utilisation(threads),
      delay(threads, lead.name),
      processor(processes),
      memory(threads, processes),
      handles(threads),
      collections(threads, lead.name)
    ]
  }
}

/** @param {Thread[]} threads @returns {Chart} */
function utilisation (threads) {
  return {
    title: 'Event loop utilisation, %',
    about: 'The share of the time that the thread spent running something, not waiting for events.',
    unit: '%',
    top: 100,
    steps: true,
    series: threads.map((thread, style) => ({
      style,
      ...ofThread(thread.name, thread, ({ loopBusy }) => loopBusy * 100)
    }))
  }
}

/** @param {Thread[]} threads @param {string} lead whose mean is shown too @returns {Chart} */
function delay (threads, lead) {
  return {
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
}

/** @param {Thread[]} processes @returns {Chart} */
function processor (processes) {
  const several = processes.length > 1
  return {
    title: 'Processor, cores',
    about: `Cores kept busy by all threads${several ? ' of all processes' : ''}, those of the thread pool and of V8 ` +
      'included.',
    unit: 'cores',
    steps: true,
    series: [summed(several ? `${processes.length} processes` : 'process', sumOverTime(processes, ['cpu']), 1)]
  }
}

/** @param {Thread[]} threads @param {Thread[]} processes @returns {Chart} */
function memory (threads, processes) {
  return {
    title: 'Memory, MB',
    about: 'All the memory of the process (RSS), V8’s heap within it, and buffers outside the heap.',
    unit: 'MB',
    series: [
      summed('RSS', sumOverTime(processes, ['rssBytes']), 1e6),
      summed('heap', sumOverTime(threads, ['heapBytes']), 1e6),
      summed('external', sumOverTime(threads, ['externalBytes']), 1e6)
    ]
  }
}

/** @param {Thread[]} threads @returns {Chart} */
function handles (threads) {
  return {
    title: 'Active handles',
    about: 'What keeps the event loop alive: sockets, timers, requests in flight.',
    unit: '',
    series: [summed('handles', sumOverTime(threads, ['handles']), 1)]
  }
}

/** @param {Thread[]} threads @param {string} lead whose collections are shown @returns {Chart} */
function collections (threads, lead) {
  const collected = threads.filter(({ name }) => name === lead).flatMap(({ gcs }) => gcs)
  return {
    title: `Garbage collections of the ${lead}, ms`,
    about: collected.length === 0 ? 'There were none.' : 'Each bar is one collection, as high as it took.',
    unit: 'ms',
    bars: true,
    series: pauses(collected)
  }
}

/** So that each kind looks the same on every page. */
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

/**
 * @param {string} label @param {Thread} thread @param {(point: TimelinePoint) => number} figure
 * @returns {Series}
 */
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
