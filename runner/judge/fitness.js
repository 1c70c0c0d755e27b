import { kindOf } from './gate-kinds.js'
import { quantile } from './statistics.js'

/**
 * @import { Gate } from './gate-kinds.js'
 * @import { Role, Round } from './round.js'
 * @import { Slice } from './slice.js'
 */

/** Above this share of its time the generator measures itself. */
const mostBusy = 0.8
/** Rate × latency / connections may be this far from 1 (Little's law). */
const mostOff = 0.1
/** The generator may be late by this share of the latency that it measures … */
const mostLate = 0.25
/** … and lateness by less than this share of so many ms says nothing. */
const leastProbeMs = 4
const leastArrivalMs = 20

/**
 * In whose slices the load generator was unfit for what this gate reads. CPU time, memory and upstream calls are read
 * elsewhere, so their gates never depend on it. Pure.
 *
 * @param {Gate} gate
 * @param {readonly Round[]} rounds all of its load, also disturbed ones
 * @returns {Role | 'both' | null}
 */
export function saturatedSide (gate, rounds) {
  if (kindOf(gate.kind).loadInvariant) return null
  const isUnfitFor = (/** @type {Role} */ side) =>
    rounds.filter((round) => isUnfit(gate, round[side])).length * 2 > rounds.length
  const [baseline, yours] = [isUnfitFor('baseline'), isUnfitFor('yours')]
  return baseline && yours ? 'both' : baseline ? 'baseline' : yours ? 'yours' : null
}

/** @param {Gate} gate @param {Slice} slice */
function isUnfit ({ kind, of, percentile = 99 }, slice) {
  const { busy, littlesLaw, probes, probeLateMs, accepted, refused, lateMs } = slice
  if (busy > mostBusy) return true
  const isLate = (/** @type {number[]} */ latencies, /** @type {number} */ leastMs, /** @type {number} */ byMs) =>
    latencies.length > 0 && byMs > mostLate * Math.max(quantile(latencies, percentile / 100), leastMs)
  if (kind === 'refusal') return isLate(refused, leastArrivalMs, lateMs)
  if (kind === 'latency' && of !== 'load') return isLate(probes, leastProbeMs, probeLateMs)
  if (kind === 'latency' || kind === 'accepted') return isLate(accepted, leastArrivalMs, lateMs)
  return littlesLaw !== null && Math.abs(littlesLaw - 1) > mostOff
}
