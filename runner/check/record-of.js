import { contradictions, nextWithPlace, summariseLoad } from '../judge/index.js'
import { referenceOf } from '../lesson/index.js'
import { describeMachine } from '../system/index.js'
import { withLimit } from './limit.js'

/**
 * @import { ContractResult, Decision, Evidence, GateResult, ResultRecord } from '../judge/index.js'
 * @import { Lesson, LoadedLesson } from '../lesson/index.js'
 * @import { InsideEvidence } from './context.js'
 *
 * @typedef {object} RecordParts
 * @property {LoadedLesson} entry
 * @property {string} submission what the learner calls the folder that was graded
 * @property {Decision} decision
 * @property {Evidence} evidence
 * @property {ResultRecord['rounds']} [rounds]
 * @property {ResultRecord['load']} [load]
 * @property {ResultRecord['latencies']} [latencies]
 * @property {ResultRecord['mechanism']} [mechanism]
 * @property {ResultRecord['waterfall']} [waterfall]
 * @property {string[]} [warnings]
 * @property {string} [output] what the submission wrote
 * @property {number | null} [steal]
 * @property {number} [work]
 * @property {string} seed
 * @property {Date} startedAt
 */

/**
 * The record of one check, of whatever kind.
 *
 * @param {RecordParts} parts
 * @returns {ResultRecord}
 */
export function recordOf ({ entry, submission, decision, evidence, seed, startedAt, ...rest }) {
  const {
    rounds = [],
    load = summariseLoad([], [], []),
    latencies = [],
    mechanism = null,
    waterfall = null,
    warnings = [],
    output = '',
    steal = null,
    work = 1
  } = rest
  const references = referenceOf(entry)
  return {
    version: 1,
    lesson: { id: entry.lesson.id, number: entry.number, title: entry.lesson.title },
    submission,
    verdict: decision.verdict,
    reason: decision.reason,
    next: decision.next,
    contract: evidence.contract.map((result) => withPromise(result, entry.lesson.promises)),
    gates: evidence.gates.map((gate) => withReference(gate, references)),
    rounds,
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
 * The same record with what was seen inside the servers after the verdict. Pure but for the clock.
 *
 * @param {ResultRecord} record
 * @param {object} found
 * @param {Lesson} found.lesson
 * @param {string} [found.advice] the part of the next step behind which the place to look at belongs
 * @param {InsideEvidence} found.inside
 * @param {ResultRecord['mechanism']} found.mechanism
 * @param {string[]} found.warnings all but those of the mechanism
 * @returns {ResultRecord}
 */
export function withInside (record, { lesson, advice, inside: { samples, limits }, mechanism, warnings }) {
  return {
    ...record,
    next: nextWithPlace({ next: record.next, advice }, samples.yours?.place ?? null),
    gates: record.gates.map((gate) => withLimit(gate, lesson, limits)),
    mechanism,
    warnings: [...warnings, ...contradictions(mechanism)],
    durationMs: Date.now() - Date.parse(record.startedAt)
  }
}

/** @param {GateResult} gate @param {Record<string, number>} references @returns {GateResult} */
function withReference (gate, references) {
  const reference = references[gate.name]
  return reference === undefined || gate.ratioUnit !== '×' ? gate : { ...gate, reference }
}

/** @param {ContractResult} result @param {Record<string, string>} [promises] @returns {ContractResult} */
function withPromise (result, promises = {}) {
  const promised = result.promised ?? promises[result.name]
  return result.status === 'pass' || promised === undefined ? result : { ...result, promised }
}
