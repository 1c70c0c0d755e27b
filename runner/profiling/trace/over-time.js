/**
 * Figures of several threads over the same time. Pure.
 *
 * @import { TimelinePoint } from '../../inside/index.js'
 * @import { Span, Thread } from './align.js'
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
