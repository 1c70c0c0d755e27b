/**
 * The state of a running check, folded from its events. Pure.
 *
 * @import { CheckProgress, ContractResult, GateResult, LatencyResult } from '../judge/index.js'
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
  done: /** @type {PhaseEvent['phase'][]} a quick look leaves some out */ ([]),
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
  const done = (progress.checks?.done ?? 0) + 1
  switch (event.type) {
    case 'phase':
      return {
        ...progress,
        phase: event.phase,
        text: event.text,
        done: progress.phase === null ? [] : [...new Set([...progress.done, progress.phase])]
      }
    case 'check':
      return {
        ...progress,
        // Checks and the random sequence run side by side.
        checks: { done, total: Math.max(done, event.total, progress.checks?.total ?? 0) },
        failed: event.result.status === 'fail' ? [...progress.failed, event.result] : progress.failed
      }
    case 'round':
      return {
        ...progress,
        rounds: [...progress.rounds, event.round],
        // An event may cover the gates of one load only.
        gates: [...new Map([...progress.gates, ...event.gates].map((gate) => [gate.name, gate])).values()],
        latencies: event.latencies ?? progress.latencies
      }
    case 'verdict':
      return { ...progress, settled: event.record }
    default:
      return progress
  }
}
