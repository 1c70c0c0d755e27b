import path from 'node:path'
import { workshopRoot } from '../workshop.js'

/**
 * The folder that holds lessons/, slow-servers/ and solutions/: the workshop, or a lesson pack that
 * `MAKE_IT_FAST_LESSONS` names (`--lessons` sets it).
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function lessonsRoot (env = process.env) {
  return env.MAKE_IT_FAST_LESSONS ? path.resolve(env.MAKE_IT_FAST_LESSONS) : workshopRoot
}

/**
 * The folder for the learner's copies and results. `MAKE_IT_FAST_WORKSPACE` moves it out of a checkout that cannot be
 * written.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 */
export function workspaceRoot (root, env = process.env) {
  return env.MAKE_IT_FAST_WORKSPACE ? path.resolve(env.MAKE_IT_FAST_WORKSPACE) : path.join(root, 'workspace')
}
