/**
 * @import { Finding } from '../../check/index.js'
 * @import { Rehearsed } from './margin.js'
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

/**
 * Pure.
 *
 * @param {readonly Rehearsed[]} lessons
 * @param {string} doubts about the machine, a sentence, or none
 * @returns {string[]} sentences
 */
export function concludeRehearsal (lessons, doubts) {
  const lacking = lessons.filter(({ lack }) => lack !== null)
  const broken = lacking.filter(({ record }) => record.verdict === 'error')
  const short = lacking.filter((one) => !broken.includes(one))
  const these = lessons.length === 1 ? 'This lesson has' : `All ${lessons.length} lessons have`
  return [
    ...doubts === '' ? [] : [doubts],
    ...broken.length === 0 ? [] : [`Couldn’t be checked on this machine, so don’t count on: ${named(broken)}.`],
    ...short.length === 0 ? [] : [`Without enough margin on this machine: ${named(short)}.`],
    ...lacking.length === 0 ? [`${these} enough margin on this machine.`] : [],
    'Next, try the room itself: npm run class'
  ]
}

/** @param {readonly Rehearsed[]} lessons */
function named (lessons) {
  const numbers = lessons.map(({ record }) => record.lesson.number).join(', ')
  return `${lessons.length === 1 ? 'lesson' : 'lessons'} ${numbers}`
}

/** @param {string} verdict @param {number} number */
function fixOf (verdict, number) {
  const again = `npm run class -- --rehearse ${number}`
  if (verdict === 'error') return `Try it again: ${again}. npm run doctor may say more.`
  return verdict === 'fail'
    ? `Close what else is running, and try again: ${again}. If it fails again, leave the lesson out.`
    : `Close what else is running, or give it and its learners more time: ${again} --seconds 60. ` +
      'If that is not enough, leave the lesson out.'
}
