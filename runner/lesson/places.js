import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder that holds lessons/, slow-servers/ and solutions/: this repository, or another one that
 * `MAKE_IT_FAST_ROOT` names.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function repositoryRoot (env = process.env) {
  return env.MAKE_IT_FAST_ROOT
    ? path.resolve(env.MAKE_IT_FAST_ROOT)
    : path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')
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
