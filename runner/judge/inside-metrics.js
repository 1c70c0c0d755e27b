import { percent } from '../format.js'

/**
 * What is sampled of each server in addition to the verdict, and how it is worded. Pure.
 *
 * @typedef {object} Sample what one server was doing for a moment under load, apart from the rounds
 * @property {number | null} cpuPerRequestMs CPU time of all its processes for one answer
 * @property {number} loopBusy share of its time in which the thread that serves most was busy, from its profile, 0 to 1
 * @property {number} loopDelayMs 99th percentile of its event loop's delay
 * @property {number} gcShare share of its time in garbage collections, 0 to 1
 * @property {number} heapBytes of V8's heap after the load and a collection, all threads
 * @property {number | null} cores that all its processes kept busy
 * @property {number | null} listeners of the emitter with the most, where the lesson names them
 * @property {number | null} upstreamCalls for one answer, where there is an upstream
 * @property {{ name: string, owner: string, share: number }[]} functions of the thread that serves most: share of its
 *   time, with what they called
 * @property {string | null} place to look at now, a sentence
 *
 * @typedef {'cpuPerRequest' | 'loopBusy' | 'loopDelay' | 'gcShare' | 'heap' | 'cores' | 'listeners' | 'upstreamCalls' |
 *   'function'} FigureName
 *
 * @typedef {object} Figure
 * @property {string} label
 * @property {(sample: Sample, of: readonly string[]) => number | null} read of: names of functions, for `function`
 * @property {(value: number) => string} show
 */

/** @type {Record<FigureName, Figure>} */
export const figures = {
  cpuPerRequest: {
    label: 'CPU time for one answer',
    read: (sample) => sample.cpuPerRequestMs,
    show: (ms) => `${Number(ms.toPrecision(3))} ms`
  },
  loopBusy: { label: 'serving thread busy', read: (sample) => sample.loopBusy, show: percent },
  loopDelay: {
    label: 'event loop delay (99 %)',
    read: (sample) => sample.loopDelayMs,
    show: (ms) => `${Number(ms.toPrecision(2))} ms`
  },
  gcShare: { label: 'garbage collection', read: (sample) => sample.gcShare, show: percent },
  heap: {
    label: 'heap after the load',
    read: (sample) => sample.heapBytes,
    show: (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  },
  cores: { label: 'cores busy', read: (sample) => sample.cores, show: (cores) => cores.toFixed(1) },
  listeners: { label: 'listeners for one event', read: (sample) => sample.listeners, show: String },
  upstreamCalls: {
    label: 'upstream calls for one answer',
    read: (sample) => sample.upstreamCalls,
    show: (calls) => String(Number(calls.toPrecision(2)))
  },
  function: { label: 'of the main thread’s time', read: shareOf, show: percent }
}

/** @param {Sample} sample @param {readonly string[]} names */
function shareOf ({ functions }, names) {
  // One may call another: the largest, not the sum.
  return Math.max(0, ...functions.filter(({ name }) => names.includes(name)).map(({ share }) => share))
}
