/** @import { SentRecord } from './record.js' */

/**
 * Why a check did not pass, in few words that are the same for everybody with the same trouble. Pure.
 *
 * @param {SentRecord} record
 * @returns {string | null} null: it passed
 */
export function leadingReason ({ verdict, contract, gates, load }) {
  if (verdict === 'pass') return null
  if (verdict === 'error') return 'the check could not be done'
  const wrong = contract.find(({ status }) => status === 'fail')
  if (wrong) return `not right: “${wrong.name}”`
  if (load.problems > 0) return 'wrong answers under load'
  const missed = gates.find((gate) => gate.verdict === 'fail')
  if (missed) return `not reached: ${missed.name}`
  if (verdict === 'fail') return 'did not run to the end'
  const open = gates.find((gate) => gate.verdict === 'inconclusive')
  return open ? `not certain: ${open.name}` : 'not measured'
}
