import { rules } from '../model-rules.js'

/** @import { Lesson } from './lesson.js' */

/** The checks in place of a contract if the learner writes a load plan. */
export const loadPlanChecks = {
  isPlan: 'is a load plan',
  shows: 'shows the rate of the server, and not that of the load',
  fits: 'fits into the time budget',
  right: 'measures right answers only'
}

/**
 * Every name that a check of a lesson can have in a record. Pure.
 *
 * @param {Pick<Lesson, 'contract' | 'operations' | 'kind'>} lesson
 * @returns {string[]}
 */
export function checkNamesOf ({ contract = [], operations = {}, kind }) {
  if (kind === 'load plan') return Object.values(loadPlanChecks)
  return [
    ...contract.map(({ name }) => name),
    ...Object.values(operations).flatMap(({ rule, effect }) => [rule, effect ?? []].flat()),
    ...Object.values(rules)
  ]
}
