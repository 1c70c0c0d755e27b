import path from 'node:path'
import { hearRoom, saidBy } from '../../seat/index.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Task } from './key-tasks.js'
 */

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
