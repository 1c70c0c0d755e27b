/**
 * @import { ContractResult, GateResult, Verdict } from './record.js'
 *
 * Everything that a verdict rests on.
 * @typedef {object} Evidence
 * @property {ContractResult[]} contract of the submission
 * @property {string[]} baselineFailures checks that the slow server fails and is not known to fail
 * @property {string | null} startFailure why the submission did not start
 * @property {string | null} crash what happened when the submission ended while it was being graded
 * @property {string[]} problems wrong answers of the submission under load, as sentences
 * @property {string | null} meddling what the submission did to the slow server, a sentence
 * @property {number} sightings slices in which something else was done to the slow server, by whomever
 * @property {string[]} baselineProblems the same for the slow server
 * @property {GateResult[]} gates
 * @property {'baseline' | 'yours' | 'both' | null} unfit in whose slices the load generator was too busy to be believed
 * @property {{ rounds: number, disturbed: number, idleServer: number, cause: string }} conditions
 * @property {boolean} unmeasured nobody has looked at its speed, on purpose
 * @property {boolean} unchanged the submission is still what learners start from
 * @property {string | null} place where the submission spends its time, a sentence; never part of a verdict
 *
 * @typedef {{ verdict: Verdict, reason: string, next: string }} Decision
 */

/** Nothing known yet. @returns {Evidence} */
export function newEvidence () {
  return {
    contract: [],
    baselineFailures: [],
    startFailure: null,
    crash: null,
    problems: [],
    meddling: null,
    sightings: 0,
    baselineProblems: [],
    gates: [],
    unfit: null,
    conditions: { rounds: 0, disturbed: 0, idleServer: 0, cause: '' },
    unmeasured: false,
    unchanged: false,
    place: null
  }
}

/**
 * What was found before the rounds, and what they found, as one. Pure.
 *
 * @param {Evidence} before
 * @param {Evidence} rounds
 * @returns {Evidence}
 */
export function mergeEvidence (before, rounds) {
  return { ...before, ...rounds, contract: [...before.contract, ...rounds.contract] }
}

/** Is speed what is left to speak of? Pure. @param {Evidence} evidence */
export function isSound ({ startFailure, crash, contract, problems, meddling, baselineFailures, baselineProblems }) {
  return startFailure === null && crash === null && meddling === null && problems.length === 0 &&
    baselineFailures.length === 0 && baselineProblems.length === 0 && contract.every(({ status }) => status === 'pass')
}

/**
 * The verdict. Pure, and in this order: what the workshop got wrong, what the submission got wrong, what was measured.
 *
 * @param {Evidence} evidence
 * @returns {Decision}
 */
export function decide (evidence) {
  const decision = meddled(evidence) ?? workshopFault(evidence) ?? wrongAnswers(evidence) ?? speed(evidence)
  if (!evidence.unchanged || decision.verdict === 'error' || decision.verdict === 'pass') return decision
  return { ...decision, reason: `This is the starting point: the slow server, unchanged. ${decision.reason}` }
}

/** Comes first: what it did may be why the slow server failed. @param {Evidence} evidence @returns {Decision | null} */
function meddled ({ meddling }) {
  if (meddling === null) return null
  return {
    verdict: 'fail',
    reason: meddling,
    next: 'Does your server ask other ports of this machine, or look for other processes? Leave both alone.'
  }
}

/** @param {Evidence} evidence @returns {Decision | null} */
function workshopFault ({ baselineFailures, baselineProblems }) {
  const faults = [...baselineFailures, ...baselineProblems]
  if (faults.length === 0) return null
  return {
    verdict: 'error',
    reason: `The slow server itself did not do what it should, so nothing can be said about yours: ${faults[0]}`,
    next: 'Run the check again. If it says the same, the fault is the workshop’s: please report it with the seed.'
  }
}

/** @param {Evidence} evidence @returns {Decision | null} */
function wrongAnswers ({ startFailure, crash, contract, problems }) {
  if (startFailure !== null) {
    return { verdict: 'fail', reason: startFailure, next: 'Start it by hand to see what it says: node server.js' }
  }
  if (crash !== null) {
    return {
      verdict: 'fail',
      reason: crash,
      next: 'Read the last lines that the server wrote, above. Which request did it get last?'
    }
  }
  const failed = contract.filter((check) => check.status === 'fail')
  if (failed.length > 0) {
    const times = { before: '', during: ' while the load runs', after: ' after the load' }[failed[0].when]
    return {
      verdict: 'fail',
      reason: 'Not every answer is right: ' +
        `${failed.length === 1 ? 'one check fails' : `${failed.length} checks fail, the first of them`}: that it ` +
        `“${failed[0].name}”${times}.`,
      next: 'Make it right before you make it fast: what does the slow server answer there, and what does yours?'
    }
  }
  if (problems.length > 0) {
    return {
      verdict: 'fail',
      reason: `Under load an answer was wrong: ${problems[0]}`,
      next: 'An answer that is wrong under load but right before it points at shared state. What do two requests ' +
        'share in your server?'
    }
  }
  return null
}

/** @param {Evidence} evidence @returns {Decision} */
function speed ({ gates, unfit, conditions, unmeasured, place }) {
  if (unmeasured) {
    return {
      verdict: 'inconclusive',
      reason: 'Every answer is right. How fast it is was not measured.',
      next: 'Measure it: run the check without --no-speed.'
    }
  }
  const measured = gates.filter((gate) => gate.verdict !== 'dropped')
  if (measured.length === 0) {
    return {
      verdict: 'inconclusive',
      reason: 'This machine can show none of this lesson’s gates.',
      next: 'Try a machine with more cores.'
    }
  }
  const failed = measured.find((gate) => gate.verdict === 'fail')
  if (conditions.idleServer > 0 && conditions.idleServer * 2 >= conditions.rounds) {
    return {
      verdict: 'fail',
      reason: `Your server keeps the processor busy while nobody asks it anything: ${conditions.cause}.`,
      next: 'What runs in your server when no request is open? A timer, a loop, work pushed to after the answer?'
    }
  }
  if (failed) {
    if (unfit === 'yours' || unfit === 'both') return generatorTooBusy(failed)
    return {
      verdict: 'fail',
      reason: `Every answer is right, and ${failed.name} is not there yet: ${sayRatio(failed)}.`,
      next: place ?? failed.look
    }
  }
  if (measured.every((gate) => gate.verdict === 'pass')) {
    if (unfit === 'baseline' || unfit === 'both') return generatorTooBusy(measured[0])
    return {
      verdict: 'pass',
      reason: `Every answer is right, and ${measured.map((gate) => `${gate.name}: ${sayRatio(gate)}`).join('; ')}.`,
      next: 'Read the solution’s write-up and compare: what did it do that you did not, and what did you do better?'
    }
  }
  const open = measured.filter((gate) => gate.verdict !== 'pass')
  return inconclusive(open[0], conditions)
}

/** @param {GateResult} gate @returns {Decision} */
function generatorTooBusy (gate) {
  return {
    verdict: 'inconclusive',
    reason: `The load generator was too busy to be believed, so ${gate.name} is its figure and not yours.`,
    next: 'Close other programs and run the check again.'
  }
}

/** @param {GateResult} gate @param {Evidence['conditions']} conditions @returns {Decision} */
function inconclusive (gate, conditions) {
  const disturbed = conditions.disturbed * 2 >= Math.max(conditions.rounds, 1)
  const cause = disturbed
    ? `Most rounds were disturbed: ${conditions.cause}.`
    : `${gate.name} is ${sayRatio(gate)}: too close to call on this machine today.`
  const more = gate.moreSeconds === null ? '' : ` About ${gate.moreSeconds} more seconds of rounds would settle it.`
  return {
    verdict: 'inconclusive',
    reason: `It could be either. ${cause}${more}`,
    next: disturbed
      ? 'Close what else is running (npm run doctor shows what it sees) and run the check again.'
      : 'Make the server clearly faster, or let the machine rest and run the check again.'
  }
}

/** @param {GateResult} gate */
function sayRatio (gate) {
  const { ratio, ratioUnit: unit, interval, direction } = gate
  const target = `(target ${direction} ${digits(gate.target ?? NaN)}${unit})`
  if (ratio === null) return `not measured ${target}`
  const between = interval === null ? '' : `, between ${digits(interval[0])} and ${digits(interval[1])}`
  return `${digits(ratio)}${unit}${between} ${target}${sayTiers(gate)}`
}

/** @param {GateResult} gate */
function sayTiers ({ tiers }) {
  if (tiers === null) return ''
  const reached = tiers.filter(({ verdict }) => verdict === 'pass')
  const next = tiers[reached.length]
  if (reached.length === 0) return ''
  const open =
    next?.verdict === 'inconclusive'
      ? `; ${next.name} is too close to call`
      : next
        ? `; ${next.name} is at ${digits(next.target)}×`
        : ''
  return `, which is ${reached[reached.length - 1].name}${open}`
}

/** Three significant digits, without an exponent. @param {number} value */
function digits (value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
