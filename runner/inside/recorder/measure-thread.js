import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks'
import { writeHeapSnapshot } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/** @type {Session | undefined} */
let session

/**
 * One inspector session of this thread with itself, opened when it is first needed: it opens no port.
 *
 * @param {string} method @param {object} [params]
 * @returns {Promise<any>}
 */
async function post (method, params) {
  if (!session) {
    session = new Session()
    session.connect()
  }
  return await /** @type {any} */ (session).post(method, params)
}

let startedAt = 0
let markedAt = 0

/**
 * Begins a profile. Begin before the warm-up, and mark where it ends: V8 does not tell a profile that is begun later of
 * all code that was compiled before (loops that it has replaced while they ran), and charges their time to the caller.
 *
 * @param {{ intervalUs: number }} params time between two samples, µs
 */
export async function startCpu ({ intervalUs }) {
  await post('Profiler.enable')
  await post('Profiler.setSamplingInterval', { interval: intervalUs })
  await post('Profiler.start')
  startedAt = markedAt = performance.now()
}

/** Samples from before don't count. */
export function markCpu () {
  markedAt = performance.now()
}

/** @returns {Promise<any>} V8's CPU profile from the mark on */
export async function stopCpu () {
  const { profile } = await post('Profiler.stop')
  return afterMark(profile, (markedAt - startedAt) * 1000)
}

/** Counts calls from now on. It makes functions slower: never during a CPU profile. */
export async function startCoverage () {
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}

/**
 * @param {{ under: string }} params URL of a folder: functions of files in it, packages left out
 * @returns {Promise<{ url: string, functions: { name: string, start: number, calls: number }[] }[]>} start: offset in
 *   the file
 */
export async function stopCoverage ({ under }) {
  const { result } = await post('Profiler.takePreciseCoverage')
  await post('Profiler.stopPreciseCoverage')
  return result
    .filter((/** @type {any} */ { url }) => url.startsWith(under) && !url.includes('/node_modules/'))
    .map((/** @type {any} */ { url, functions }) => ({
      url,
      functions: functions.map((/** @type {any} */ { functionName, ranges: [{ startOffset, count }] }) => ({
        name: functionName,
        start: startOffset,
        calls: count
      }))
    }))
}

/**
 * A CPU profile without its beginning. Pure.
 *
 * @param {any} profile V8's
 * @param {number} us how much of the beginning is left out, µs
 * @returns {any}
 */
export function afterMark (profile, us) {
  const { samples, timeDeltas } = profile
  let passed = 0
  let first = 0
  while (first < samples.length && passed + timeDeltas[first] < us) passed += timeDeltas[first++]
  const kept = samples.slice(first)
  /** @type {Map<number, number>} */
  const hits = new Map()
  for (const id of kept) hits.set(id, (hits.get(id) ?? 0) + 1)
  return {
    ...profile,
    nodes: profile.nodes.map((/** @type {any} */ node) => ({ ...node, hitCount: hits.get(node.id) ?? 0 })),
    startTime: profile.startTime + us,
    samples: kept,
    timeDeltas: timeDeltas
      .slice(first)
      .map((/** @type {number} */ delta, /** @type {number} */ at) =>
        at === 0 ? Math.max(0, passed + delta - us) : delta
      )
  }
}

/** @param {{ intervalBytes: number }} params mean distance between two samples, bytes allocated */
export async function startHeap ({ intervalBytes }) {
  await post('HeapProfiler.enable')
  await post('HeapProfiler.startSampling', { samplingInterval: intervalBytes })
}

/** @returns {Promise<any>} V8's sampling heap profile: what was allocated meanwhile and is still held */
export async function stopHeap () {
  const { profile } = await post('HeapProfiler.stopSampling')
  return profile
}

/** @param {{ file: string }} params @returns {string} the file; V8 collects the garbage first */
export function snapshot ({ file }) {
  return writeHeapSnapshot(file)
}

/** Of the emitter of this thread with the most. @param {{ event: string }} params @returns {Promise<number>} */
export async function listeners ({ event }) {
  const { result: own } = await post('Runtime.evaluate', { expression: 'process' })
  const { result: prototype } = await post('Runtime.callFunctionOn', {
    objectId: own.objectId,
    functionDeclaration: String(emitterPrototype)
  })
  const { objects } = await post('Runtime.queryObjects', { prototypeObjectId: prototype.objectId })
  const { result } = await post('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: String(most),
    arguments: [{ value: event }],
    returnByValue: true
  })
  await post('Runtime.releaseObject', { objectId: objects.objectId })
  return result.value
}

/** Runs in the inspector. @this {any} */
function emitterPrototype () {
  let prototype = Object.getPrototypeOf(this)
  while (!Object.hasOwn(prototype, 'emit')) prototype = Object.getPrototypeOf(prototype)
  return prototype
}

/** Runs in the inspector. @this {any[]} @param {string} event */
function most (event) {
  let found = 0
  for (const { _events: events } of this) {
    if (!events || typeof events !== 'object' || !Object.hasOwn(events, event)) continue
    found = Math.max(found, Array.isArray(events[event]) ? events[event].length : 1)
  }
  return found
}

/**
 * Figures of one thread for a while.
 *
 * @typedef {object} Figures
 * @property {number} wallMs
 * @property {number} delayP99Ms how long the event loop kept a timer waiting, 99th percentile
 * @property {number} gcMs time in garbage collections
 * @property {number | null} cpuMs CPU time of the whole process; the main thread's only, else null
 * @property {number} corelessMs time in which this thread had work and no core; 0 where the system doesn't tell
 * @property {number} heapBytes of V8's heap, after a collection if one was forced
 */

const resolutionMs = 5
/** @type {((options: { collect?: boolean }) => Promise<Figures>) | undefined} */
let finishFigures

export function startFigures () {
  /** @type {number[]} */
  const gcs = []
  const observer = new PerformanceObserver((list) => gcs.push(...list.getEntries().map(({ duration }) => duration)))
  observer.observe({ entryTypes: ['gc'] })
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  const [at, cpu, coreless] = [performance.now(), process.cpuUsage(), corelessMs()]
  finishFigures = async ({ collect = true }) => {
    finishFigures = undefined
    const wallMs = performance.now() - at
    const [used, waited] = [process.cpuUsage(cpu), corelessMs() - coreless]
    delay.disable()
    gcs.push(...observer.takeRecords().map(({ duration }) => duration))
    observer.disconnect()
    if (collect) await post('HeapProfiler.collectGarbage')
    return {
      wallMs,
      // The histogram holds the timer's own interval as well.
      delayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - resolutionMs),
      gcMs: gcs.reduce((sum, ms) => sum + ms, 0),
      cpuMs: isMainThread ? (used.user + used.system) / 1000 : null,
      corelessMs: waited,
      heapBytes: process.memoryUsage().heapUsed
    }
  }
}

/** Linux's account of this thread, since its start. */
function corelessMs () {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/**
 * @param {{ collect?: boolean }} params collect: force a collection first (default), after which a server is slower for
 *   a while
 * @returns {Promise<Figures>}
 */
export async function stopFigures (params) {
  if (!finishFigures) throw new Error('No figures are being taken.')
  return finishFigures(params)
}

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

const stepMs = 5
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
  const delay = monitorEventLoopDelay({ resolution: stepMs })
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

/** Bytes that are held, without garbage. */
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
  return [Math.max(0, mean - stepMs), Math.max(0, max - stepMs)]
}

function resources () {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
