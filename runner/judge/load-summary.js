import { median, quantile } from './statistics.js'

/**
 * @import { Round } from './round.js'
 * @import { Slice, SliceReport } from './slice.js'
 * @import { LoadResult } from './record.js'
 */

/** Above this share of its time the generator measures itself. */
const mostBusy = 0.8
/** So far may rate × latency / connections be from 1 (Little's law). */
const mostOff = 0.1
/** The generator may send a probe late by this share of the latency that it measures. */
const mostLate = 0.25

/**
 * In whose slices the generator was not fit to be believed. Pure.
 *
 * @param {readonly Round[]} rounds the counted ones
 * @returns {'baseline' | 'yours' | 'both' | null}
 */
export function unfitSide (rounds) {
  const unfit = (/** @type {'baseline' | 'yours'} */ side) =>
    rounds.filter((round) => isUnfit(round[side])).length * 2 > rounds.length
  const [baseline, yours] = [unfit('baseline'), unfit('yours')]
  return baseline && yours ? 'both' : baseline ? 'baseline' : yours ? 'yours' : null
}

/** @param {Slice} slice */
function isUnfit ({ busy, littlesLaw, probes, probeLateMs, accepted, lateMs }) {
  return busy > mostBusy ||
    (littlesLaw !== null && Math.abs(littlesLaw - 1) > mostOff) ||
    (accepted.length > 0 && lateMs > mostLate * Math.max(quantile(accepted, 0.99), 20)) ||
    (probes.length > 0 && probeLateMs > mostLate * Math.max(median(probes), 4))
}

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
