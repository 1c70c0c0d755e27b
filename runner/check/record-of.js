import { referenceOf } from '../lesson/index.js'
import { describeMachine } from '../system/index.js'

/**
 * @import { ContractResult, Decision, Evidence, GateResult, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
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

/** @type {ResultRecord['load']} */
const noLoad = {
  requests: 0,
  errors: 0,
  non2xx: 0,
  mismatches: 0,
  disturbedRounds: 0,
  generatorBusy: null,
  problems: []
}

/**
 * The record of one check, of whatever kind.
 *
 * @param {RecordParts} parts
 * @returns {ResultRecord}
 */
export function recordOf ({ entry, submission, decision, evidence, seed, startedAt, ...rest }) {
  const {
    rounds = [],
    load = noLoad,
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
    ...decision,
    contract: evidence.contract.map((result) => withPromise(result, entry.lesson.promises)),
    gates: evidence.gates.map((gate) => withReference(gate, references)),
    rounds,
    load,
    ...latencies.length > 0 && { latencies },
    mechanism,
    waterfall,
    warnings,
    output: output === '' ? [] : [{ server: 'yours', text: output }],
    machine: describeMachine({ steal, work }),
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime()
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
