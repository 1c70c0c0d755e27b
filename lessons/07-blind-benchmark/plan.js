import { mean, quantile } from '../../runner/judge/index.js'
import { isObject, nearest, number, shortJson, whole } from '../../runner/shared/rules.js'

/**
 * A load plan: how a learner would measure a server. Plain data, and pure functions of it.
 *
 * @import { Rule } from '../../runner/shared/rules.js'
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
 * @property {'rate' | 'mean' | 'p50' | 'p95' | 'p99'} figure
 *
 * @typedef {{ latencies: number[], elapsedMs: number }} Run latencies: of right answers, ms
 */

/** How long one comparison of two servers may take. */
const budgetMs = 2000
/** About what the slower server can answer, requests/s: a plan for a rate has to bring more. */
const slowerRate = 130

const latency = (/** @type {(values: number[]) => number} */ of) => ({
  unit: 'ms',
  isLargerSlower: true,
  of: (/** @type {readonly Run[]} */ runs) => of(runs.flatMap(({ latencies }) => latencies))
})

/** The one figure that a plan makes of all its runs against one server. */
export const figures = {
  rate: {
    unit: 'requests/s',
    isLargerSlower: false,
    of: (/** @type {readonly Run[]} */ runs) => 1000 * runs.reduce((sum, { latencies }) => sum + latencies.length, 0) /
      runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)
  },
  mean: latency(mean),
  p50: latency((values) => quantile(values, 0.5)),
  p95: latency((values) => quantile(values, 0.95)),
  p99: latency((values) => quantile(values, 0.99))
}

/** @param {LoadPlan} plan @param {readonly Run[]} runs @returns {number | null} null where no answer came */
export function figureOf ({ figure }, runs) {
  return runs.some(({ latencies }) => latencies.length > 0) ? figures[figure].of(runs) : null
}

const longestMs = 600_000
const isPath = (/** @type {any} */ path) => typeof path === 'string' && /^\/[\x21-\x7e]*$/.test(path)
/** @type {Record<string, Rule>} */
const rules = {
  users: whole(1, 200),
  requests: whole(1, 100_000),
  pauseMs: number(0, longestMs),
  rampUpMs: number(0, longestMs),
  rate: number(1, 1000),
  maxSockets: whole(1, 1000),
  paths: (value) => Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every(isPath)
    ? undefined
    : 'a list of paths that begin with a slash',
  warmUpMs: number(0, longestMs),
  durationMs: number(10, longestMs),
  rounds: whole(1, 100),
  figure: (value) => (Object.hasOwn(figures, value) ? undefined : `one of ${Object.keys(figures).join(', ')}`)
}

/** What is wrong with a plan, each problem a sentence. @param {any} plan @returns {string[]} */
export function problemsOfPlan (plan) {
  if (!isObject(plan)) return ['load.js must `export default` an object with the fields of a load plan.']
  const problems = ['paths', 'durationMs', 'figure'].filter((field) => plan[field] === undefined)
    .map((field) => `\`${field}\` is missing: it must be ${rules[field](undefined) ?? 'there'}.`)
  for (const [field, value] of Object.entries(plan).filter(([, value]) => value !== undefined)) {
    if (Object.hasOwn(rules, field)) {
      const must = rules[field](value)
      if (must) problems.push(`\`${field}\` must be ${must}, got ${shortJson(value)}.`)
    } else {
      const [near] = nearest(field, Object.keys(rules), { limit: 1 })
      problems.push(`There is no field \`${field}\`${near ? `: did you mean \`${near}\`?` : '.'}`)
    }
  }
  if (problems.length > 0) return problems
  if ((plan.users === undefined) === (plan.rate === undefined)) {
    problems.push('Give either `users`, for a closed loop, or `rate`, for an open one.')
  }
  for (const field of ['requests', 'pauseMs', 'rampUpMs']) {
    if (plan.rate === undefined || plan[field] === undefined) continue
    problems.push(`\`${field}\` belongs to \`users\`: in an open loop requests come by the clock.`)
  }
  if ((plan.rampUpMs ?? 0) > plan.durationMs) {
    problems.push('`rampUpMs` must not be longer than `durationMs`: some users would never come.')
  }
  return problems
}

/**
 * What no server can exceed under this load, not even one that answers at once, requests/s.
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

/** How long one comparison takes: both servers, the warm-up and all rounds, ms. @param {LoadPlan} plan */
export function timeOfPlan ({ warmUpMs = 0, rounds = 1, durationMs }) {
  return 2 * (warmUpMs + rounds * durationMs)
}

/** Why its rate would be the load's, not the server's; empty if not. @param {LoadPlan} plan */
export function tooLow (plan) {
  const ceiling = ceilingOf(plan)
  if (plan.figure !== 'rate' || ceiling >= slowerRate) return ''
  return `Your load can’t bring any server more than ${Math.round(ceiling)} requests/s, and even the slower one can ` +
    `answer about ${slowerRate}. So whose rate does it show?`
}

/** Why a plan does not fit into its time; empty where it does. @param {LoadPlan} plan */
export function tooLong (plan) {
  const neededMs = timeOfPlan(plan)
  if (neededMs <= budgetMs) return ''
  const each = `each ${seconds(plan.warmUpMs ?? 0)} of warm-up and ${plan.rounds ?? 1} × ${seconds(plan.durationMs)}`
  return `One comparison takes ${seconds(neededMs)} (two servers, ${each}); there are ${seconds(budgetMs)} for it.`
}

/** A busy machine makes a comparison longer, and now and then one of them very long: but not all of them so much. */
const farTooLong = 3

/**
 * Why a plan that fits by its own figures does not; empty where it does.
 *
 * @param {LoadPlan} plan
 * @param {{ tookMs: number[], givenUpMs: number[] }} measured each comparison; each that was given up, after so long
 */
export function tookTooLong (plan, { tookMs, givenUpMs }) {
  const mostMs = budgetMs * farTooLong
  // What was given up early says nothing.
  const known = [...tookMs, ...givenUpMs.filter((ms) => ms > mostMs)]
  const leastMs = Math.min(...known)
  if (known.length === 0 || leastMs <= mostMs) return ''
  return `One comparison takes ${seconds(timeOfPlan(plan))} by your load plan, and took ${seconds(leastMs)} or more; ` +
    `there are ${seconds(budgetMs)} for it. At the end of each run, what waits in the server’s queue is waited for ` +
    'as well: how long a queue does your load build up?'
}

/** @param {number} ms */
export function seconds (ms) {
  return `${Number((ms / 1000).toPrecision(3))} s`
}
