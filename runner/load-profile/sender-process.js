import { serveOrders } from '../helper/index.js'
import { figureOf } from './figure.js'
import { runOnce } from './run-once.js'

/**
 * Carries out profiles: one server after the other, round by round.
 *
 * @typedef {import('./sender.js').CompareOrder} CompareOrder
 */

/** @type {NonNullable<import('../catalogue/lesson.js').Lesson['profile']>['check']} */
let check
const mostProblems = 5

serveOrders({
  open: async ({ module }) => {
    ({ default: { profile: { check } } } = await import(module))
  },
  compare
})

/** @param {CompareOrder} order @returns {Promise<import('./sender.js').Comparison>} */
async function compare ({ ports, profile, first }) {
  const startedAt = performance.now()
  /** @type {import('./figure.js').Run[][]} */
  const runs = [[], []]
  /** @type {string[]} */
  const problems = []
  let [answers, wrong] = [0, 0]
  const run = async (/** @type {number} */ which, /** @type {number} */ durationMs) => {
    const result = await runOnce({ port: ports[which], profile: { ...profile, durationMs }, check })
    answers += result.latencies.length
    wrong += result.wrong
    problems.push(...result.problems.slice(0, mostProblems - problems.length))
    return result
  }
  if (profile.warmUpMs) for (const which of [0, 1]) await run(which, profile.warmUpMs)
  for (const one of first) {
    for (const which of [one, 1 - one]) runs[which].push(await run(which, profile.durationMs))
  }
  return {
    figures: [figureOf(profile.figure, runs[0]), figureOf(profile.figure, runs[1])],
    answers,
    wrong,
    problems,
    elapsedMs: performance.now() - startedAt
  }
}
