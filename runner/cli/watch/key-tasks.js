/**
 * @import { WatchState } from '../../report/index.js'
 *
 * @typedef {'hint' | 'diff' | 'solution' | 'edit' | 'list'} Aside
 * @typedef {'preview' | 'check' | 'more' | 'profile' | 'next' | 'quit' | Aside} Task
 *
 * @typedef {object} Reaction
 * @property {Task} [task] to be done
 * @property {boolean} [isAside] at once, even while another task is in progress
 * @property {boolean} [aborts] the current task
 */

/** @type {Record<string, Task>} */
const keyTasks = {
  b: 'check',
  m: 'more',
  p: 'profile',
  h: 'hint',
  d: 'diff',
  s: 'solution',
  e: 'edit',
  l: 'list',
  n: 'next',
  r: 'preview',
  q: 'quit',
  'ctrl-c': 'quit',
  'ctrl-d': 'quit'
}

/** Long tasks: only `c` and a save abort them. */
export const lasting = new Set(['check', 'more', 'profile'])
/** They measure nothing, and run at once, even during a preview or while something waits for its turn. */
const asides = new Set(['hint', 'diff', 'solution', 'edit', 'list'])

/**
 * What a key does now. Pure.
 *
 * @param {string} key
 * @param {Task | null} current the one in progress
 * @param {Pick<WatchState, 'canGoOn' | 'waiting'>} state
 * @returns {Reaction}
 */
export function reactionTo (key, current, { canGoOn, waiting }) {
  if (key === 'c' || key === 'escape') return { aborts: true }
  const task = Object.hasOwn(keyTasks, key) ? keyTasks[key] : undefined
  if (task === undefined || (task === 'more' && !canGoOn)) return {}
  // An editor may take the terminal, which a check needs when its turn comes.
  const mayRunAside = current === 'preview' || (waiting !== null && task !== 'edit')
  if (current !== null && asides.has(task) && mayRunAside) return { task, isAside: true }
  if (current !== null && lasting.has(current) && task !== 'quit') return {}
  return { task, aborts: task === 'quit' || current === 'preview' }
}
