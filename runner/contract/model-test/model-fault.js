/**
 * @import { Execution } from './execute.js'
 * @import { Moment, Step } from './operation.js'
 */

/** Comparing large answers takes its time, and a wrong model shows in most of them. */
const longestMs = 100

/**
 * Where a lesson has its own model, which judges answers under load: does the slow server agree with it? Only up
 * to the first event, since what survives a restart is no affair of the model. Pure but for the clock.
 *
 * @param {readonly Moment[]} moments carried out in turn
 * @param {Pick<Execution, 'outcomes'>} execution on the slow server
 * @param {any} data
 * @returns {string | null} a sentence for the author
 */
export function modelFault (moments, { outcomes }, data) {
  const until = performance.now() + longestMs
  /** @type {Step[]} */
  const accepted = []
  for (const { steps, event } of moments) {
    if (event || performance.now() > until) return null
    for (const step of steps) {
      const outcome = outcomes.get(step)
      if (!outcome || !('answer' in outcome)) continue
      const wrong = step.operation.expects?.(step, outcome.answer, { data, accepted }) ?? null
      if (wrong !== null) return `the lesson’s model disagrees with the slow server at “${step.name}”: ${wrong}`
      if (outcome.answer.status < 400) accepted.push(step)
    }
  }
  return null
}
