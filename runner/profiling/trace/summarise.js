import { median } from '../../judge/index.js'
import { meanOver, onePerProcess, sumOverTime, trendOf, within } from './over-time.js'

/**
 * Figures of the time under load, from a recording. Pure.
 *
 * @import { Figure, Recording, Span, Thread, Trend } from './over-time.js'
 *
 * @typedef {object} ThreadSummary
 * @property {string} name
 * @property {number} pid
 * @property {boolean} main
 * @property {number} busy event loop utilisation, 0 to 1
 * @property {number} delayTypicalMs median over the points of their mean delay
 * @property {number} delayMaxMs
 * @property {number} delayMaxAtMs since the recording began
 * @property {number} blocked share of the time whose points have a delay of `longDelayMs` or more
 * @property {number} gc share of the time in garbage collections
 * @property {{ kind: string, count: number, ms: number, longestMs: number }[]} gcs by kind, the most time first
 *
 * @typedef {object} Change
 * @property {number} before at rest, before the load
 * @property {number} end at the end of the load
 * @property {number} after at rest again
 * @property {Trend | null} trend under load
 *
 * @typedef {object} Summary
 * @property {number} loadMs
 * @property {number} answers
 * @property {number} perSecond
 * @property {number | null} requestMs mean time of a request (Little’s law); null: the load isn't a closed loop
 * @property {ThreadSummary[]} threads
 * @property {ThreadSummary} lead the busiest main thread, whose delays clients feel
 * @property {number} cores kept busy by all processes
 * @property {number} leadCores kept busy by all threads of the lead’s process
 * @property {number | null} spareCores of the whole machine meanwhile; null: unknown
 * @property {{ rss: Change, heap: Change, external: Change, held: Change }} memory bytes; held: heap and external
 *   together
 * @property {{ before: number, after: number }} kept bytes of heap and buffers after full collections at rest, before
 *   and after the load
 * @property {Change & { most: number }} handles most: at one time under load
 * @property {string | null} handleKind the kind that grew most since the start
 */

/** A delay this long keeps requests waiting for others' work. */
export const longDelayMs = 20

/**
 * @param {Recording} recording
 * @param {{ answers: number, seconds: number, connections: number | null, spareCores: number | null }} seen
 *   connections: of a closed loop
 * @returns {Summary}
 */
export function summarise ({ threads, load }, { answers, seconds, connections, spareCores }) {
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
    requestMs: connections === null || answers === 0 ? null : (connections * seconds * 1000) / answers,
    threads: summaries,
    lead,
    cores: processes.reduce((sum, thread) => sum + coresOf(thread), 0),
    leadCores: processes.filter(({ pid }) => pid === lead.pid).reduce((sum, thread) => sum + coresOf(thread), 0),
    spareCores,
    memory: {
      rss: change(processes, 'rssBytes'),
      heap: change(threads, 'heapBytes'),
      external: change(threads, 'externalBytes'),
      held: change(threads, 'heapBytes', 'externalBytes')
    },
    kept: { before: sumOf(threads, 'keptBefore'), after: sumOf(threads, 'keptAfter') },
    handles: {
      ...change(threads, 'handles'),
      most: Math.max(
        0,
        ...sumOverTime(threads, ['handles'])
          .filter(({ atMs }) => atMs > load.fromMs && atMs <= load.toMs)
          .map(({ value }) => value)
      )
    },
    handleKind: mostMore(threads)
  }
}

/** @param {Thread} thread @param {Span} load @returns {ThreadSummary} */
function threadSummary (thread, load) {
  const parts = within(thread, load)
  const ms = parts.reduce((sum, part) => sum + part.ms, 0)
  const worst = parts.reduce((most, { point }) => (point.delayMaxMs > most.delayMaxMs ? point : most), {
    delayMaxMs: 0,
    atMs: load.fromMs
  })
  const gcs = gcsByKind(thread.gcs, load)
  return {
    name: thread.name,
    pid: thread.pid,
    main: thread.main,
    busy: meanOver(parts, 'loopBusy'),
    delayTypicalMs: parts.length === 0 ? 0 : median(parts.map(({ point }) => point.delayMs)),
    delayMaxMs: worst.delayMaxMs,
    delayMaxAtMs: worst.atMs,
    blocked:
      ms === 0
        ? 0
        : parts.filter(({ point }) => point.delayMaxMs >= longDelayMs).reduce((sum, part) => sum + part.ms, 0) / ms,
    gc: ms === 0 ? 0 : Math.min(1, gcs.reduce((sum, one) => sum + one.ms, 0) / ms),
    gcs
  }
}

/** @param {Thread['gcs']} gcs @param {Span} load @returns {ThreadSummary['gcs']} */
function gcsByKind (gcs, { fromMs, toMs }) {
  /** @type {Map<string, ThreadSummary['gcs'][number]>} */
  const kinds = new Map()
  for (const { atMs, durationMs, kind } of gcs) {
    const ms = Math.min(toMs, atMs + durationMs) - Math.max(fromMs, atMs)
    if (ms <= 0) continue
    const known = kinds.get(kind) ?? { kind, count: 0, ms: 0, longestMs: 0 }
    kinds.set(kind, {
      kind,
      count: known.count + 1,
      ms: known.ms + ms,
      longestMs: Math.max(known.longestMs, durationMs)
    })
  }
  return [...kinds.values()].sort((a, b) => b.ms - a.ms)
}

/** @param {{ atMs: number, value: number }[]} samples @param {Span} load @returns {Change} */
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
