import path from 'node:path'
import { problemsOfPlan, readPlan, timeOfPlan } from '../../load/index.js'

/**
 * @import { WorkshopError } from '../../errors.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { LoadPlan } from '../../load/index.js'
 * @import { Place, Session } from '../../session/index.js'
 */

/** What stands in the place of a contract. */
export const planChecks = {
  isPlan: 'is a load plan',
  fits: 'fits into the time budget',
  right: 'measures right answers only'
}

/**
 * @param {LoadedLesson} entry
 * @param {Session} session
 * @param {string} dir the folder with load.js
 * @returns {Promise<{ place: Place, plan: LoadPlan, problems: string[] }>} plan: nothing to rely on where there are
 *   problems
 * @throws {WorkshopError} there is no load.js
 */
export async function openPlan (entry, session, dir) {
  const place = session.openSubmission(dir, entry.file)
  const { plan, problem } = await readPlan(path.join(place.dir, entry.file), session)
  return { place, plan, problems: problem === null ? problemsOfPlan(plan) : [problem] }
}

/** Why a plan does not fit into its time; empty where it does. @param {LoadPlan} plan @param {number} budgetMs */
export function tooLong (plan, budgetMs) {
  const neededMs = timeOfPlan(plan)
  if (neededMs <= budgetMs) return ''
  const each = `each ${seconds(plan.warmUpMs ?? 0)} of warm-up and ${plan.rounds ?? 1} × ${seconds(plan.durationMs)}`
  return `One comparison takes ${seconds(neededMs)} (two servers, ${each}); there are ${seconds(budgetMs)} for it.`
}

/** @param {number} ms */
export function seconds (ms) {
  return `${Number((ms / 1000).toPrecision(3))} s`
}
