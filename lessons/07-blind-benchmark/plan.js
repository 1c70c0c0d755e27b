import { isObject, nearest, number, shortJson, whole } from '../../runner/shared/rules.js'
import { reports } from './simulate.js'

/**
 * A load plan: with which load a learner would compare two servers, and with which they'd find out how long clients
 * wait. Its words are those of autocannon, wrk2 and k6. Plain data, and pure functions of it.
 *
 * @import { Rule } from '../../runner/shared/rules.js'
 *
 * @typedef {object} Load at least `connections` or `rate`
 * @property {number} [connections] that are open at once; without a rate each sends as soon as it has its response
 * @property {number} [rate] requests/s by the clock
 * @property {number} [warmup] s of load that isn't counted, once for each server; default 0
 * @property {number} duration s of one round
 * @property {number} [rounds] of each server, which take turns; default 1
 * @property {keyof typeof reports} report
 *
 * @typedef {{ compare: Load, tail: Load }} LoadPlan
 */

const parts = ['compare', 'tail']
/** About what the two servers can do, requests/s: a load that compares rates has to bring more. */
const [slowerRate, fasterRate] = [150, 270]
/** Surely more than what the two can do. */
const enoughRate = 300
/** For one server. Who waits longer measures less often. */
const mostSeconds = 600

/** @type {Record<string, Rule>} */
const rules = {
  connections: whole(1, 1000),
  rate: number(1, 1000),
  warmup: number(0, mostSeconds),
  duration: number(0.1, mostSeconds),
  rounds: whole(1, 600),
  report: (value) => (Object.hasOwn(reports, value) ? undefined : `one of ${Object.keys(reports).join(', ')}`)
}

/** What is wrong with a plan, each problem a sentence. @param {any} plan @returns {string[]} */
export function problemsOfPlan (plan) {
  if (!isObject(plan)) return ['load.js must `export default` an object with the two loads `compare` and `tail`.']
  return [
    ...Object.keys(plan).filter((name) => !parts.includes(name))
      .map((name) => `There is no load \`${name}\`: the two are \`compare\` and \`tail\`.`),
    ...parts.flatMap((part) => isObject(plan[part])
      ? problemsOfLoad(plan[part]).map((problem) => `In \`${part}\`: ${problem}`)
      : [`\`${part}\` is missing: it must be an object with the fields of a load.`])
  ]
}

/** @param {any} load @returns {string[]} */
function problemsOfLoad (load) {
  const problems = ['duration', 'report'].filter((field) => load[field] === undefined)
    .map((field) => `\`${field}\` is missing: it must be ${rules[field](undefined) ?? 'there'}.`)
  for (const [field, value] of Object.entries(load).filter(([, value]) => value !== undefined)) {
    const must = Object.hasOwn(rules, field) && rules[field](value)
    if (must) problems.push(`\`${field}\` must be ${must}, got ${shortJson(value)}.`)
    if (Object.hasOwn(rules, field)) continue
    const [near] = nearest(field, Object.keys(rules), { limit: 1 })
    problems.push(`There is no field \`${field}\`${near ? `: did you mean \`${near}\`?` : '.'}`)
  }
  if (problems.length > 0) return problems
  if (load.connections === undefined && load.rate === undefined) {
    return ['Give `connections` for a closed loop, or `rate` for an open one.']
  }
  const seconds = Math.round(secondsOf(load))
  if (seconds <= mostSeconds) return []
  return [`It takes ${seconds} s for each server, including the wait for the last responses of each round: ` +
    `${mostSeconds} s is the most.`]
}

/** How long a load takes for the slower server, s: what it can't do at once is waited for. @param {Load} load */
export function secondsOf ({ connections = 1, rate, warmup = 0, duration, rounds = 1 }) {
  const sending = warmup + rounds * duration
  if (rate !== undefined) return sending * Math.max(1, rate / slowerRate)
  // A closed loop stops with a request of each connection underway: the server does one, and the others wait.
  return sending + (rounds + Math.sign(warmup)) * (connections - 1) / slowerRate
}

/** Why the rate that a plan compares would be the load's, not the server's; empty if not. @param {LoadPlan} plan */
export function tooLow ({ compare: { rate = Infinity, report } }) {
  if (report !== 'rate' || rate >= enoughRate) return ''
  const [server, can] = rate < slowerRate ? ['even the slower', slowerRate] : ['the faster', fasterRate]
  return `\`compare\` sends ${rate} requests/s, and ${server} server can do about ${can}. So whose rate does it ` +
    `report? Send ${enoughRate} or more.`
}
