import { percent } from '../runner/shared/format.js'
import { isSound } from '../runner/judge/index.js'
import { answerOf, halfWidth, leastPairs } from './gates.js'

/**
 * What a comparison says, in words. Pure.
 *
 * @import { Evidence, GateResult, ResultRecord } from '../runner/judge/index.js'
 *
 * @typedef {NonNullable<ResultRecord['comparison']>['says']} Says
 * @typedef {Pick<ResultRecord, 'verdict' | 'reason' | 'next'> & { says: Says }} Conclusion
 *
 * @typedef {object} Asked
 * @property {string} before what that server is called
 * @property {string} after
 * @property {number | null} target
 * @property {number} precision 0.05 is ±5 %
 * @property {number} seconds the rounds took
 */

/**
 * @param {Evidence} evidence
 * @param {Asked} asked
 * @returns {Conclusion & { gates: GateResult[] }}
 */
export function conclude (evidence, asked) {
  const gates = evidence.gates.map((gate) => withAnswer(gate, asked))
  const fault = isSound(evidence) ? null : faultOf(evidence, asked)
  if (fault) return { ...fault, gates }
  const verdict = verdictOf(gates)
  const { contract, conditions: { rounds, disturbed, cause } } = evidence
  const isDisturbed = disturbed * 2 >= Math.max(rounds, 1)
  const reason = [
    ...gates.map(sentenceOf),
    ...contract.map(({ message }) => message).filter(Boolean).slice(0, 1),
    ...isDisturbed ? [`Most rounds were disturbed: ${cause}.`] : []
  ].join(' ')
  const next = verdict === 'inconclusive' ? nextOf(gates, isDisturbed, asked) : ''
  return { says: saysOf(gates), verdict, reason, next, gates }
}

/** Is the original to blame? @param {Pick<Evidence, 'baselineFailures' | 'baselineProblems'>} evidence */
export function isOfBefore ({ baselineFailures, baselineProblems }) {
  return baselineFailures.length + baselineProblems.length > 0
}

/** @param {Evidence} evidence @param {Asked} asked @returns {Conclusion} */
function faultOf (evidence, { before, after }) {
  const { portTaken, interference, baselineFailures, baselineProblems, startFailure, crash, contract } = evidence
  if (portTaken !== null) return errorOf(portTaken)
  if (interference !== null) {
    return errorOf(`While ${before} was being measured, ${after} was connected to it: let it call something else.`)
  }
  const [failure = baselineProblems[0]] = baselineFailures
  if (failure !== undefined) {
    return errorOf(/^it (was )?ended/.test(failure)
      ? `${failure.replace(/^it/, before)}${failure.includes(' after ') ? '' : ' under load'}.`
      : `${before}: ${failure}${hintFor(failure)}`)
  }
  if (startFailure !== null) return errorOf(`${after}: ${startFailure}${hintFor(startFailure)}`)
  if (crash !== null) {
    return {
      says: 'crashed',
      verdict: 'fail',
      reason: crash.replace(/^Your server/, after),
      next: 'Read the last lines of its output. Which request did it get last?'
    }
  }
  const wrong = contract.find(({ status }) => status === 'fail')?.message.split('\n')[0]
  return {
    says: 'different answers',
    verdict: 'fail',
    reason: wrong ?? `${after}, under load: ${evidence.problems[0] ?? 'an answer was wrong.'}`,
    next: 'Speed counts only where the answers are the same. If they may differ there, leave that out with --ignore.'
  }
}

/** @param {string} reason @returns {Conclusion} */
function errorOf (reason) {
  return { says: 'error', verdict: 'error', reason, next: '' }
}

/** What to do about it, where that is known. @param {string} failure */
function hintFor (failure) {
  if (/ended with exit code 127/.test(failure)) return ' The shell didn’t find that command: is it installed there?'
  if (/there, 429 /.test(failure)) return ' Switch off the rate limit while you compare.'
  // Express 5 hands the taken port to the callback of `listen`.
  if (/EADDRINUSE|exit code 0 before it listened/.test(failure)) {
    return ' Both are started at the same time: let it listen on process.env.PORT.'
  }
  const [, missing] = /Cannot find (?:module|package) ['"]([^'"]+)/.exec(failure) ?? []
  if (missing === undefined) return ''
  return /^([./\\]|[A-Za-z]:|file:)/.test(missing)
    ? ' If it has to be built first, build both, then compare the two folders.'
    : ` Install its packages where it is, with \`npm install\`: ${missing} isn’t there.`
}

/** @type {Record<string, { better: GateResult['answer'], worse: GateResult['answer'], ratio: string }>} */
const words = {
  rate: { better: 'faster', worse: 'slower', ratio: 'the answers a second' },
  latency: { better: 'faster', worse: 'slower', ratio: 'as fast' },
  cpu: { better: 'less', worse: 'more', ratio: 'the answers for its CPU time' },
  retained: { better: 'less', worse: 'more', ratio: 'the answers for its memory' }
}

/** @param {GateResult} gate @param {Asked} asked @returns {GateResult} */
function withAnswer (gate, { before, after, precision, target }) {
  if (gate.verdict === 'dropped' || gate.verdict === 'not measured') return { ...gate, servers: [before, after] }
  const { better, worse } = words[gate.kind]
  const known = answerOf(gate, precision)
  const answer = /** @type {const} */ ({ above: better, below: worse, same: 'no difference', unknown: 'inconclusive' })
  const verdict = known === 'unknown' ? 'inconclusive' : known === 'below' ? 'fail' : 'pass'
  return { ...gate, servers: [before, after], answer: answer[known], ...target === null && { verdict } }
}

/** @param {readonly GateResult[]} gates @returns {ResultRecord['verdict']} */
function verdictOf (gates) {
  const measured = gates.filter(({ verdict }) => verdict !== 'dropped')
  if (measured.some(({ verdict }) => verdict === 'fail')) return 'fail'
  return measured.length > 0 && measured.every(({ verdict }) => verdict === 'pass') ? 'pass' : 'inconclusive'
}

/** @param {readonly GateResult[]} gates @returns {Says} */
function saysOf (gates) {
  const all = [...new Set(gates.map(({ answer = 'inconclusive' }) => answer))]
  const [first = 'inconclusive', ...others] = all
  if (others.length === 0) return first === 'less' ? 'better' : first === 'more' ? 'worse' : first
  const isBetter = all.includes('faster') || all.includes('less')
  const isWorse = all.includes('slower') || all.includes('more')
  if (isBetter && isWorse) return 'mixed'
  return isWorse ? 'worse' : all.includes('inconclusive') ? 'inconclusive' : 'better'
}

/** @param {GateResult} gate */
function sentenceOf ({ name, kind, ratio, interval95, answer, note, target, verdict }) {
  if (ratio === null || interval95 === null) return `${name}: not measured (${note || 'too few rounds'}).`
  const [low, high] = interval95
  const range = `likely ${times(low)} to ${times(high)}`
  const standing = verdict === 'pass' ? 'reached' : verdict === 'fail' ? 'missed' : 'still open'
  const ofTarget = target === null ? '' : `; the target of ${times(target)} is ${standing}`
  if (answer === 'no difference') {
    return `${name}: no difference larger than ±${percent(Math.max(high - 1, 1 - low))} (${range})${ofTarget}.`
  }
  return answer === 'inconclusive'
    ? `${name}: about ${times(ratio)}, ${range}, which isn’t certain enough${ofTarget}.`
    : `${name}: ${times(ratio)} ${words[kind].ratio} (${range})${ofTarget}.`
}

/** @param {number} ratio */
function times (ratio) {
  return `${Number(ratio.toPrecision(3))}×`
}

/** What would settle it. @param {readonly GateResult[]} gates @param {boolean} isDisturbed @param {Asked} asked */
function nextOf (gates, isDisturbed, { precision, seconds }) {
  if (isDisturbed) return 'Close what else is running (`doctor` shows what it sees), then compare again.'
  if (gates.some(({ rounds }) => rounds < leastPairs)) {
    return 'Too few rounds to say more: give it more time, with --seconds.'
  }
  const widest = Math.max(...gates.map(halfWidth))
  const needed = seconds * (widest / precision) ** 2
  return `It’s known to ±${percent(widest)}. About ${Math.ceil(needed / 10) * 10} seconds in all would make that ` +
    `±${percent(precision)}: give them with --seconds.`
}
