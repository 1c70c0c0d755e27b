/**
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Progress } from './results.js'
 */

/**
 * Tells a learner who hasn't passed yet how far they are, what helps, and how to see the solution anyway.
 *
 * @param {Pick<LessonEntry, 'number'>} entry
 * @param {Pick<Progress, 'state' | 'last' | 'hints'>} progress
 * @param {{ command: string | null, hints: number }} options command: `npm run solution lesson-3`; null: the page has a
 *   button. hints: how many the lesson has
 * @returns {string | null} one paragraph of Markdown; null: the solution may be shown
 */
export function notYet ({ number }, { state, last, hints: seen }, { command, hints }) {
  if (state === 'pass') return null
  const far = howFar(number, state, last?.gates ?? [])
  const [hint, place] = seen < hints
    ? ['The next hint leads on and leaves the finding to you', `: \`npm run hint lesson-${number}\``]
    : [`You have seen all ${hints} hints`, '']
  if (command === null) return `${far.replace(/: `.*/, '.')} ${hint}.`
  return `${far} ${hint}${place}. To see the solution anyway: \`${command} -- --anyway\``
}

/** @param {number} number @param {Progress['state']} state @param {{ verdict: string }[]} gates */
function howFar (number, state, gates) {
  const lesson = `lesson ${number}`
  if (state === 'not started') return `You haven’t begun ${lesson} yet: \`npm run read lesson-${number}\`.`
  if (state === 'started') return `Your copy of ${lesson} has no verdict yet: \`npm run check lesson-${number}\`.`
  const counted = gates.filter(({ verdict }) => verdict !== 'dropped')
  const passed = counted.filter(({ verdict }) => verdict === 'pass').length
  const share = counted.length === 0 ? '' : `, with ${passed} of ${counted.length} gates passed`
  return `You haven’t passed ${lesson} yet: its last check ${state === 'fail' ? 'failed' : `was ${state}`}${share}.`
}
