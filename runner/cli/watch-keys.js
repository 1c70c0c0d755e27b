import path from 'node:path'
import { createInterface, emitKeypressEvents } from 'node:readline'
import { hearRoom, saidBy } from '../seat/index.js'

/**
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { WatchState } from '../report/index.js'
 *
 * @typedef {ReturnType<typeof listenForKeys>} Keys
 */

/**
 * @param {NodeJS.ReadStream} stdin
 * @param {(key: string) => void} onKey `b`, `q`, `escape`, `ctrl-c`
 * @returns `pressed`: false if there is no terminal, and a line with the letter does the same; `pause` leaves the
 *   terminal to another program, such as an editor
 */
export function listenForKeys (stdin, onKey) {
  if (!stdin.isTTY || typeof stdin.setRawMode !== 'function') return listenForLines(stdin, onKey)
  /** @param {string | undefined} text @param {{ name?: string, ctrl?: boolean }} key */
  const hear = (text, { name = '', ctrl = false }) => {
    if (ctrl) onKey(`ctrl-${name}`)
    else onKey(text?.length === 1 && text > ' ' ? text.toLowerCase() : name)
  }
  emitKeypressEvents(stdin)
  const resume = () => {
    stdin.setRawMode(true)
    stdin.on('keypress', hear).resume()
  }
  const pause = () => {
    stdin.off('keypress', hear).pause()
    stdin.setRawMode(false)
  }
  resume()
  return { pressed: true, pause, resume, close: pause }
}

/** @param {NodeJS.ReadStream} stdin @param {(key: string) => void} onKey */
function listenForLines (stdin, onKey) {
  const lines = createInterface({ input: stdin }).on('line', (line) => {
    if (line.trim() !== '') onKey(line.trim()[0].toLowerCase())
  })
  return { pressed: false, pause: () => {}, resume: () => {}, close: () => lines.close() }
}

/**
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

const pauseMs = 10_000

/**
 * Tells the learner's room, if there is one, what they do, and hears what it says.
 *
 * @param {Pick<LoadedLesson, 'id' | 'workspaceDir'>} entry
 * @param {object} given
 * @param {() => Task | null} given.task the one in progress
 * @param {(sentences: string[]) => void} given.onWord when the room says something new
 * @returns {{ noteTask: () => void, close: () => void }} noteTask: one begins
 */
export function followRoom ({ id, workspaceDir }, { task, onWord }) {
  let said = ''
  /** Since the room was last told. */
  let hasLooked = false
  let isOpen = true
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const ask = async () => {
    const now = task()
    const state = now === 'check' || now === 'more' ? 'checking' : now !== null || hasLooked ? 'looking' : null
    hasLooked = false
    const room = await hearRoom(path.dirname(workspaceDir), state === null ? null : { lesson: id, state })
    if (!isOpen) return
    const sentences = room === null ? [] : saidBy(room, id)
    if (said !== sentences.join('\n')) onWord(sentences)
    said = sentences.join('\n')
    timer = setTimeout(ask, pauseMs).unref()
  }
  ask()
  return {
    noteTask: () => { hasLooked = true },
    close: () => {
      isOpen = false
      clearTimeout(timer)
    }
  }
}
