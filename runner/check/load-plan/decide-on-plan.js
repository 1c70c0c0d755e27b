import { decide, isSound, leastRounds } from '../../judge/index.js'

/** @import { Decision, Evidence, Names } from '../../judge/index.js' */

/**
 * The verdict on a load plan. Pure.
 *
 * @param {Evidence} evidence
 * @param {{ asked: string, names?: Names }} plan asked: how long one comparison should take, `1.9 s`
 * @returns {Decision}
 */
export function decideOnLoadPlan (evidence, { asked, names }) {
  const failed = evidence.contract.find(({ status }) => status === 'fail')
  if (failed && evidence.baselineFailures.length === 0) {
    return {
      verdict: 'fail',
      reason: failed.message.split('\n')[0],
      next: 'Fix load.js first: a load plan that can’t be run, measures itself or errors says nothing about a server.'
    }
  }
  if (evidence.unchanged && !evidence.unmeasured && isSound(evidence)) return starting(evidence)
  const decision = decide(evidence, names)
  if (decision.verdict !== 'inconclusive' || evidence.unmeasured) return decision
  const compared = Math.min(...evidence.gates.filter(({ verdict }) => verdict !== 'pass').map(({ rounds }) => rounds))
  // Neither close figures nor a noisy machine: there are too few figures to say anything.
  if (compared < leastRounds) {
    return {
      ...decision,
      reason: `It could be either. The check ran out of time after ${compared} of the ${leastRounds} comparisons ` +
        `that a verdict needs; with your load plan, one takes ${asked}.`,
      next: 'Each run lasts until the requests in the server’s queue have been answered, too. How long a queue does ' +
        'your load build up? (If it builds none, the machine is busy: run the check again.)'
    }
  }
  return {
    ...decision,
    next: 'Your load plan’s figures vary too much. What would make two measurements of the same server agree better?'
  }
}

/** It was tried once, to show what it does. @param {Evidence} evidence @returns {Decision} */
function starting ({ gates: [gate] }) {
  const shown = gate.ratio === null ? 'nothing yet' : `a ratio of ${Number(gate.ratio.toPrecision(3))}×`
  return {
    verdict: 'fail',
    reason: 'This is the load plan you started with, unchanged. For two servers, one of them slower, it shows ' +
      `${shown}; the target is ${Number(Number(gate.target).toPrecision(3))}×.`,
    next: gate.look,
    advice: gate.look
  }
}
