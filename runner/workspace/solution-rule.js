/**
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Progress } from '../workspace/index.js'
 */

/**
 * Who has not passed yet is told how far they are, what leads on, and how to see the solution all the same.
 *
 * @param {Pick<LessonEntry, 'number'>} entry
 * @param {Pick<Progress, 'state' | 'last'>} progress
 * @param {string | null} command that shows it: `npm run solution lesson-3`; null: there are buttons
 * @returns {string | null} one paragraph of Markdown; null: it may be shown
 */
export function notYet ({ number }, { state, last }, command) {
  if (state === 'pass') return null
  const far = howFar(number, state, last?.gates ?? [])
  const hint = 'The next hint leads on and leaves the finding to you'
  if (command === null) return `${far.replace(/: `.*/, '.')} ${hint}.`
  return `${far} ${hint}: \`npm run hint lesson-${number}\`. To see the solution anyway: \`${command} -- --anyway\``
}

/** @param {number} number @param {Progress['state']} state @param {{ verdict: string }[]} gates */
function howFar (number, state, gates) {
  const lesson = `lesson ${number}`
  if (state === 'not started') return `You have not begun ${lesson} yet: \`npm run read lesson-${number}\`.`
  if (state === 'started') return `Your copy of ${lesson} has no verdict yet: \`npm run check lesson-${number}\`.`
  const counted = gates.filter(({ verdict }) => verdict !== 'dropped')
  const passed = counted.filter(({ verdict }) => verdict === 'pass').length
  const share = counted.length === 0 ? '' : `, with ${passed} of ${counted.length} gates passed`
  return `You have not passed ${lesson} yet: its last check says ${state}${share}.`
}
