import { plural } from '../shared/format.js'
import { kindOf } from './gate-kinds.js'
import { isClose, mostRounds, sayMeasured, sayOpen, sayRatio, sideOfTarget, targetOf } from './gate.js'
import { geometricMean } from './statistics.js'

/**
 * Everything that a verdict rests on.
 * @import { Gate, Machine } from './gate-kinds.js'
 * @import { ContractResult, GateResult, LatencyResult, ResultRecord, RoundResult, Verdict } from './record.js'
 *
 * @typedef {object} Evidence
 * @property {ContractResult[]} contract of the submission
 * @property {string[]} baselineFailures checks that the slow server fails and is not known to fail
 * @property {string | null} portTaken another program had the port of a server, a sentence
 * @property {string | null} unclear what was late while the slow server was late, too, a sentence
 * @property {string | null} startFailure why the submission did not start
 * @property {string | null} crash what happened when the submission ended while it was being graded
 * @property {string[]} problems wrong answers of the submission under load, as sentences
 * @property {string | null} interference what the submission did to the slow server, a sentence
 * @property {string[]} interfered what else was done to the slow server, whatever did it: a sentence for each slice
 * @property {string[]} baselineProblems wrong answers of the slow server, and interference that was no chance
 * @property {GateResult[]} gates
 * @property {{ rounds: number, disturbed: number, idleServer: number, cause: string }} conditions
 * @property {boolean} unmeasured its speed was not measured, on purpose
 * @property {boolean} unchanged the submission is still what learners start from
 *
 * @typedef {{ verdict: Verdict, reason: string, next: string, advice?: string }} Decision advice: the part of `next`
 *   that says where to look, in general
 *
 * Places that a verdict sends its reader to.
 * @typedef {object} Names
 * @property {string} serve the command that starts what was graded, to look at it by hand
 * @property {string} [more] the command that goes on with its rounds, where that's possible
 * @property {string} writeUp of the reference solution: a path
 */

/** @type {Names} */
const anyLesson = { serve: 'npm run serve lesson-N mine', writeUp: 'solutions/NN-name/README.md' }
/** So many seconds of rounds settle most of what is close: more than a check takes by itself. */
const moreTime = 60
/** Where this machine can't show what a lesson is about. */
const elsewhere = 'Measure it on a machine or in a container with at least two CPUs. On this one, check the answers ' +
  'alone: -- --no-speed.'

/** Nothing known yet. @returns {Evidence} */
export function newEvidence () {
  return {
    contract: [],
    baselineFailures: [],
    portTaken: null,
    unclear: null,
    startFailure: null,
    crash: null,
    problems: [],
    interference: null,
    interfered: [],
    baselineProblems: [],
    gates: [],
    conditions: { rounds: 0, disturbed: 0, idleServer: 0, cause: '' },
    unmeasured: false,
    unchanged: false
  }
}

/** Whatever is done to the slow server in so many slices is done on purpose. */
const mostInterferences = 2

/**
 * Evidence with what was found since: sentences and results add up, everything else replaces what was known. Pure.
 *
 * @param {Evidence} known
 * @param {...Partial<Evidence>} found
 * @returns {Evidence}
 */
export function mergeEvidence (known, ...found) {
  return found.reduce((/** @type {Evidence} */ before, more) => {
    const lists = /** @type {const} */ (['baselineFailures', 'problems', 'baselineProblems', 'interfered'])
    const added = Object.fromEntries(lists.map((list) => [list, [...before[list], ...more[list] ?? []]]))
    // Once may be chance, as when another program looks for a free port; such a round doesn't count.
    added.baselineProblems.push(...added.interfered.slice(Math.max(before.interfered.length, mostInterferences - 1)))
    const isKnown = Object.entries(more).filter(([, value]) => value !== null)
    const contract = [...before.contract, ...more.contract ?? []]
    return { ...before, ...Object.fromEntries(isKnown), ...added, contract }
  }, known)
}

/** Is speed what is left to speak of? Pure. @param {Evidence} evidence */
export function isSound (evidence) {
  const {
    portTaken, unclear, startFailure, crash, contract, problems, interference, baselineFailures, baselineProblems
  } = evidence
  return [portTaken, unclear, startFailure, crash, interference].every((one) => one === null) &&
    problems.length === 0 &&
    baselineFailures.length === 0 && baselineProblems.length === 0 && contract.every(({ status }) => status === 'pass')
}

/** Is a pass possible? Pure. @param {Evidence} evidence */
export function mayPass (evidence) {
  const isOver = evidence.gates.every(({ verdict }) => verdict === 'pass' || verdict === 'dropped')
  return isOver && !evidence.unmeasured && isSound(evidence)
}

/**
 * The verdict. Pure, and in this order: what the workshop got wrong, what the submission got wrong, what was measured.
 *
 * @param {Evidence} evidence @param {Names} [names] @returns {Decision}
 */
export function decide (evidence, names = anyLesson) {
  const decision =
    interferenceFault(evidence) ?? workshopFault(evidence) ?? wrongAnswers(evidence, names) ?? tooLate(evidence) ??
    speed(evidence, names)
  if (!evidence.unchanged || decision.verdict === 'error' || decision.verdict === 'pass') return decision
  if (decision.verdict === 'fail' && isSound(evidence) && evidence.contract.length === 0) return starting(evidence)
  const next = evidence.contract.some(({ status }) => status === 'fail')
    ? 'You haven’t changed it yet, so this is how the lesson begins: making it right is part of it.'
    : decision.next
  return { ...decision, next, reason: `This is where everyone starts: nothing is changed yet. ${decision.reason}` }
}

/**
 * The next step, with the place in the learner's code at which to look behind the advice of a gate. Pure.
 *
 * @param {Pick<Decision, 'next' | 'advice'>} decision
 * @param {string | null} place a sentence
 */
export function nextWithPlace ({ next, advice = '' }, place) {
  return place === null || advice === '' ? next : next.replace(advice, () => `${advice} ${place}`)
}

/** @param {string} reason @param {string} next @param {string} [advice] @returns {Decision} */
function fail (reason, next, advice) {
  return { verdict: 'fail', reason, next, ...advice === undefined ? {} : { advice } }
}

/** The slow server is as fast as itself, so no request was sent. @param {Evidence} evidence @returns {Decision} */
function starting ({ gates }) {
  const failed = gates.filter(({ verdict }) => verdict === 'fail')
  const targets = failed.map(({ name, target, ratioUnit, direction }) =>
    `${direction === 'at least' ? '' : 'at most '}${Number((target ?? NaN).toPrecision(3))}${ratioUnit} for ${name}`)
  const [{ look }] = failed
  return fail('This is the slow server, unchanged: it’s exactly as fast as itself (1×). ' +
    `The ${targets.length === 1 ? 'target is' : 'targets are'} ${targets.join(', ')}.`, look, look)
}

/** Comes first: what it did may be why the slow server failed. @param {Evidence} evidence @returns {Decision | null} */
function interferenceFault ({ interference }) {
  if (interference === null) return null
  return fail(interference,
    'Does your server connect to other ports on this machine, or look for other processes? Leave both alone.')
}

/** @param {Evidence} evidence @returns {Decision | null} */
function workshopFault ({ portTaken, baselineFailures, baselineProblems }) {
  if (portTaken !== null) {
    return { verdict: 'error', reason: `This couldn’t be checked. ${portTaken}`, next: 'Run the check again.' }
  }
  const faults = [...baselineFailures, ...baselineProblems]
  if (faults.length === 0) return null
  return {
    verdict: 'error',
    reason: `The slow server itself didn’t do what it should, so this check says nothing about yours: ${faults[0]}`,
    next: 'Run the check again. If you get the same result, it’s a bug in the workshop: please report it with the seed.'
  }
}

/** @param {Evidence} evidence @param {Names} names @returns {Decision | null} */
function wrongAnswers ({ startFailure, crash, contract, problems }, { serve }) {
  if (startFailure !== null) return fail(startFailure, `See its whole output: ${serve}`)
  if (crash !== null) return fail(crash, 'Read the last lines of the server’s output. Which request did it get last?')
  const failed = contract.filter((check) => check.status === 'fail')
  if (failed.length > 0) {
    const when = { before: '', during: ' under load', after: ' after the load' }[failed[0].when]
    const reason = 'Not every answer is right. ' +
      `${failed.length === 1 ? 'One check failed' : `${failed.length} checks failed. The first one`}${when}: ` +
      `a correct server ${failed[0].name}.`
    return fail(reason, failed.some(({ requests = [] }) => requests.length > 0)
      ? 'Make it right before you make it fast: send the requests above to both servers, and compare the answers.'
      : 'Make it right before you make it fast: how does the slow server answer here, and how does yours?')
  }
  if (problems.length > 0) {
    const isSilent = / no answer within /.test(problems[0])
    return fail(`${isSilent ? 'Your server didn’t answer' : 'An answer was wrong'} under load: ${problems[0]}`,
      'An answer that is right on its own but wrong under load points to shared state. What do two requests ' +
        'share in your server?')
  }
  return null
}

/** @param {Evidence} evidence @returns {Decision | null} */
function tooLate ({ unclear }) {
  if (unclear === null) return null
  return {
    verdict: 'inconclusive',
    reason: unclear,
    next: 'Close what else is running, which npm run doctor shows, then run the check again.'
  }
}

/** The reason where only answers were to be checked, and all of them are right. */
export const answersAreRight = 'Every answer is right. Its speed wasn’t measured.'

/** @param {Evidence} evidence @param {Names} names @returns {Decision} */
function speed ({ gates, conditions, unmeasured }, names) {
  if (unmeasured) {
    return {
      verdict: 'inconclusive',
      reason: answersAreRight,
      next: 'Measure it: run the check without --no-speed.'
    }
  }
  const measured = gates.filter((gate) => gate.verdict !== 'dropped')
  if (measured.length === 0) {
    return {
      verdict: 'inconclusive',
      reason: 'This machine can’t measure any of this lesson’s targets.',
      next: elsewhere
    }
  }
  const failed = measured.find((gate) => gate.verdict === 'fail')
  if (conditions.idleServer > 0 && conditions.idleServer * 2 >= conditions.rounds) {
    return fail(`Your server keeps the processor busy while no request is in flight: ${conditions.cause}.`,
      'What runs in your server when no request is in flight? A timer, a loop, work put off until later?')
  }
  if (failed) {
    const { name, look } = failed
    return fail(`Every answer is right, and ${name} isn’t there yet: ${sayMeasured(failed)}.`, look, look)
  }
  if (measured.every((gate) => gate.verdict === 'pass')) {
    // The slow server would pass these, too.
    if (!measured.some(tellsApart)) {
      return {
        verdict: 'inconclusive',
        reason: 'Every answer is right, but this machine can’t show what this lesson is about: ' +
          `${gates.filter(({ verdict }) => verdict === 'dropped').map(({ name }) => name).join(', ')}.`,
        next: elsewhere
      }
    }
    return {
      verdict: 'pass',
      reason: 'Every answer is right, and every target is reached: ' +
        `${measured.map((gate) => `${gate.name} ${sayMeasured(gate)}`).join('; ')}.`,
      next: `Read ${names.writeUp} and compare: what did it do that you didn’t, and what did you do better?`
    }
  }
  return inconclusive(measured, conditions, names)
}

/**
 * @param {readonly GateResult[]} gates none has failed, not all have passed
 * @param {Evidence['conditions']} conditions
 * @param {Names} names
 * @returns {Decision}
 */
function inconclusive (gates, conditions, { more }) {
  const passed = gates.filter((gate) => gate.verdict === 'pass')
  const open = gates.filter((gate) => gate.verdict !== 'pass')
  const isDisturbed = conditions.disturbed * 2 >= Math.max(conditions.rounds, 1)
  const seconds = open.every(({ moreSeconds }) => moreSeconds !== null)
    ? Math.round(open.reduce((sum, { moreSeconds }) => Math.max(sum, moreSeconds ?? 0), 0))
    : 0
  const reason = [
    'Every answer is right.',
    ...passed.length > 0 ? [`Passed: ${passed.map((gate) => `${gate.name} ${sayRatio(gate)}`).join(', ')}.`] : [],
    `Still open: ${open.map(sayOpen).join('; ')}.`,
    ...isDisturbed ? [`Most rounds were disturbed: ${conditions.cause}.`] : [],
    ...seconds > 0 ? [`About ${plural(seconds, 'more second')} of rounds would settle it.`] : []
  ].join(' ')
  return { verdict: 'inconclusive', reason, ...nextOf(open, { isDisturbed, more }) }
}

/**
 * A gate that's behind needs a look at the code; where all open ones are ahead, only time is missing.
 *
 * @param {readonly GateResult[]} open
 * @param {{ isDisturbed: boolean, more?: string }} given
 * @returns {Pick<Decision, 'next' | 'advice'>}
 */
function nextOf (open, { isDisturbed, more }) {
  if (open.every(({ rounds }) => rounds >= mostRounds)) {
    return { next: 'More rounds won’t settle this: a little more margin will.' }
  }
  const time = more === undefined
    ? `run the check again with more time: -- --seconds ${moreTime}`
    : `go on with the rounds you have: ${more}`
  const goOn = isDisturbed ? `close what else is running, which npm run doctor shows, then ${time}` : time
  const sentence = `${goOn[0].toUpperCase()}${goOn.slice(1)}`
  const behind = open.find((gate) => sideOfTarget(gate) === 'behind')
  if (!behind) return { next: sentence }
  const { look: advice } = behind
  return { next: isClose(behind) ? `${sentence}. If it stays open: ${advice}` : `${advice} Or ${goOn}`, advice }
}

/**
 * The state of the gates for the slow server itself: whatever one round shows, it is as fast as itself. Pure.
 *
 * @param {readonly Gate[]} gates
 * @param {Machine} machine
 * @param {readonly GateResult[]} results of a round or none
 * @returns {GateResult[] | null} null where none of them fails by that alone
 */
export function unchangedGates (gates, machine, results) {
  const judged = results.map((result, at) => judgeUnchanged(gates[at], machine, result))
  return judged.some(({ verdict }) => verdict === 'fail') ? judged : null
}

/** Is yours compared with the baseline, and not judged by itself? @param {Pick<Gate, 'kind'>} gate */
function isRelative ({ kind }) {
  return kindOf(kind).ratio({ baseline: 2, yours: 2, seconds: 0 }) === 1
}

/**
 * Can the slow server fail this gate? If it requires no more than the slow server does, it only keeps others from doing
 * less. Pure.
 *
 * @param {Pick<GateResult, 'kind' | 'direction' | 'target'>} gate
 */
function tellsApart ({ kind, direction, target }) {
  return target !== null && (!isRelative({ kind }) || (direction === 'at least' ? target > 1 : target < 1))
}

/** @param {Gate} gate @param {Machine} machine @param {GateResult} result @returns {GateResult} */
function judgeUnchanged (gate, machine, result) {
  const target = targetOf(gate, machine) ?? null
  if (result.verdict === 'dropped' || !isRelative(gate) || !tellsApart({ ...result, target })) return result
  const { baseline, yours } = result
  const same = baseline === null || yours === null ? null : geometricMean([baseline, yours])
  return { ...result, baseline: same, yours: same, ratio: 1, verdict: 'fail', moreSeconds: null }
}

/**
 * The events of a check while it runs; the terminal draws them live.
 *
 * @typedef {{ type: 'phase', phase: 'start' | 'contract' | 'warm-up' | 'rounds' | 'after' | 'inside', text: string }}
 *   PhaseEvent
 * @typedef {{ type: 'check', result: ContractResult, done: number, total: number }} CheckEvent
 *
 * @typedef {object} RoundEvent
 * @property {'round'} type
 * @property {RoundResult} round
 * @property {GateResult[]} gates in their current state; verdict `inconclusive` means not settled yet
 * @property {LatencyResult[]} [latencies] of all rounds so far
 * @property {number} elapsedMs
 *
 * @typedef {{ type: 'verdict', record: ResultRecord }} VerdictEvent the record without what a look inside adds, as soon
 *   as the verdict is settled, where something is looked at afterwards
 * @typedef {PhaseEvent | CheckEvent | RoundEvent | VerdictEvent} CheckProgress
 */
