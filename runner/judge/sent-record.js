/**
 * What of a result record leaves the learner's machine once they have joined a room: figures and names of checks. No
 * source code, no output of a server, no answer, no path. Pure.
 *
 * @import { ContractResult, GateResult, LoadResult, ResultRecord } from './record.js'
 *
 * @typedef {Pick<ResultRecord, 'version' | 'lesson' | 'verdict' | 'machine' | 'seed' | 'startedAt' | 'durationMs'> &
 *   SentParts} SentRecord
 *
 * @typedef {object} SentParts
 * @property {Pick<ContractResult, 'name' | 'when' | 'status'>[]} contract
 * @property {Omit<GateResult, 'look' | 'note'>[]} gates
 * @property {Omit<LoadResult, 'problems'> & { problems: number }} load
 */

/**
 * @param {ResultRecord | SentRecord} record
 * @returns {SentRecord} the same for a record that was sent before
 */
export function sentRecord (record) {
  const { version, lesson: { id, number, title }, verdict, contract, gates, load, machine, seed } = record
  const { requests, errors, non2xx, mismatches, disturbedRounds, generatorBusy, problems } = load
  const { work, node, v8, cpu, cores, platform, steal, warnings } = machine
  return {
    version,
    lesson: { id, number, title },
    verdict,
    contract: contract.map(({ name, when, status }) => ({ name, when, status })),
    gates: gates.map(sentGate),
    load: {
      requests,
      errors,
      non2xx,
      mismatches,
      disturbedRounds,
      generatorBusy,
      problems: typeof problems === 'number' ? problems : problems.length
    },
    machine: { work, node, v8, cpu, cores, platform, steal, warnings },
    seed,
    startedAt: record.startedAt,
    durationMs: record.durationMs
  }
}

/**
 * Why a check did not pass, in few words that are the same for everybody with the same trouble.
 *
 * @param {SentRecord} record
 * @returns {string | null} null: it passed
 */
export function leadingReason ({ verdict, contract, gates, load }) {
  if (verdict === 'pass') return null
  if (verdict === 'error') return 'the check could not be done'
  const wrong = contract.find(({ status }) => status === 'fail')
  if (wrong) return `not right: “${wrong.name}”`
  if (load.problems > 0) return 'wrong answers under load'
  const missed = gates.find((gate) => gate.verdict === 'fail')
  if (missed) return `not reached: ${missed.name}`
  if (verdict === 'fail') return 'did not run to the end'
  const open = gates.find((gate) => gate.verdict === 'inconclusive')
  return open ? `not certain: ${open.name}` : 'not measured'
}

/** @param {Omit<GateResult, 'look' | 'note'>} gate */
function sentGate (gate) {
  const { name, kind, unit, baseline, yours, ratio, ratioUnit, interval95, interval, confidence, direction } = gate
  const { target, verdict, rounds, moreSeconds, limit, reference } = gate
  const tiers = gate.tiers?.map((tier) => ({ name: tier.name, target: tier.target, verdict: tier.verdict })) ?? null
  return {
    ...{ name, kind, unit, baseline, yours, ratio, ratioUnit, interval95, interval, confidence, direction },
    ...{ target, verdict, rounds, moreSeconds, tiers, limit },
    ...reference === undefined ? {} : { reference }
  }
}
