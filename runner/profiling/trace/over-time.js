import { threadTitle } from '../../inside/index.js'
import { median } from '../../judge/index.js'

/**
 * Figures of several threads over the same time: on one clock, added up, and summed up for the time under load. Pure.
 *
 * @import { Member, Timeline, TimelinePoint } from '../../inside/index.js'
 *
 * @typedef {'loopBusy' | 'cpu' | 'rssBytes' | 'heapBytes' | 'externalBytes' | 'handles'} Figure
 */

/** The initial ones start their timelines within this many ms of each other. */
const sameStartMs = 250

/**
 * The points that cover a span, each with its part of it: a point covers the time since the one
 * before.
 *
 * @param {Pick<Thread, 'points' | 'startMs'>} thread
 * @param {Span} span
 * @returns {{ point: TimelinePoint, ms: number }[]}
 */
export function within ({ points, startMs }, { fromMs, toMs }) {
  return points
    .map((point, at) => ({
      point,
      ms: Math.min(toMs, point.atMs) - Math.max(fromMs, at === 0 ? startMs : points[at - 1].atMs)
    }))
    .filter(({ ms }) => ms > 0)
}

/**
 * @param {{ point: TimelinePoint, ms: number }[]} parts
 * @param {Figure} figure
 * @returns {number} mean over the time; 0 without points
 */
export function meanOver (parts, figure) {
  const ms = parts.reduce((sum, part) => sum + part.ms, 0)
  return ms === 0 ? 0 : parts.reduce((sum, part) => sum + part.point[figure] * part.ms, 0) / ms
}

/**
 * One thread per process, which speaks for the whole process.
 *
 * @param {readonly Thread[]} threads
 * @returns {Thread[]} the main threads, or another thread of a process without one
 */
export function onePerProcess (threads) {
  /** @type {Map<number, Thread>} */
  const found = new Map()
  for (const thread of threads) if (thread.main || !found.has(thread.pid)) found.set(thread.pid, thread)
  return [...found.values()]
}

/**
 * The sum of one or several figures at every time at which a thread has a point.
 *
 * @param {readonly Thread[]} threads
 * @param {readonly Figure[]} figures
 * @returns {{ atMs: number, value: number }[]}
 */
export function sumOverTime (threads, figures) {
  const times = [...new Set(threads.flatMap(({ points }) => points.map(({ atMs }) => atMs)))].sort((a, b) => a - b)
  const next = threads.map(() => 0)
  return times.map((atMs) => {
    let value = 0
    for (const [at, { points, startMs }] of threads.entries()) {
      while (next[at] < points.length && points[next[at]].atMs < atMs) next[at]++
      // A thread counts from its start. All with a timeline lived to the end.
      const point = points[Math.min(next[at], points.length - 1)]
      if (!point || (startMs > sameStartMs && atMs < startMs)) continue
      for (const figure of figures) value += point[figure]
    }
    return { atMs, value }
  })
}

/**
 * One value for each of `count` parts of the time, for a sparkline; 0 if nothing was recorded.
 *
 * @param {readonly { atMs: number, value: number }[]} samples
 * @param {{ endMs: number, count: number }} parts
 * @returns {number[]}
 */
export function inParts (samples, { endMs, count }) {
  return Array.from({ length: count }, (_, at) => {
    const [from, to] = [endMs * at / count, endMs * (at + 1) / count]
    const inside = samples.filter(({ atMs }) => atMs > from && atMs <= to)
    // A loop blocked for the whole part reports it in its next point.
    const told = inside.length > 0 ? inside : samples.filter(({ atMs }) => atMs > to).slice(0, 1)
    return told.length === 0 ? 0 : told.reduce((sum, { value }) => sum + value, 0) / told.length
  })
}

/**
 * Puts the timelines of several threads on one clock. Pure.
 *
 * @typedef {object} Thread
 * @property {string} name `main thread`, `worker thread 1`, `main thread of process 4711`
 * @property {number} pid
 * @property {boolean} main
 * @property {number} startMs when its timeline starts; all times are ms since the recording started
 * @property {TimelinePoint[]} points
 * @property {Timeline['gcs']} gcs
 * @property {number} keptBefore bytes of heap and buffers after a full collection at the start
 * @property {number} keptAfter the same at the end
 * @property {Record<string, number>} before what kept its loop alive at the start, by kind
 * @property {Record<string, number>} after the same at the end
 *
 * @typedef {object} Span
 * @property {number} fromMs
 * @property {number} toMs
 *
 * @typedef {{ load: Span, endMs: number, threads: Thread[] }} Recording the server's first process first
 *
 * @param {{ member: Pick<Member, 'pid' | 'threadId' | 'main'>, timeline: Timeline }[]} taken
 * @param {{ serverPid: number, startedAt: number, fromAt: number, toAt: number }} clock ms since 1970
 * @returns {Recording}
 */
export function align (taken, { serverPid, startedAt, fromAt, toAt }) {
  const inOrder = taken.toSorted(({ member: a }, { member: b }) =>
    Number(b.pid === serverPid) - Number(a.pid === serverPid) || a.pid - b.pid || a.threadId - b.threadId)
  const threads = inOrder.map(({ member: { pid, threadId, main }, timeline }) => {
    const { startedAt: since, points, gcs, ...atRest } = timeline
    const startMs = Math.max(0, since - startedAt)
    return {
      name: threadTitle({ pid, threadId, main }, serverPid),
      pid,
      main,
      startMs,
      points: points.map((point) => ({ ...point, atMs: point.atMs + startMs })),
      gcs: gcs.map((gc) => ({ ...gc, atMs: gc.atMs + startMs })),
      ...atRest
    }
  })
  return {
    load: { fromMs: fromAt - startedAt, toMs: toAt - startedAt },
    endMs: Math.max(toAt - startedAt, ...threads.flatMap(({ points }) => points.slice(-1).map(({ atMs }) => atMs))),
    threads
  }
}

/**
 * Does a figure keep growing? Pure.
 *
 * The rule: the time is cut into twelve parts, without the first two, in which caches fill and V8 finds
 * its heap's size. In the others the lowest value counts: what a garbage collection leaves. The slope is the
 * median of the slopes of all pairs (Theil, 1950; Sen, 1968). It grows, or shrinks, where Kendall's S of the lows has
 * less than half a percent of probability if their order were chance (Mann, 1945).
 *
 * @typedef {object} Trend
 * @property {number} perSecond
 * @property {'grows' | 'shrinks' | 'neither'} direction
 */

const parts = 12
const leftOut = 2
/** With fewer, no order would be unlikely enough. */
const fewest = 6
const chance = 0.005

/**
 * @param {readonly { atMs: number, value: number }[]} samples
 * @param {Span} span
 * @returns {Trend | null} null: too few samples to say
 */
export function trendOf (samples, { fromMs, toMs }) {
  const partMs = (toMs - fromMs) / parts
  /** @type {{ atMs: number, value: number }[]} */
  const lows = []
  for (let part = leftOut; part < parts; part++) {
    const inside = samples.filter(({ atMs }) => atMs >= fromMs + part * partMs && atMs < fromMs + (part + 1) * partMs)
    if (inside.length > 0) lows.push(inside.reduce((low, sample) => sample.value < low.value ? sample : low))
  }
  if (lows.length < fewest) return null
  const pairs = lows.flatMap((early, at) => lows.slice(at + 1).map((late) => [early, late]))
  const slope = median(pairs.map(([early, late]) => (late.value - early.value) / (late.atMs - early.atMs)))
  const s = pairs.reduce((sum, [early, late]) => sum + Math.sign(late.value - early.value), 0)
  const certain = kendallTail(Math.abs(s), lows.length) < chance
  const direction = certain && slope > 0 ? 'grows' : certain && slope < 0 ? 'shrinks' : 'neither'
  return { perSecond: slope * 1000, direction }
}

/**
 * Probability that Kendall's S of n different values in random order is at least s: permutations counted by their
 * inversions.
 *
 * @param {number} s
 * @param {number} n
 */
export function kendallTail (s, n) {
  let counts = [1]
  for (let size = 2; size <= n; size++) {
    const longer = new Array(counts.length + size - 1).fill(0)
    for (const [inversions, count] of counts.entries()) {
      for (let more = 0; more < size; more++) longer[inversions + more] += count / size
    }
    counts = longer
  }
  const pairs = n * (n - 1) / 2
  return counts.filter((_, inversions) => pairs - 2 * inversions >= s).reduce((sum, count) => sum + count, 0)
}

/** A delay this long keeps requests waiting for others' work. */
export const longDelayMs = 20

/**
 * Figures of the time under load. Pure.
 *
 * @typedef {ReturnType<typeof summariseTrace>} Summary
 *
 * @param {Recording} recording
 * @param {{ answers: number, seconds: number, connections: number | null, spareCores: number | null }} seen
 *   connections: of a closed loop; spareCores: of the whole machine meanwhile, null: unknown
 */
export function summariseTrace ({ threads, load }, { answers, seconds, connections, spareCores }) {
  const loadMs = load.toMs - load.fromMs
  const summaries = threads.map((thread) => threadSummary(thread, load))
  const mains = summaries.filter(({ main }) => main)
  const lead = (mains.length > 0 ? mains : summaries).reduce((most, one) => one.busy > most.busy ? one : most)
  const coresOf = (/** @type {Thread} */ thread) =>
    within(thread, load).reduce((sum, { point, ms }) => sum + point.cpu * ms, 0) / loadMs
  const processes = onePerProcess(threads)
  const change = (/** @type {readonly Thread[]} */ of, /** @type {Figure[]} */ ...figures) =>
    changeOf(sumOverTime(of, figures), load)
  return {
    loadMs,
    answers,
    perSecond: answers / seconds,
    /** Mean time of a request (Little’s law); null: the load isn't a closed loop. */
    requestMs: connections === null || answers === 0 ? null : (connections * seconds * 1000) / answers,
    threads: summaries,
    /** The busiest main thread, whose delays clients feel. */
    lead,
    /** Kept busy by all processes, and by all threads of the lead’s. */
    cores: processes.reduce((sum, thread) => sum + coresOf(thread), 0),
    leadCores: processes.filter(({ pid }) => pid === lead.pid).reduce((sum, thread) => sum + coresOf(thread), 0),
    spareCores,
    /** Bytes. */
    memory: {
      rss: change(processes, 'rssBytes'),
      heap: change(threads, 'heapBytes'),
      external: change(threads, 'externalBytes'),
      held: change(threads, 'heapBytes', 'externalBytes')
    },
    /** Bytes of heap and buffers after full collections at rest, before and after the load. */
    kept: { before: sumOf(threads, 'keptBefore'), after: sumOf(threads, 'keptAfter') },
    handles: {
      ...change(threads, 'handles'),
      /** At one time under load. */
      most: Math.max(0, ...sumOverTime(threads, ['handles'])
        .filter(({ atMs }) => atMs > load.fromMs && atMs <= load.toMs).map(({ value }) => value))
    },
    /** The kind that grew most since the start. */
    handleKind: mostMore(threads)
  }
}

/**
 * @typedef {ReturnType<typeof threadSummary>} ThreadSummary
 *
 * @param {Thread} thread
 * @param {Span} load
 */
function threadSummary (thread, load) {
  const { name, pid, main } = thread
  const parts = within(thread, load)
  const ms = parts.reduce((sum, part) => sum + part.ms, 0)
  const shareOf = (/** @type {number} */ some) => ms === 0 ? 0 : some / ms
  const worst = parts.reduce((most, { point }) => (point.delayMaxMs > most.delayMaxMs ? point : most), {
    delayMaxMs: 0,
    atMs: load.fromMs
  })
  const blocked = parts.filter(({ point }) => point.delayMaxMs >= longDelayMs)
  const gcs = gcsByKind(thread.gcs, load)
  return {
    name,
    pid,
    main,
    /** Event loop utilisation, 0 to 1. */
    busy: meanOver(parts, 'loopBusy'),
    /** Median over the points of their mean delay. */
    delayTypicalMs: parts.length === 0 ? 0 : median(parts.map(({ point }) => point.delayMs)),
    delayMaxMs: worst.delayMaxMs,
    /** Since the recording began. */
    delayMaxAtMs: worst.atMs,
    /** Shares of the time: whose points have a long delay, and in collections. */
    blocked: shareOf(blocked.reduce((sum, part) => sum + part.ms, 0)),
    gc: Math.min(1, shareOf(gcs.reduce((sum, one) => sum + one.ms, 0))),
    gcs
  }
}

/** The most time first. @param {Thread['gcs']} gcs @param {Span} load */
function gcsByKind (gcs, { fromMs, toMs }) {
  const during = gcs
    .map(({ atMs, durationMs, ...gc }) =>
      ({ ...gc, durationMs, ms: Math.min(toMs, atMs + durationMs) - Math.max(fromMs, atMs) }))
    .filter(({ ms }) => ms > 0)
  return [...new Set(during.map(({ kind }) => kind))].map((kind) => {
    const own = during.filter((gc) => gc.kind === kind)
    return {
      kind,
      count: own.length,
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
      longestMs: Math.max(...own.map(({ durationMs }) => durationMs))
    }
  }).sort((a, b) => b.ms - a.ms)
}

/**
 * At rest before the load, at its end, at rest again; and how it went under load.
 *
 * @typedef {ReturnType<typeof changeOf>} Change
 *
 * @param {{ atMs: number, value: number }[]} samples
 * @param {Span} load
 */
function changeOf (samples, load) {
  const lastUntil = (/** @type {number} */ ms) => (samples.findLast(({ atMs }) => atMs <= ms) ?? samples[0])?.value ?? 0
  return {
    before: lastUntil(load.fromMs),
    end: lastUntil(load.toMs),
    after: samples.at(-1)?.value ?? 0,
    trend: trendOf(samples, load)
  }
}

/** @param {readonly Thread[]} threads @param {'keptBefore' | 'keptAfter'} figure */
function sumOf (threads, figure) {
  return threads.reduce((sum, thread) => sum + thread[figure], 0)
}

/** @param {readonly Thread[]} threads @returns {string | null} */
function mostMore (threads) {
  /** @type {Map<string, number>} */
  const more = new Map()
  for (const { before, after } of threads) {
    for (const [kind, count] of Object.entries(after)) {
      more.set(kind, (more.get(kind) ?? 0) + count - (before[kind] ?? 0))
    }
  }
  const [most] = [...more].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}
