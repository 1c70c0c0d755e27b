import { percent } from '../../format.js'
import { leadingGate, leadingReason, reachedTier } from '../../judge/index.js'
import { cleanLine } from '../../report/index.js'

/**
 * What the room knows of a check. It is derived from its record whenever that arrives or is read, so that an old room
 * learns new facts. Pure.
 *
 * @import { SentRecord } from '../../judge/index.js'
 * @import { Report } from '../store/store.js'
 *
 * @typedef {object} Facts
 * @property {string} lesson id
 * @property {SentRecord['verdict']} verdict
 * @property {string | null} reason null: it passed
 * @property {number | null} ratio of the first gate
 * @property {number | null} low of the ratio, 95 %
 * @property {number | null} high of the ratio, 95 %
 * @property {number | null} share of what this machine's bare server answers, 0 to 1
 * @property {string | null} tier
 * @property {string[]} unfit sentences about the machine
 *
 * @typedef {Omit<Report, 'record'> & Facts} KnownReport
 */

const longestSentence = 400
/** More is stolen time than a check should bear. */
const muchSteal = 0.05

/** @param {Report} report @returns {KnownReport} */
export function knownOf ({ record, ...report }) {
  return { ...report, ...factsOf(JSON.parse(record)) }
}

/** @param {SentRecord} record @returns {Facts} */
export function factsOf (record) {
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
