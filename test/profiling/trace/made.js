/**
 * Synthetic timelines: 500 ms of rest, 5 s of load, 500 ms of rest.
 *
 * @import { TimelinePoint } from '../../../runner/inside/index.js'
 * @import { Recording, Thread } from '../../../runner/profiling/trace/over-time.js'
 *
 * @typedef {Omit<TimelinePoint, 'atMs'>} Figures
 *
 * @typedef {Partial<Omit<Thread, 'startMs' | 'points'>> & {
 *   underLoad?: (atMs: number) => Partial<Figures>,
 *   afterwards?: Partial<Figures>
 * }} Given
 */

export const load = { fromMs: 500, toMs: 5500 }
export const endMs = 6000
const everyMs = 50

/** @type {Figures} */
export const atRest = {
  loopBusy: 0,
  delayMs: 0.2,
  delayMaxMs: 1,
  cpu: 0.01,
  rssBytes: 60e6,
  heapBytes: 20e6,
  externalBytes: 2e6,
  handles: 4
}

/** @param {Given} [given] @returns {Thread} */
export function thread ({
  name = 'main thread',
  pid = 1,
  main = true,
  underLoad = () => ({}),
  afterwards = {},
  gcs = [],
  before = {},
  after = {},
  keptBefore = 15e6,
  keptAfter = 15e6
} = {}) {
  const points = Array.from({ length: endMs / everyMs }, (_, at) => (at + 1) * everyMs).map((atMs) => ({
    ...atRest,
    ...(atMs > load.fromMs && atMs <= load.toMs ? underLoad(atMs) : {}),
    ...(atMs > load.toMs ? afterwards : {}),
    atMs
  }))
  return { name, pid, main, startMs: 0, points, gcs, before, after, keptBefore, keptAfter }
}

/** @param {Thread[]} threads @returns {Recording} */
export function recording (...threads) {
  return { load, endMs, threads }
}
