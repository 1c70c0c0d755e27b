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
function isUnfit (gate, slice) {
  const { busy, littlesLaw, probeLateMs, lateMs } = slice
  if (busy > mostBusy) return true
  const name = kindOf(gate.kind).latencies?.(gate)
  if (name === undefined) return littlesLaw !== null && Math.abs(littlesLaw - 1) > mostOff
  const [byMs, leastMs] = name === 'probes' ? [probeLateMs, leastProbeMs] : [lateMs, leastArrivalMs]
  const latencies = slice[name]
  if (latencies.length === 0) return false
  // A burst of late arrivals can only lower a share. Where nothing was refused, they were too few only if very late.
  const isWhole = kindOf(gate.kind).bounded && slice.refused.length === 0
  const against = isWhole ? slice.elapsedMs : quantile(latencies, (gate.percentile ?? 99) / 100)
  return byMs > mostLate * Math.max(against, leastMs)
}
