import { refuse } from '../http/index.js'
import { workspaceRoot } from '../lesson/index.js'
import { comparisonReport, readComparisons } from '../workspace/index.js'

/**
 * What the pages of comparisons show, as data. They are started in a terminal: a page may start servers of lessons
 * only, no commands of any folder.
 *
 * @import { Comparison, KeptComparison } from '../workspace/index.js'
 * @import { Job } from './jobs.js'
 *
 * @typedef {object} ComparisonData
 * @property {Comparison & Partial<KeptComparison>} comparison without a record while it runs
 * @property {boolean} isRunning
 * @property {{ id: string, file: string } | null} profile the newest of the same two, up to then where it is one itself
 */

/** @param {NodeJS.ProcessEnv} env @param {Job | null} job the newest one */
export async function listComparisons (env, job) {
  return { running: runningIn(job), kept: await readComparisons(workspaceRoot(env)) }
}

/**
 * @param {string} id as it came
 * @param {NodeJS.ProcessEnv} env
 * @param {Job | null} job the newest one
 * @returns {Promise<ComparisonData>}
 * @throws with a status: there is none
 */
export async function findComparison (id, env, job) {
  const workspace = workspaceRoot(env)
  const all = await readComparisons(workspace)
  const running = runningIn(job)
  const isRunning = running?.id === id
  const comparison = all.find((one) => one.id === id) ?? (job?.comparison?.id === id ? job.comparison : null)
  if (comparison === null) throw refuse(404, 'There’s no such comparison: the newest fifty are kept.')
  const isAlike = (/** @type {KeptComparison} */ one) => one.record === null &&
    one.folder === comparison.folder && one.before === comparison.before && one.after === comparison.after
  const own = all.find((one) => one.id === id && one.record === null) ?? all.find(isAlike)
  return {
    comparison,
    isRunning,
    profile: own ? { id: own.id, file: comparisonReport(workspace, own.id) } : null
  }
}

/** @param {Job | null} job @returns {Comparison | null} */
function runningIn (job) {
  return job?.state === 'running' ? job.comparison ?? null : null
}
