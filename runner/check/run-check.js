import { newSeed } from '../random.js'
import { checkLoadPlan } from './load-plan/index.js'
import { checkServer } from './check-server.js'

/**
 * @import { WorkshopError } from '../errors.js'
 * @import { ResultRecord } from '../judge/index.js'
 * @import { CheckOptions, FullCheckOptions } from './context.js'
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
    sampleInside: true,
    onProgress: () => {},
    onUnfinished: () => {},
    ...withoutGaps(options)
  }
  const check = options.entry.lesson.kind === 'load plan' ? checkLoadPlan : checkServer
  return check(given)
}

/** What is undefined doesn't replace a default. @param {CheckOptions} options */
function withoutGaps (options) {
  return /** @type {CheckOptions} */ (
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  )
}
