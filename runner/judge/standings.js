import { courseAfter } from './course.js'
import { targetOf } from './gate.js'
import { judgeRounds } from './judge-rounds.js'
import { mostRounds } from './plan.js'
import { gatesOf, mergeTiers } from './tiers.js'

/**
 * How the gates of a lesson stand after the rounds so far. What was decided at a look stays decided.
 *
 * @import { Round } from './round.js'
 * @import { Gate } from './gate-kinds.js'
 * @import { CoursePoint, GateResult } from './record.js'
 *
 * @typedef {object} Standings
 * @property {(rounds: readonly Round[], options?: { last?: boolean }) => GateResult[]} judge
 * @property {(load: string, rounds: readonly Round[]) => boolean} isOpen would another round of
 *   this load say something?
 * @property {() => boolean} hasFailed has a gate failed?
 */

/** Once a gate has passed, its higher tiers are not worth more rounds than this. */
const mostForTier = 10

/**
 * @param {{ gates: Gate[] }} lesson
 * @param {{ cores: number, tellsUse: boolean }} machine
 * @returns {Standings}
 */
export function createStandings (lesson, machine) {
  /** @type {Map<string, GateResult>} */
  const decided = new Map()
  /** By gate. @type {Map<string, CoursePoint[]>} */
  const courses = new Map()
  const judgeOne = (
    /** @type {Gate} */ gate,
    /** @type {readonly Round[]} */ rounds,
    /** @type {{ last?: boolean }} */ options
  ) =>
    gatesOf(gate).map(({ tier, gate: one }) => {
      const key = `${gate.name}/${tier}`
      const result = decided.get(key) ?? judgeRounds(one, machine, rounds, options)
      if (result.verdict === 'pass' || result.verdict === 'fail') decided.set(key, result)
      return { tier, result }
    })
  const verdictOf = (/** @type {string} */ name, /** @type {string} */ tier) => decided.get(`${name}/${tier}`)?.verdict
  return {
    judge: (rounds, options = {}) => lesson.gates.map((gate) => {
      const result = mergeTiers(judgeOne(gate, rounds, options))
      const number = rounds.findLast(({ result: { load } }) => load === gate.load)?.result.number
      if (number === undefined) return result
      const course = courseAfter(courses.get(gate.name) ?? [], number, result)
      courses.set(gate.name, course)
      return { ...result, course }
    }),
    isOpen: (load, rounds) => {
      const counted = rounds.filter((round) => round.result.load === load && !round.disturbed).length
      if (counted >= mostRounds) return false
      return lesson.gates.some(
        (gate) =>
          gate.load === load &&
          targetOf(gate, machine) !== undefined &&
          gatesOf(gate).some(({ tier }, at) => !verdictOf(gate.name, tier) && (at === 0 || counted < mostForTier))
      )
    },
    hasFailed: () => lesson.gates.some((gate) => verdictOf(gate.name, gatesOf(gate)[0].tier) === 'fail')
  }
}
