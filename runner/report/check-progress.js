/**
 * The state of a running check, folded from its events. Pure.
 *
 * @import { CheckEvent, CheckProgress, ContractResult, GateResult, LatencyResult } from '../judge/index.js'
 * @import { PhaseEvent, ResultRecord, RoundResult } from '../judge/index.js'
 */

/**
 * @typedef {object} Run what the events do not tell
 * @property {{ id: string, number: number, title: string }} lesson
 * @property {string} submission the folder being graded
 * @property {string} seed
 *
 * @typedef {object} Progress
 * @property {PhaseEvent['phase'] | null} phase
 * @property {string} text of the phase
 * @property {{ done: number, total: number } | null} checks
 * @property {ContractResult[]} failed
 * @property {RoundResult[]} rounds
 * @property {GateResult[]} gates in their current state
 * @property {LatencyResult[]} latencies of the rounds so far
 * @property {ResultRecord | null} settled the verdict, while further measurements run
 */

/** @type {Progress} */
export const noProgress = {
  phase: null,
  text: '',
  checks: null,
  failed: [],
  rounds: [],
  gates: [],
  latencies: [],
  settled: null
}

/** @param {Progress} progress @param {CheckProgress} event @returns {Progress} */
export function afterEvent (progress, event) {
  switch (event.type) {
    case 'phase':
      return { ...progress, phase: event.phase, text: event.text }
    case 'check':
      return {
        ...progress,
        checks: countChecks(progress, event),
        failed: event.result.status === 'fail' ? [...progress.failed, event.result] : progress.failed
      }
    case 'round':
      return {
        ...progress,
        rounds: [...progress.rounds, event.round],
        gates: mergeGates(progress.gates, event.gates),
        latencies: event.latencies ?? progress.latencies
      }
    case 'verdict':
      return { ...progress, settled: event.record }
    default:
      return progress
  }
}

/** Checks and the random sequence run side by side. @param {Progress} progress @param {CheckEvent} event */
function countChecks ({ checks }, { total }) {
  const done = (checks?.done ?? 0) + 1
  return { done, total: Math.max(done, total, checks?.total ?? 0) }
}

/** An event may cover the gates of one load only. @param {Progress['gates']} known @param {Progress['gates']} news */
function mergeGates (known, news) {
  const byName = new Map([...known, ...news].map((gate) => [gate.name, gate]))
  return [...byName.values()]
}
