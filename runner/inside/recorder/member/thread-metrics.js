import { monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import { post } from './session.js'

/**
 * What one thread was doing for a while.
 *
 * @typedef {object} Figures
 * @property {number} wallMs
 * @property {number} delayP99Ms how long the event loop kept a timer waiting, 99th percentile
 * @property {number} delayMaxMs
 * @property {number} gcMs time in garbage collections
 * @property {number} gcs how many
 * @property {number | null} cpuMs CPU time of the whole process; the main thread's only, else null
 * @property {number} heapBytes of V8's heap, after a collection if one was forced
 */

const resolutionMs = 5
/**
 * @type {{ at: number, cpu: NodeJS.CpuUsage, delay: ReturnType<typeof monitorEventLoopDelay>, observer:
 *   PerformanceObserver, gcs: number[] } | undefined}
 */
let started

export function startFigures () {
  /** @type {number[]} */
  const gcs = []
  const observer = new PerformanceObserver((list) => gcs.push(...list.getEntries().map(({ duration }) => duration)))
  observer.observe({ entryTypes: ['gc'] })
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  started = {
    at: performance.now(),
    cpu: process.cpuUsage(),
    delay,
    observer,
    gcs
  }
}

/**
 * @param {{ collect?: boolean }} params collect: force a collection first (default), after which a server is slower for
 *   a while
 * @returns {Promise<Figures>}
 */
export async function stopFigures ({ collect = true }) {
  if (!started) throw new Error('No figures are being taken.')
  const { at, cpu, delay, observer, gcs } = started
  started = undefined
  const wallMs = performance.now() - at
  const used = process.cpuUsage(cpu)
  delay.disable()
  gcs.push(...observer.takeRecords().map(({ duration }) => duration))
  observer.disconnect()
  if (collect) await post('HeapProfiler.collectGarbage')
  return {
    wallMs,
    // The histogram holds the timer's own interval as well.
    delayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - resolutionMs),
    delayMaxMs: delay.count === 0 ? 0 : Math.max(0, delay.max / 1e6 - resolutionMs),
    gcMs: gcs.reduce((sum, ms) => sum + ms, 0),
    gcs: gcs.length,
    cpuMs: isMainThread ? (used.user + used.system) / 1000 : null,
    heapBytes: process.memoryUsage().heapUsed
  }
}
