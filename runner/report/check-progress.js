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
 */

export const noProgress = {
  phase: /** @type {PhaseEvent['phase'] | null} */ (null),
  text: '',
  checks: /** @type {{ done: number, total: number } | null} */ (null),
  failed: /** @type {ContractResult[]} */ ([]),
  rounds: /** @type {RoundResult[]} */ ([]),
  gates: /** @type {GateResult[]} in their current state */ ([]),
  latencies: /** @type {LatencyResult[]} of the rounds so far */ ([]),
  settled: /** @type {ResultRecord | null} the verdict, while further measurements run */ (null)
}

/** @typedef {typeof noProgress} Progress */

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
