import { kindOf } from './gate-kinds.js'

/** @import { SentRecord } from './record.js' */

/**
 * Why a check did not pass, in a few words that are the same for every learner with the same trouble. Pure.
 *
 * @param {SentRecord} record
 * @returns {{ reason: string | null, gate?: SentRecord['gates'][number] }} reason: null if it passed; gate: what the
 *   reason is about
 */
export function leadingReason ({ verdict, contract, gates, load }) {
  if (verdict === 'pass') return { reason: null }
  if (verdict === 'error') return { reason: 'the check could not be done' }
  const wrong = contract.find(({ status }) => status === 'fail')
  if (wrong) return { reason: `wrong answer: “${wrong.name}”` }
  if (load.problems > 0) return { reason: 'wrong answers under load' }
  const missed = gates.find((gate) => gate.verdict === 'fail')
  if (missed) return { reason: `${kindOf(missed.kind).missed}: ${missed.name}`, gate: missed }
  if (verdict === 'fail') return { reason: 'did not run to the end' }
  const open = gates.find((gate) => gate.verdict === 'inconclusive')
  return open ? { reason: `not certain: ${open.name}`, gate: open } : { reason: 'not measured' }
}
