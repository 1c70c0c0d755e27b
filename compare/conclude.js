import { createGateStandings, isInterim, isSound, judgePairs, judgeRounds, targetOf } from '../runner/judge/index.js'

/**
 * What a comparison says, in words. Pure.
 *
 * @import { Evidence, Gate, GateResult, Machine, ResultRecord, Round, Standings } from '../runner/judge/index.js'
 *
 * @typedef {NonNullable<ResultRecord['comparison']>['says']} Says
 * @typedef {object} Conclusion
 * @property {Says} says
 * @property {ResultRecord['verdict']} verdict
 * @property {string} reason
 * @property {string} next
 * @property {GateResult[]} gates
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
 * @returns {Conclusion}
 */
export function conclude (evidence, asked) {
  const gates = evidence.gates.map((gate) => withAnswer(gate, asked))
  const fault = isSound(evidence) ? null : faultOf(evidence, asked)
  if (fault) return { ...fault, gates }
  const verdict = verdictOf(gates)
  const { conditions: { rounds, disturbed, cause } } = evidence
  const isDisturbed = disturbed * 2 >= Math.max(rounds, 1)
  const reason = [
    ...gates.map((gate) => sentenceOf(gate)),
    ...evidence.contract.map(({ message }) => message).filter(Boolean).slice(0, 1),
    ...isDisturbed ? [`Most rounds were disturbed: ${cause}.`] : []
  ].join(' ')
  return { says: saysOf(gates), verdict, reason, next: nextOf(gates, { ...asked, verdict, isDisturbed }), gates }
}

/** Is the original to blame? @param {Pick<Evidence, 'baselineFailures' | 'baselineProblems'>} evidence */
export function isOfBefore ({ baselineFailures, baselineProblems }) {
  return baselineFailures.length + baselineProblems.length > 0
}

/** @param {Evidence} evidence @param {Asked} asked @returns {Omit<Conclusion, 'gates'>} */
function faultOf (evidence, { before, after }) {
  const {
    portTaken, interference, baselineFailures, baselineProblems, startFailure, crash, contract, problems
  } = evidence
  if (portTaken !== null) return errorOf(portTaken)
  if (interference !== null) {
    return errorOf(`While ${before} was being measured, ${after} was connected to it: let it call something else.`)
  }
  const [failure = baselineProblems[0]] = baselineFailures
  if (failure !== undefined) {
    return errorOf(failure.startsWith('it ended') || failure.startsWith('it was ended')
      ? `${failure.replace(/^it/, before)} under load.`
      : `${before}: ${failure}${hintFor(failure)}`)
  }
  if (startFailure !== null) return errorOf(`${after}: ${startFailure}${hintFor(startFailure)}`)
  const wrong = contract.find(({ status }) => status === 'fail')
  if (crash !== null) {
    return {
      says: 'crashed',
      verdict: 'fail',
      reason: crash.replace(/^Your server/, after),
      next: 'Read the last lines of its output. Which request did it get last?'
    }
  }
  return {
    says: 'different answers',
    verdict: 'fail',
    reason: wrong?.message.split('\n')[0] ?? `${after}, under load: ${problems[0] ?? 'an answer was wrong.'}`,
    next: 'Speed counts only where the answers are the same. If they may differ there, leave that out with --ignore.'
  }
}

/** @param {string} reason @returns {Omit<Conclusion, 'gates'>} */
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
  return /Cannot find (module|package)/.test(failure)
    ? ' If it has to be built first, build both, then compare the two folders.'
    : ''
}

/** Better and worse. @type {Record<string, GateResult['answer'][]>} */
const words = {
  rate: ['faster', 'slower'],
  latency: ['faster', 'slower'],
  cpu: ['less', 'more'],
  retained: ['less', 'more']
}

/** @param {GateResult} gate @param {Asked} asked @returns {GateResult} */
function withAnswer (gate, { before, after, precision, target }) {
  if (gate.verdict === 'dropped' || gate.verdict === 'not measured') return { ...gate, servers: [before, after] }
  const [better, worse] = words[gate.kind]
  const known = answerOf(gate, precision)
  /** @type {Record<typeof known, GateResult['answer']>} */
  const answers = { above: better, below: worse, same: 'no difference', unknown: 'inconclusive' }
  const verdict = known === 'unknown' ? 'inconclusive' : known === 'below' ? 'fail' : 'pass'
  return { ...gate, servers: [before, after], answer: answers[known], ...target === null && { verdict } }
}

/** @param {readonly GateResult[]} gates @returns {ResultRecord['verdict']} */
function verdictOf (gates) {
  const measured = gates.filter(({ verdict }) => verdict !== 'dropped')
  if (measured.some(({ verdict }) => verdict === 'fail')) return 'fail'
  return measured.length > 0 && measured.every(({ verdict }) => verdict === 'pass') ? 'pass' : 'inconclusive'
}

/** @param {readonly GateResult[]} gates @returns {Says} */
function saysOf (gates) {
  const [first = 'inconclusive', ...others] = new Set(gates.map(({ answer = 'inconclusive' }) => answer))
  if (others.length === 0) return first === 'less' ? 'better' : first === 'more' ? 'worse' : first
  const all = [first, ...others]
  const isBetter = all.includes('faster') || all.includes('less')
  const isWorse = all.includes('slower') || all.includes('more')
  if (isBetter && isWorse) return 'mixed'
  return isWorse ? 'worse' : all.includes('inconclusive') ? 'inconclusive' : 'better'
}

/** @param {number} share @returns {string} `3.1 %` */
function percent (share) {
  return `${Number((100 * share).toPrecision(2))} %`
}

/** @param {number} ratio */
function times (ratio) {
  return `${Number(ratio.toPrecision(3))}×`
}

/** @type {Record<string, string>} */
const ratios = {
  rate: 'the answers a second',
  latency: 'as fast',
  cpu: 'the answers for its CPU time',
  retained: 'the answers for its memory'
}

/** @param {GateResult} gate */
function sentenceOf (gate) {
  const { name, kind, ratio, interval95, answer, note } = gate
  if (ratio === null || interval95 === null) return `${name}: not measured (${note || 'too few rounds'}).`
  const [low, high] = interval95
  const range = `likely ${times(low)} to ${times(high)}`
  const what = {
    'no difference': `no difference larger than ±${percent(Math.max(high - 1, 1 - low))} (${range})`,
    inconclusive: `about ${times(ratio)}, ${range}, which isn’t certain enough`,
    other: `${times(ratio)} ${ratios[kind]} (${range})`
  }
  const isOpen = answer === 'no difference' || answer === 'inconclusive'
  return `${name}: ${what[isOpen ? answer : 'other']}${sayTarget(gate)}.`
}

/** @type {Record<string, string>} */
const standing = { pass: 'reached', fail: 'missed' }

/** @param {GateResult} gate */
function sayTarget ({ target, verdict }) {
  if (target === null) return ''
  return `; the target of ${times(target)} is ${standing[verdict] ?? 'still open'}`
}

/** @param {readonly GateResult[]} gates @param {Asked & { verdict: string, isDisturbed: boolean }} given */
function nextOf (gates, { precision, seconds, verdict, isDisturbed }) {
  if (verdict !== 'inconclusive') return ''
  if (isDisturbed) return 'Close what else is running (`doctor` shows what it sees), then compare again.'
  const widest = Math.max(...gates.map(halfWidth))
  const hasFew = gates.some(({ rounds }) => rounds < leastPairs)
  if (hasFew) return 'Too few rounds to say more: give it more time, with --seconds.'
  const needed = seconds * (widest / precision) ** 2
  return `It’s known to ±${percent(widest)}. About ${Math.ceil(needed / 10) * 10} seconds in all would make that ` +
    `±${percent(precision)}: give them with --seconds.`
}

/**
 * The standings of a comparison's gates. With a target, a gate is decided as in a lesson. Without, the question is how
 * much, so it stays open until its interval is narrow enough.
 */

/** Fewer agree by luck now and then, and their interval is narrow by luck. */
const leastPairs = 8

/**
 * @param {readonly Gate[]} gates
 * @param {Machine} machine
 * @param {{ target: number | null, precision: number, cyclesPerPair: number }} how precision: 0.05 is ±5 %;
 *   cyclesPerPair: Infinity where servers cannot be restarted
 * @returns {Standings}
 */
export function createComparisonStandings (gates, machine, { target, precision, cyclesPerPair }) {
  const isRestarted = Number.isFinite(cyclesPerPair)
  /** @type {Map<string, GateResult>} */
  const latest = new Map()
  const standings = createGateStandings(gates, {
    judge: (gate, /** @type {readonly Round[]} */ rounds, options) => {
      const result = isRestarted
        ? judgePairs(gate, machine, options.last ? rounds : wholePairs(rounds, gate.load, cyclesPerPair), options)
        : judgeRounds(gate, machine, rounds, options)
      const shown = target !== null || result.verdict === 'dropped' ? result : withoutTarget(result, options)
      latest.set(gate.name, shown)
      return shown
    },
    numberOf: (gate, rounds) => rounds.findLast(({ result: { load } }) => load === gate.load)?.result.number
  })
  const isSettled = (/** @type {Gate} */ gate) => target === null
    ? isAnswered(latest.get(gate.name), precision)
    : standings.isDecided(gate.name)
  return {
    ...standings,
    // A regression by one gate does not end the question by how much the others differ.
    hasFailed: () => false,
    isOpen: (load) => gates.some((gate) =>
      gate.load === load && targetOf(gate, machine) !== undefined && !isSettled(gate))
  }
}

/**
 * A pair that is still at work says nothing yet.
 *
 * @param {readonly Round[]} rounds
 * @param {string} load
 * @param {number} size rounds of a whole pair
 */
function wholePairs (rounds, load, size) {
  const own = rounds.filter(({ result }) => result.load === load)
  const last = own.at(-1)?.pair
  return own.filter(({ pair }) => pair === last).length < size ? own.filter(({ pair }) => pair !== last) : own
}

/** @param {GateResult} result @param {{ last?: boolean }} options @returns {GateResult} */
function withoutTarget (result, { last = false }) {
  const isDecided = result.verdict === 'pass' || result.verdict === 'fail'
  return { ...result, target: null, moreSeconds: null, ...isDecided && !last && { verdict: 'inconclusive' } }
}

/**
 * Half the width of the interval that is shown, as a share of the ratio; Infinity where nothing is known.
 *
 * @param {Pick<GateResult, 'interval95'>} gate
 */
export function halfWidth ({ interval95 }) {
  return interval95 === null ? Infinity : Math.sqrt(interval95[1] / interval95[0]) - 1
}

/**
 * What is known of the true ratio: that it's above 1, below 1, or that 1 lies in an interval as narrow as was wanted.
 * Pure.
 *
 * @param {GateResult} gate
 * @param {number} precision
 * @returns {'above' | 'below' | 'same' | 'unknown'}
 */
export function answerOf ({ interval, interval95, rounds }, precision) {
  if (interval === null || interval95 === null) return 'unknown'
  if (interval[0] > 1) return 'above'
  if (interval[1] < 1) return 'below'
  const isSame = isPrecise({ rounds, interval95 }, precision) && interval95[0] <= 1 && interval95[1] >= 1
  return isSame ? 'same' : 'unknown'
}

/** @param {Pick<GateResult, 'rounds' | 'interval95'>} gate @param {number} precision */
function isPrecise (gate, precision) {
  return gate.rounds >= leastPairs && halfWidth(gate) <= precision
}

/** @param {GateResult | undefined} gate @param {number} precision */
function isAnswered (gate, precision) {
  const isLook = gate !== undefined && isInterim(gate.rounds)
  return isLook && isPrecise(gate, precision) && answerOf(gate, precision) !== 'unknown'
}
