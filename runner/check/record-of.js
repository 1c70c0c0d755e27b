import path from 'node:path'
import { contradictions, kindOf, nextWithPlace, seeMechanism, summariseLoad } from '../judge/index.js'
import { referenceOf } from '../lesson/index.js'
import { describeMachine } from '../process/index.js'
import { shownPath } from '../shared/text.js'
import { nothingInside } from './inside.js'

/**
 * @import { ContractResult, Decision, Evidence, GateResult, Names, ResultRecord } from '../judge/index.js'
 * @import { RoundResult } from '../judge/index.js'
 * @import { Lesson, LoadedLesson } from '../lesson/index.js'
 * @import { Inside } from './inside.js'
 * @import { Outcome } from './round.js'
 *
 * @typedef {object} Run
 * @property {Pick<LoadedLesson, 'number' | 'lesson'> & { solutionDir?: string }} entry
 * @property {string} submission what the learner calls the folder that was graded
 * @property {string} seed
 * @property {Date} startedAt
 * @property {number} [work] the share of its work that the data was sized to
 *
 * @typedef {object} Seen
 * @property {Decision} decision
 * @property {Evidence} evidence
 * @property {Partial<Omit<Outcome, 'rounds'>> & { rounds?: readonly { result: RoundResult }[] }} [outcome]
 * @property {Inside} [inside] what was seen after the verdict
 * @property {string[]} [warnings] all but those of the mechanism
 * @property {string} [output] what the submission wrote
 */

/** The record of one check, of whatever kind. @param {Run} run @param {Seen} seen @returns {ResultRecord} */
export function recordOf ({ entry, submission, seed, startedAt, work = 1 }, { decision, evidence, ...seen }) {
  const { outcome = {}, inside = nothingInside, warnings = [], output = '' } = seen
  const { lesson, number } = entry
  const { rounds = [], load = summariseLoad([], [], []), latencies = [], waterfall = null, steal = null } = outcome
  const { verdict, reason } = decision
  const { samples, limits } = inside
  const mechanism = outcome.cpuPerRequest === undefined
    ? null
    : seeMechanism(lesson, samples, outcome.cpuPerRequest, {
      passed: verdict === 'pass', unchanged: evidence.unchanged
    })
  const references = entry.solutionDir ? referenceOf({ solutionDir: entry.solutionDir }) : {}
  return {
    version: 1,
    lesson: { id: lesson.id, number, title: lesson.title },
    submission,
    verdict,
    reason,
    next: nextWithPlace(decision, samples.yours?.place ?? null),
    contract: evidence.contract.map((result) => withPromise(result, lesson.promises)),
    ...evidence.contract.length > 0 && Object.keys(lesson.promises ?? {}).length > 0 &&
      { rules: countRules(evidence.contract, lesson) },
    gates: evidence.gates.map((gate) => withScale(gate, lesson, references, limits)),
    rounds: rounds.map(({ result }) => result),
    load,
    ...latencies.length > 0 && { latencies },
    mechanism,
    waterfall,
    warnings: [...warnings, ...contradictions(mechanism)],
    output: output === '' ? [] : [{ server: 'yours', text: output }],
    machine: describeMachine({ steal, work }),
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime()
  }
}

/**
 * Failures come in the order in which the text promises what they break. Pure.
 *
 * @param {readonly ContractResult[]} contract
 * @param {Pick<Lesson, 'promises'>} lesson
 */
export function inOrderOfText (contract, { promises = {} }) {
  const rules = Object.keys(promises)
  const placeOf = (/** @type {ContractResult} */ { name }) => rules.includes(name) ? rules.indexOf(name) : rules.length
  return [...contract].sort((a, b) => placeOf(a) - placeOf(b))
}

/** A rule of the text may be what several checks look at. @param {ContractResult[]} contract @param {Lesson} lesson */
function countRules (contract, { promises = {} }) {
  const ruleOf = (/** @type {ContractResult} */ { name }) => promises[name] ?? name
  const broken = new Set(contract.filter(({ status }) => status === 'fail').map(ruleOf))
  const seen = new Set(contract.map(ruleOf))
  return { hold: seen.size - broken.size, of: new Set([...Object.values(promises), ...seen]).size }
}

/** @param {ContractResult} result @param {Record<string, string>} [promises] @returns {ContractResult} */
function withPromise (result, promises = {}) {
  const promised = result.promised ?? promises[result.name]
  return result.status === 'pass' || promised === undefined ? result : { ...result, promised }
}

/**
 * With what the reference reached, and what this machine can do.
 *
 * @param {GateResult} gate
 * @param {Lesson} lesson
 * @param {Record<string, number>} references by gate
 * @param {Map<string, number>} limits by load
 * @returns {GateResult}
 */
function withScale (gate, { gates }, { [gate.name]: reference }, limits) {
  const limit = limits.get(gates.find(({ name }) => name === gate.name)?.load ?? '')
  return {
    ...gate,
    ...gate.ratioUnit === '×' && reference !== undefined && { reference },
    ...kindOf(gate.kind).hasLimit && limit !== undefined && { limit }
  }
}

/**
 * Where a verdict sends its reader. Of other folders than the learner's copy no rounds are kept to go on with.
 *
 * @param {LoadedLesson} entry
 * @param {string} dir the folder that is graded
 * @returns {Names}
 */
export function namesOf ({ number, workspaceDir, solutionDir, slowDir }, dir) {
  const known = [['mine', workspaceDir], ['solution', solutionDir], ['slow', slowDir]]
  const shown = shownPath(dir)
  const [which] = known.find(([, place]) => path.resolve(place) === path.resolve(dir)) ??
    [`-- --server ${/\s/.test(shown) ? `"${shown}"` : shown}`]
  return {
    serve: `npm run serve lesson-${number} ${which}`,
    ...which === 'mine' && { more: `npm run check lesson-${number} -- --more` },
    writeUp: shownPath(path.join(solutionDir, 'README.md'))
  }
}
