import { importLesson } from '../../import-lesson.js'
import { serveOrders } from '../../process/child.js'
import { figureOf } from './plan-metric.js'
import { runOnce } from './run-once.js'

/**
 * Carries out plans: one server after the other, round by round.
 *
 * @import { Lesson } from '../../lesson/index.js'
 * @import { CompareOrder, Comparison } from './compare-order.js'
 * @import { Run } from './plan-metric.js'
 */

/** @type {NonNullable<Lesson['plan']>['check']} */
let check
const mostProblems = 5

serveOrders({
  open: async ({ module }) => {
    ({ default: { plan: { check } } } = await importLesson(module))
  },
  compare
})

/** @param {CompareOrder} order @returns {Promise<Comparison>} */
async function compare ({ ports, plan, first }) {
  const startedAt = performance.now()
  /** @type {Run[][]} */
  const runs = [[], []]
  /** @type {string[]} */
  const problems = []
  let [answers, wrong] = [0, 0]
  const run = async (/** @type {number} */ which, /** @type {number} */ durationMs) => {
    const result = await runOnce({ port: ports[which], plan: { ...plan, durationMs }, check })
    answers += result.latencies.length
    wrong += result.wrong
    problems.push(...result.problems.slice(0, mostProblems - problems.length))
    return result
  }
  if (plan.warmUpMs) for (const which of [0, 1]) await run(which, plan.warmUpMs)
  for (const one of first) {
    for (const which of [one, 1 - one]) runs[which].push(await run(which, plan.durationMs))
  }
  return {
    figures: [figureOf(plan.figure, runs[0]), figureOf(plan.figure, runs[1])],
    answers,
    wrong,
    problems,
    elapsedMs: performance.now() - startedAt
  }
}
