import { mean, quantile } from '../../judge/index.js'

/**
 * The one figure that a plan makes of all its runs against one server.
 *
 * @typedef {'rate' | 'mean' | 'p50' | 'p95' | 'p99'} FigureName
 * @typedef {{ latencies: number[], elapsedMs: number }} Run
 */

const latency = (/** @type {(values: number[]) => number} */ of) => ({
  unit: 'ms',
  isLargerSlower: true,
  of: (/** @type {readonly Run[]} */ runs) => of(runs.flatMap(({ latencies }) => latencies))
})

/**
 * @type {Record<FigureName, { unit: string, isLargerSlower: boolean, of: (runs: readonly Run[]) => number }>}
 */
export const figures = {
  rate: {
    unit: 'requests/s',
    isLargerSlower: false,
    of: (runs) =>
      (runs.reduce((sum, { latencies }) => sum + latencies.length, 0) /
        runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)) *
      1000
  },
  mean: latency(mean),
  p50: latency((values) => quantile(values, 0.5)),
  p95: latency((values) => quantile(values, 0.95)),
  p99: latency((values) => quantile(values, 0.99))
}

/** @param {FigureName} name */
export function unitOf (name) {
  return figures[name].unit
}

/** Does a larger figure mean a slower server? @param {FigureName} name */
export function isLargerSlower (name) {
  return figures[name].isLargerSlower
}

/**
 * Pure.
 *
 * @param {FigureName} name
 * @param {readonly Run[]} runs
 * @returns {number | null} in its unit; null where no answer came
 */
export function figureOf (name, runs) {
  return runs.some(({ latencies }) => latencies.length > 0) ? figures[name].of(runs) : null
}
