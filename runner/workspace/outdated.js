/** @import { LessonEntry } from '../lesson/index.js' */

/**
 * What to tell the learner about a copy of an older slow server. Pure.
 *
 * @param {Pick<LessonEntry, 'number'>} entry
 * @param {boolean} isOutdated
 * @returns {string} empty where it is up to date
 */
export function sayOutdated ({ number }, isOutdated) {
  if (!isOutdated) return ''
  return `The slow server of lesson ${number} has changed since your copy was made. See what is different: ` +
    `npm run diff lesson-${number}. Start over (yours is kept as a backup): npm run reset lesson-${number}. ` +
    `Keep yours: npm run reset lesson-${number} -- --keep`
}
