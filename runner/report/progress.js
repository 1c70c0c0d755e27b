/** What is known while a check runs: the events so far, folded into one state. Pure. */

/**
 * @typedef {import('../judge/record.js').CheckProgress} CheckProgress
 *
 * @typedef {object} Run what the events do not tell
 * @property {{ id: string, number: number, title: string }} lesson
 * @property {string} submission the folder that is graded
 * @property {string} seed
 *
 * @typedef {object} Progress
 * @property {import('../judge/record.js').PhaseEvent['phase'] | null} phase
 * @property {string} text of the phase
 * @property {{ done: number, total: number } | null} checks
 * @property {import('../judge/record.js').ContractResult[]} failed
 * @property {import('../judge/record.js').RoundResult[]} rounds
 * @property {import('../judge/record.js').GateResult[]} gates as they stand now
 */

/** @type {Progress} */
export const noProgress = { phase: null, text: '', checks: null, failed: [], rounds: [], gates: [] }

/**
 * @param {Progress} progress
 * @param {CheckProgress} event
 * @returns {Progress}
 */
export function afterEvent (progress, event) {
  switch (event.type) {
    case 'phase':
      return { ...progress, phase: event.phase, text: event.text }
    case 'check':
      return {
        ...progress,
        checks: { done: event.done, total: event.total },
        failed: event.result.status === 'fail' ? [...progress.failed, event.result] : progress.failed
      }
    case 'round':
      return {
        ...progress,
        rounds: [...progress.rounds, event.round],
        gates: mergeGates(progress.gates, event.gates)
      }
    default:
      return progress
  }
}

/**
 * An event may tell of the gates of one load only.
 *
 * @param {Progress['gates']} known
 * @param {Progress['gates']} news
 */
function mergeGates (known, news) {
  const byName = new Map([...known, ...news].map(gate => [gate.name, gate]))
  return [...byName.values()]
}
