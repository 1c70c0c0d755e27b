/**
 * @import { Finding } from '../../check/index.js'
 * @import { Rehearsed } from '../../judge/index.js'
 */

/**
 * What to do about lessons that lack margin. Pure.
 *
 * @param {readonly Rehearsed[]} lessons
 * @returns {Finding[]} one for each such lesson
 */
export function adviceFor (lessons) {
  return lessons.filter(({ lack }) => lack !== null).map(({ record: { lesson, verdict }, lack }) => ({
    state: verdict === 'error' ? 'bad' : 'doubt',
    what: `Lesson ${lesson.number}, ${lesson.title}: ${lack}`,
    fix: fixOf(verdict, lesson.number)
  }))
}

/** @param {string} verdict @param {number} number */
function fixOf (verdict, number) {
  const again = `npm run class -- --rehearse ${number}`
  if (verdict === 'error') return 'npm run doctor may say more.'
  return verdict === 'fail'
    ? `Close what else is running, and try again: ${again}. If it fails again, leave the lesson out.`
    : `Close what else is running, or give it and its learners more time: ${again} --seconds 60. ` +
      'If that is not enough, leave the lesson out.'
}
