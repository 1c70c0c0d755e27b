import { newSeed } from '../random.js'
import { checkPlan } from './plan/index.js'
import { checkServer } from './check-server.js'

/**
 * @import { WorkshopError } from '../errors.js'
 * @import { CheckProgress, ContractResult, ResultRecord, Round } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 *
 * What an inconclusive check leaves for one that goes on with it.
 * @typedef {object} Unfinished
 * @property {string} seed with the size of its work
 * @property {Round[]} rounds
 * @property {ContractResult[]} contract what passed before the load
 *
 * @typedef {object} CheckOptions
 * @property {LoadedLesson} entry
 * @property {string} dir the folder with the submission's server.js, or load.js
 * @property {string} [seed] repeats the inputs of an earlier run
 * @property {number} [budgetMs] how long the rounds may take; by default what is left of 28 s, and more
 *   on a slow machine
 * @property {boolean | 'first'} [speed] measure it (default true); false: only whether every answer is right; 'first':
 *   one round before that, which says about how fast it is, and decides nothing
 * @property {Unfinished} [earlier] an inconclusive check of the same code that this one goes on with, and so with its
 *   seed
 * @property {(unfinished: Unfinished) => void} [onUnfinished] it was inconclusive, and can be gone on with
 * @property {boolean} [look] look inside both servers afterwards, for the mechanism and the next step (default true)
 * @property {(event: CheckProgress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 *
 * @typedef {CheckOptions & Required<Pick<CheckOptions,
 *   'seed' | 'speed' | 'look' | 'onProgress' | 'onUnfinished'>>} FullCheckOptions
 */

/**
 * One check from beginning to end. Whatever happens, everything that it started is stopped and everything temporary is
 * removed before it returns or throws.
 *
 * @param {CheckOptions} options
 * @returns {Promise<ResultRecord>}
 * @throws {WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function runCheck (options) {
  /** @type {FullCheckOptions} */
  const given = {
    seed: options.earlier?.seed ?? newSeed(),
    speed: true,
    look: true,
    onProgress: () => {},
    onUnfinished: () => {},
    ...withoutGaps(options)
  }
  const check = options.entry.lesson.kind === 'load plan' ? checkPlan : checkServer
  return check(given)
}

/** What is undefined does not replace a default. @param {CheckOptions} options */
function withoutGaps (options) {
  return /** @type {CheckOptions} */ (
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  )
}
