/**
 * @import { Round } from './round.js'
 * @import { SliceReport } from './slice.js'
 * @import { LoadResult } from './record.js'
 */

/**
 * Pure.
 *
 * @param {readonly SliceReport[]} served every slice of the submission
 * @param {readonly Round[]} rounds all of them
 * @param {readonly string[]} problems
 * @returns {LoadResult}
 */
export function summariseLoad (served, rounds, problems) {
  const sum = (/** @type {(slice: SliceReport) => number} */ of) =>
    served.reduce((total, slice) => total + of(slice), 0)
  const counted = rounds.filter((round) => !round.disturbed)
  return {
    requests: sum((slice) => slice.answers + slice.refused.length + slice.probes.length),
    errors: sum((slice) => slice.lost.length),
    non2xx: sum((slice) => slice.badStatus),
    mismatches: sum((slice) => slice.wrong - slice.badStatus),
    disturbedRounds: rounds.length - counted.length,
    generatorBusy:
      counted.length > 0 ? Math.max(...counted.flatMap(({ baseline, yours }) => [baseline.busy, yours.busy])) : null,
    problems: problems.slice(0, 5)
  }
}
