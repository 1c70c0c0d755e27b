import { WorkshopError } from '../../errors.js'
import { startSender, unitOf } from '../../load/index.js'
import { withSession } from '../../process/index.js'
import { createRandom } from '../../random.js'
import { openPlan } from './read-plan.js'

/**
 * @import { LoadedLesson, PlanTask } from '../../lesson/index.js'
 * @import { Comparison } from '../../load/index.js'
 *
 * @typedef {object} TryOptions
 * @property {LoadedLesson} entry
 * @property {string} dir the folder with load.js
 * @property {string} seed
 * @property {number} longestMs no run takes longer
 * @property {AbortSignal} signal
 */

/**
 * Tries a load plan by hand: once, on the faster and on the slower server, without a verdict.
 *
 * @param {TryOptions} options
 * @returns {Promise<Comparison & { unit: string, cut: boolean }>} cut: a run would have taken longer
 * @throws {WorkshopError} load.js is no load plan
 */
export function tryLoadPlan ({ entry, dir, seed, longestMs, signal }) {
  const task = /** @type {PlanTask} */ (entry.lesson.plan)
  return withSession(entry, { seed, signal }, async (session) => {
    const { plan, problems } = await openPlan(entry, session, dir)
    if (problems.length > 0) throw new WorkshopError(problems.join('\n'))
    const random = createRandom(seed)
    const started = await Promise.all([1, task.slowness].map((slowness) => {
      const files = task.files({ random: random.fork('files'), slowness })
      return session.start('baseline', session.baseline, { files })
    }))
    const [faster, slower] = started.map(({ server, failure }) => {
      if (failure !== null) throw new WorkshopError(`The server didn’t start: ${failure}`)
      return server.port
    })
    const sender = await startSender(session)
    const durationMs = Math.min(plan.durationMs, longestMs)
    const rounds = Math.min(plan.rounds ?? 1, Math.ceil(longestMs / durationMs))
    const comparison = await sender.compare({
      ports: [faster, slower],
      plan: { ...plan, durationMs, warmUpMs: Math.min(plan.warmUpMs ?? 0, longestMs) },
      first: Array.from({ length: rounds }, () => random.int(0, 1))
    })
    return { ...comparison, unit: unitOf(plan.figure), cut: durationMs < plan.durationMs }
  })
}
