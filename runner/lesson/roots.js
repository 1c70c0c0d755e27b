import path from 'node:path'
import { workshopRoot } from '../workshop.js'

/**
 * The folder that holds lessons/, slow-servers/ and solutions/: the workshop, or the lesson pack in
 * `MAKE_IT_FAST_LESSONS` (`--lessons` sets it).
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function lessonsRoot (env = process.env) {
  return env.MAKE_IT_FAST_LESSONS ? path.resolve(env.MAKE_IT_FAST_LESSONS) : workshopRoot
}

/**
 * The folder for the learner's copies and results; `MAKE_IT_FAST_WORKSPACE` names another, for a read-only checkout.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [root]
 */
export function workspaceRoot (env = process.env, root = lessonsRoot(env)) {
  return env.MAKE_IT_FAST_WORKSPACE ? path.resolve(env.MAKE_IT_FAST_WORKSPACE) : path.join(root, 'workspace')
}
