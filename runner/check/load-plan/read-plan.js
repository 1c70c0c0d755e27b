import path from 'node:path'
import { ceilingOf, problemsOfPlan, readPlan, timeOfPlan } from '../../load/index.js'

/**
 * @import { WorkshopError } from '../../errors.js'
 * @import { LoadedLesson, PlanTask } from '../../lesson/index.js'
 * @import { LoadPlan } from '../../load/index.js'
 * @import { Launch, ServerFolder, Session } from '../../process/index.js'
 */

/**
 * @param {LoadedLesson} entry
 * @param {Session} session
 * @param {string} dir the folder with load.js
 * @param {Launch} [launch] reads it in a sandbox
 * @returns {Promise<{ folder: ServerFolder, plan: LoadPlan, problems: string[] }>} plan: usable without problems
 * @throws {WorkshopError} there is no load.js
 */
export async function openPlan (entry, session, dir, launch) {
  const folder = session.openSubmission(dir, entry.file)
  const { plan, problem } = await readPlan(path.join(folder.dir, entry.file), session, launch)
  return { folder, plan, problems: problem === null ? problemsOfPlan(plan) : [problem] }
}

/** Why a plan does not fit into its time; empty where it does. @param {LoadPlan} plan @param {number} budgetMs */
export function tooLong (plan, budgetMs) {
  const neededMs = timeOfPlan(plan)
  if (neededMs <= budgetMs) return ''
  const each = `each ${seconds(plan.warmUpMs ?? 0)} of warm-up and ${plan.rounds ?? 1} × ${seconds(plan.durationMs)}`
  return `One comparison takes ${seconds(neededMs)} (two servers, ${each}); there are ${seconds(budgetMs)} for it.`
}

/** Why its rate would be the load's, not the server's; empty if not. @param {LoadPlan} plan @param {PlanTask} task */
export function tooLow (plan, { slowerRate = 0 }) {
  const ceiling = ceilingOf(plan)
  if (plan.figure !== 'rate' || ceiling >= slowerRate) return ''
  return `Your load can’t bring any server more than ${Math.round(ceiling)} requests/s, and even the slower one can ` +
    `answer about ${slowerRate}. So whose rate does it show?`
}

/** A busy machine makes a comparison longer, and now and then one of them very long: but not all of them so much. */
const farTooLong = 3

/**
 * Why a plan that fits by its own figures does not; empty where it does. Pure.
 *
 * @param {LoadPlan} plan
 * @param {{ tookMs: number[], givenUpMs: number[] }} measured each comparison; each that was given up, after so long
 * @param {number} budgetMs
 */
export function tookTooLong (plan, { tookMs, givenUpMs }, budgetMs) {
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
