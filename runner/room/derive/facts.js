import { percent } from '../../format.js'
import { leadingGate, leadingReason, reachedTier } from '../../judge/index.js'
import { distanceOf } from './distance.js'
import { inKnownWords } from './known-words.js'

/**
 * What the room knows about a check. It's derived from the record whenever that arrives or is read, so that an old room
 * learns new facts. Pure.
 *
 * @import { SentRecord } from '../../judge/index.js'
 * @import { Distance } from './distance.js'
 * @import { RoomLesson } from './known-words.js'
 * @import { Report } from '../store/store.js'
 *
 * @typedef {object} Facts
 * @property {string} lesson id
 * @property {SentRecord['verdict']} verdict
 * @property {string | null} reason null: it passed
 * @property {Distance | null} distance from the target of the gate that the reason is about
 * @property {string[]} failing names of checks and gates that failed
 * @property {number | null} ratio of the first gate
 * @property {number | null} target of that gate
 * @property {number | null} low of the ratio, 95 %
 * @property {number | null} high of the ratio, 95 %
 * @property {number | null} share of what this machine's bare server answers; null: missing or impossible
 * @property {string | null} tier
 * @property {string[]} unfit sentences about the machine
 *
 * @typedef {Omit<Report, 'record'> & Facts} KnownReport
 */

/** No server beats the bare one; measurements err by a few per cent. */
const mostShare = 1.2
const mostRatio = 1e6
/** Of a lesson that is gone. */
const unknown = { checks: [], gates: [], tiers: [] }
/** More stolen time than this is too much for a check. */
const muchSteal = 0.05

/** @param {Report} report @param {readonly RoomLesson[]} lessons of the room @returns {KnownReport} */
export function knownOf ({ record, ...report }, lessons) {
  const sent = JSON.parse(record)
  const own = lessons.find(({ id }) => id === sent.lesson.id) ?? unknown
  return { ...report, ...factsOf(inKnownWords(sent, own)) }
}

/** @param {SentRecord} record in known words @returns {Facts} */
export function factsOf (record) {
  const { lesson, verdict, gates, machine } = record
  const gate = leadingGate(gates)
  const ratio = gate && gate.ratio !== null && gate.ratio <= mostRatio ? gate.ratio : null
  const [low, high] = gate?.interval95 ?? [null, null]
  const isWithin = ratio !== null && (low === null || high === null || (low <= ratio && ratio <= high))
  const { reason, gate: missed } = leadingReason(record)
  const share = gate?.limit && gate.yours !== null && verdict === 'pass' ? gate.yours / gate.limit : null
  return {
    lesson: lesson.id,
    verdict,
    reason,
    distance: distanceOf(missed),
    failing: [
      ...record.contract.filter(({ status }) => status === 'fail'), ...gates.filter((one) => one.verdict === 'fail')
    ].map(({ name }) => name),
    ratio,
    target: distanceOf(gate)?.target ?? null,
    low,
    high,
    share: share !== null && share > 0 && share <= mostShare && isWithin ? share : null,
    tier: reachedTier(gate),
    unfit: unfitOf(machine)
  }
}

/** @param {SentRecord['machine']} machine @returns {string[]} sentences */
function unfitOf ({ cores, steal, warnings }) {
  return [
    ...cores < 2 ? ['It has one core: the load generator and the server share it.'] : [],
    ...steal !== null && steal > muchSteal ? [`${percent(steal)} of its CPU time went to other machines.`] : [],
    ...warnings
  ]
}
