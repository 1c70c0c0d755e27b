import { percent } from '../../format.js'
import { refuse } from '../../http/index.js'
import { leadingGate, leadingReason, reachedTier, sentRecord } from '../../judge/index.js'
import { cleanLine } from '../../report/index.js'

/**
 * @import { SentRecord } from '../../judge/index.js'
 * @import { Report } from '../store/store.js'
 *
 * @typedef {Omit<Report, 'seat' | 'source' | 'receivedAt'>} Facts what a report says, without who sent it and when
 */

export const mostRecordBytes = 64 * 1024
const longestName = 500
const longestSentence = 400
/** More is stolen time than a check should bear. */
const muchSteal = 0.05

/**
 * What a learner's machine sends is somebody's word: it is held against the shape of a record, and what belongs to none
 * is dropped. Pure.
 *
 * @param {any} body `{ id, sentAt, record }`
 * @param {readonly string[]} lessons ids of the room's
 * @returns {{ facts: Facts, record: string }} record: JSON
 * @throws {import('../../errors.js').WorkshopError} with a status: why it is no report
 */
export function readReport (body, lessons) {
  const id = body?.id
  if (typeof id !== 'string' || !/^[\w-]{8,64}$/.test(id)) throw refuse(400, 'A report needs an id of 8 to 64 letters.')
  const sentAt = timeOf(body.sentAt)
  const startedAt = timeOf(body.record?.startedAt)
  const problem = sentAt === null || startedAt === null ? 'its times are none' : problemOf(body.record)
  if (problem !== null) throw refuse(400, `This is no record of a check: ${problem}.`)
  const sent = sentRecord(body.record)
  if (!lessons.includes(sent.lesson.id)) throw refuse(400, 'This room has no such lesson: it has others than yours.')
  const record = JSON.stringify({ ...sent, startedAt })
  if (Buffer.byteLength(record) > mostRecordBytes) throw refuse(413, 'That record is too long: 64 kB are the most.')
  return { facts: { id, sentAt: String(sentAt), startedAt: String(startedAt), ...factsOf(sent) }, record }
}

/** @param {SentRecord} record @returns {Omit<Facts, 'id' | 'sentAt' | 'startedAt'>} */
function factsOf (record) {
  const { lesson, verdict, gates, machine } = record
  const gate = leadingGate(gates)
  const [low, high] = gate?.interval95 ?? [null, null]
  const share = gate?.limit && gate.yours !== null && verdict === 'pass' ? gate.yours / gate.limit : null
  const reason = leadingReason(record)
  return {
    lesson: lesson.id,
    verdict,
    reason: reason === null ? null : cleanLine(reason).slice(0, longestSentence),
    ratio: gate?.ratio ?? null,
    low,
    high,
    share: share !== null && Number.isFinite(share) ? share : null,
    tier: reachedTier(gate),
    unfit: unfitOf(machine)
  }
}

/** @param {SentRecord['machine']} machine @returns {string[]} sentences */
function unfitOf ({ cores, steal, warnings }) {
  return [
    ...cores < 2 ? ['It has one core: the load generator and the server share it.'] : [],
    ...steal !== null && steal > muchSteal ? [`${percent(steal)} of its CPU time went to other machines.`] : [],
    ...warnings.map((warning) => cleanLine(warning).slice(0, longestSentence))
  ]
}

/** @param {any} record @returns {string | null} what is wrong with its shape */
function problemOf (record) {
  const { version, lesson, verdict, contract, gates, load, machine, seed } = record
  if (version !== 1) return 'its version is not 1'
  if (!isText(lesson?.id) || !isText(lesson.title) || !isNumber(lesson.number)) return 'its lesson is none'
  if (!verdicts.includes(verdict)) return 'its verdict is none'
  if (!isList(contract, 500, isCheck)) return 'its checks are none'
  if (!isList(gates, 50, isGate)) return 'its gates are none'
  if (!isLoad(load)) return 'its load is none'
  if (!isMachine(machine)) return 'its machine is none'
  return isText(seed) && isNumber(record.durationMs) ? null : 'its seed or its duration is none'
}

const verdicts = ['pass', 'fail', 'inconclusive', 'error']

/** @param {any} value @returns {string | null} ISO 8601, of a day on which somebody may have sat in a class */
function timeOf (value) {
  if (typeof value !== 'string' || value.length > 40) return null
  const at = Date.parse(value)
  return at > Date.UTC(2000) && at < Date.UTC(2200) ? new Date(at).toISOString() : null
}

/** @param {unknown} value @param {number} most @param {(one: any) => boolean} isOne */
function isList (value, most, isOne) {
  return Array.isArray(value) && value.length <= most && value.every(isOne)
}

/** @param {any} check */
function isCheck (check) {
  return isText(check?.name) && isText(check.when) && (check.status === 'pass' || check.status === 'fail')
}

/** @param {any} gate */
function isGate (gate) {
  const texts = [gate?.name, gate?.kind, gate?.unit, gate?.ratioUnit, gate?.direction, gate?.verdict]
  const numbers = [gate?.baseline, gate?.yours, gate?.ratio, gate?.target, gate?.moreSeconds, gate?.limit]
  return texts.every(isText) && numbers.every(isNumberOrNull) && isInterval(gate.interval95) &&
    isInterval(gate.interval) && isNumber(gate.rounds) && isNumber(gate.confidence) &&
    isNumberOrNull(gate.reference ?? null) && (gate.tiers === null || isList(gate.tiers, 20, isTier))
}

/** @param {any} tier */
function isTier (tier) {
  return isText(tier?.name) && isNumberOrNull(tier.target) && isText(tier.verdict)
}

/** @param {any} load */
function isLoad (load) {
  const { problems } = load ?? {}
  return [load?.requests, load?.errors, load?.non2xx, load?.mismatches, load?.disturbedRounds].every(isNumber) &&
    isNumberOrNull(load.generatorBusy) && (isNumber(problems) || Array.isArray(problems))
}

/** @param {any} machine */
function isMachine (machine) {
  return [machine?.node, machine?.v8, machine?.cpu, machine?.platform].every(isText) && isNumber(machine.cores) &&
    isNumber(machine.work) && isNumberOrNull(machine.steal) && isList(machine.warnings, 20, isSentence)
}

/** @param {any} value */
function isInterval (value) {
  return value === null || (Array.isArray(value) && value.length === 2 && value.every(isNumber))
}

/** @param {unknown} value */
function isText (value) {
  return typeof value === 'string' && value.length <= longestName
}

/** @param {unknown} value */
function isSentence (value) {
  return typeof value === 'string' && value.length <= 2 * longestSentence
}

/** @param {unknown} value */
function isNumber (value) {
  return typeof value === 'number' && Number.isFinite(value)
}

/** @param {unknown} value */
function isNumberOrNull (value) {
  return value === null || isNumber(value)
}
