import { decide } from '../judge/index.js'

/**
 * The verdict on a profile. Pure.
 *
 * @param {import('../judge/verdict.js').Evidence} evidence
 * @returns {import('../judge/verdict.js').Decision}
 */
export function decideOnProfile (evidence) {
  const failed = evidence.contract.find(({ status }) => status === 'fail')
  if (failed && evidence.baselineFailures.length === 0) {
    return { verdict: 'fail', reason: failed.message.split('\n')[0], next: 'Mend load.js first: a profile that cannot be run, or that measures errors, says nothing about a server.' }
  }
  const decision = decide(evidence)
  if (decision.verdict === 'inconclusive') return { ...decision, next: 'Your profile’s figures scatter. What would make two measurements of the same server more alike?' }
  return decision
}
