import { nearest } from '../../near.js'
import { isObject, number, shortJson, whole } from '../../rules.js'
import { figures } from './plan-metric.js'

/**
 * A load plan: how a learner would measure a server. Plain data.
 *
 * @import { Rule } from '../../rules.js'
 * @import { FigureName } from './plan-metric.js'
 *
 * @typedef {object} LoadPlan
 * @property {number} [users] a closed loop: each sends its next request `pauseMs` after its last answer
 * @property {number} [requests] so many by each user, who then leaves; without it until the run ends
 * @property {number} [pauseMs] default 0
 * @property {number} [rampUpMs] the users start one after the other over this time; default 0
 * @property {number} [rate] instead of users an open loop: so many requests/s, whatever the server does
 * @property {number} [maxSockets] connections at a time; default: no bound
 * @property {string[]} paths taken in turn
 * @property {number} [warmUpMs] load before the first round that is not counted; default 0
 * @property {number} durationMs of one run: then nothing more is sent
 * @property {number} [rounds] the servers in turn, so many times; default 1
 * @property {FigureName} figure
 */

const longestMs = 600_000
/** @type {Record<string, Rule>} */
const rules = {
  users: whole(1, 200),
  requests: whole(1, 100_000),
  pauseMs: number(0, longestMs),
  rampUpMs: number(0, longestMs),
  rate: number(1, 1000),
  maxSockets: whole(1, 1000),
  paths: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 20 &&
    value.every((path) => typeof path === 'string' && /^\/[\x21-\x7e]*$/.test(path))
      ? undefined
      : 'a list of paths that begin with a slash',
  warmUpMs: number(0, longestMs),
  durationMs: number(10, longestMs),
  rounds: whole(1, 100),
  figure: (value) => (Object.hasOwn(figures, value) ? undefined : `one of ${Object.keys(figures).join(', ')}`)
}
const required = ['paths', 'durationMs', 'figure']
const ofUsers = ['requests', 'pauseMs', 'rampUpMs']

/**
 * What is wrong with a plan, each problem a sentence. Pure.
 *
 * @param {any} plan
 * @returns {string[]}
 */
export function problemsOfPlan (plan) {
  if (!isObject(plan)) {
    return ['load.js must `export default` an object with the fields of a load plan.']
  }
  const problems = []
  for (const field of required) {
    if (plan[field] === undefined) {
      problems.push(`\`${field}\` is missing: it must be ${rules[field](undefined) ?? 'there'}.`)
    }
  }
  for (const [field, value] of Object.entries(plan)) {
    if (value === undefined) continue
    if (!Object.hasOwn(rules, field)) {
      const [near] = nearest(field, Object.keys(rules), { limit: 1 })
      problems.push(`There is no field \`${field}\`${near ? `: did you mean \`${near}\`?` : '.'}`)
      continue
    }
    const must = rules[field](value)
    if (must) problems.push(`\`${field}\` must be ${must}, got ${shortJson(value)}.`)
  }
  if (problems.length > 0) return problems
  if ((plan.users === undefined) === (plan.rate === undefined)) {
    problems.push('Give either `users`, for a closed loop, or `rate`, for an open one.')
  }
  if (plan.rate !== undefined) {
    for (const field of ofUsers) {
      if (plan[field] !== undefined) {
        problems.push(`\`${field}\` belongs to \`users\`: in an open loop requests come by the clock.`)
      }
    }
  }
  if ((plan.rampUpMs ?? 0) > plan.durationMs) {
    problems.push('`rampUpMs` must not be longer than `durationMs`: some users would never come.')
  }
  return problems
}

/**
 * What no server can exceed under this load, not even one that answers at once, requests/s. Pure.
 *
 * @param {LoadPlan} plan
 * @returns {number} Infinity where the server alone decides
 */
export function ceilingOf ({ rate, users = 1, requests = Infinity, pauseMs = 0, rampUpMs = 0 }) {
  if (rate !== undefined) return rate
  if (requests === Infinity) return 1000 * users / pauseMs
  const lastStartMs = rampUpMs * (users - 1) / users
  return 1000 * users * requests / (lastStartMs + (requests - 1) * pauseMs)
}

/**
 * How long one comparison takes: both servers, the warm-up and all rounds. Pure.
 *
 * @param {LoadPlan} plan
 * @returns {number} ms
 */
export function timeOfPlan ({ warmUpMs = 0, rounds = 1, durationMs }) {
  return 2 * (warmUpMs + rounds * durationMs)
}
