import { monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks'
import { post } from './session.js'

/**
 * One thread over time.
 *
 * @typedef {object} TimelinePoint
 * @property {number} atMs since the timeline was started
 * @property {number} loopBusy event loop utilisation since the point before, 0 to 1
 * @property {number} delayMs mean delay of the event loop since the point before
 * @property {number} delayMaxMs
 * @property {number} cpu cores that the whole process kept busy since the point before
 * @property {number} rssBytes of the whole process
 * @property {number} heapBytes used, of this thread's V8 heap
 * @property {number} externalBytes buffers outside of it
 * @property {number} handles what keeps the loop alive: sockets, timers, requests
 *
 * @typedef {object} Timeline
 * @property {number} startedAt ms since 1970, so that threads can be compared
 * @property {TimelinePoint[]} points
 * @property {{ atMs: number, durationMs: number, kind: string }[]} gcs
 * @property {number} keptBefore bytes of heap and buffers after a full collection at the start
 * @property {number} keptAfter and at the end
 * @property {Record<string, number>} before what kept the loop alive at the start, by kind
 * @property {Record<string, number>} after and at the end
 */

const resolutionMs = 5
const kinds = new Map([
  [1, 'scavenge'],
  [2, 'minor mark-sweep'],
  [4, 'mark-compact'],
  [8, 'incremental marking'],
  [16, 'weak callbacks']
])
/** @type {(() => Omit<Timeline, 'keptAfter'>) | undefined} */
let finish

/** @param {{ everyMs: number }} params a blocked loop takes its points late: atMs says when */
export async function startTimeline ({ everyMs }) {
  finish?.()
  const keptBefore = await kept()
  /** @type {TimelinePoint[]} */
  const points = []
  /** @type {Timeline['gcs']} */
  const gcs = []
  const [startedAt, origin, before] = [Date.now(), performance.now(), resources()]
  // The types don't know the detail of entries of `gc`.
  const note = (/** @type {any[]} */ entries) => {
    for (const { startTime, duration, detail } of entries) {
      gcs.push({ atMs: startTime - origin, durationMs: duration, kind: kinds.get(detail.kind) ?? 'other' })
    }
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let [last, loop, cpu] = [origin, performance.eventLoopUtilization(), process.cpuUsage()]

  const take = (/** @type {number} */ dueMs) => {
    const now = performance.now()
    const [loopNow, cpuNow] = [performance.eventLoopUtilization(), process.cpuUsage()]
    const { rss, heapUsed, external } = process.memoryUsage()
    const [meanMs, maxMs] = delayOf(delay, now - last)
    points.push({
      atMs: now - origin,
      loopBusy: performance.eventLoopUtilization(loopNow, loop).utilization,
      delayMs: meanMs,
      // The histogram leaves out the time between a reset and its next tick; our own timer was kept waiting then.
      delayMaxMs: Math.max(maxMs, now - last - dueMs),
      cpu: (cpuNow.user + cpuNow.system - cpu.user - cpu.system) / 1000 / Math.max(1, now - last),
      rssBytes: rss,
      heapBytes: heapUsed,
      externalBytes: external,
      handles: process.getActiveResourcesInfo().length
    })
    delay.reset()
    ;[last, loop, cpu] = [now, loopNow, cpuNow]
  }
  const timer = setInterval(take, everyMs, everyMs).unref()
  finish = () => {
    finish = undefined
    clearInterval(timer)
    take(Infinity)
    note(observer.takeRecords())
    observer.disconnect()
    delay.disable()
    return { startedAt, points, gcs, before, after: resources(), keptBefore }
  }
}

/** @returns {Promise<Timeline>} */
export async function stopTimeline () {
  if (!finish) throw new Error('No timeline is being taken.')
  // The collection that we force is not the server's: it comes after the timeline.
  return { ...finish(), keptAfter: await kept() }
}

/** What is held, and no garbage. */
async function kept () {
  await post('HeapProfiler.collectGarbage')
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * The histogram holds the timer's own interval as well; where it holds nothing, the loop came by once at most.
 *
 * @param {ReturnType<typeof monitorEventLoopDelay>} delay @param {number} sinceMs
 */
function delayOf (delay, sinceMs) {
  const [mean, max] = delay.count === 0 ? [sinceMs, sinceMs] : [delay.mean / 1e6, delay.max / 1e6]
  return [Math.max(0, mean - resolutionMs), Math.max(0, max - resolutionMs)]
}

function resources () {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
