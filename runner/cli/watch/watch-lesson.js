import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { createWatchScreen } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { openCopy, openInEditor, watchChanges } from '../../workspace/index.js'
import { listenForKeys } from './keys.js'
import { lookAt } from './look.js'
import { firstState, refresh } from './state.js'
import { createTasks } from './tasks.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { WatchScreen, WatchState } from '../../report/index.js'
 * @import { Given } from '../main.js'
 * @import { Keys } from './keys.js'
 * @import { Look } from './state.js'
 *
 * @typedef {'look' | 'check' | 'profile' | 'hint' | 'diff' | 'solution' | 'solution anyway' | 'edit' | 'list' |
 *   'next' | 'quit'} Task
 * @typedef {(command: string, args: string[], signal: AbortSignal) => Promise<unknown>} Run one of the other commands
 * @typedef {{ entry: LoadedLesson, given: Given, run: Run, state: WatchState, looks: Look[], screen: WatchScreen, keys:
 *   Keys }} Watch
 */

/** @type {Record<string, Task>} */
const keyTasks = {
  b: 'check',
  p: 'profile',
  h: 'hint',
  d: 'diff',
  s: 'solution',
  e: 'edit',
  l: 'list',
  n: 'next',
  r: 'look',
  q: 'quit',
  'ctrl-c': 'quit',
  'ctrl-d': 'quit'
}

/** What a key may not end: it takes long, and only `c` and a save say that it is in vain. */
const lasting = new Set(['check', 'profile'])

/**
 * Looks at a lesson's server at every save, and does what the keys say, until the learner goes on or leaves.
 *
 * @param {LoadedLesson} entry
 * @param {{ given: Given, run: Run }} options
 * @returns {Promise<'next' | 'quit'>}
 * @throws {WorkshopError} the copy cannot be made
 */
export async function watchLesson (entry, { given, run }) {
  const { stdout, signal } = given
  const { dir, created } = await openCopy(entry)
  /** @type {import('./tasks.js').Tasks<Task>} */
  const tasks = createTasks()
  /** What is being done. @type {{ task: Task, controller: AbortController } | null} */
  let current = null
  const isRunning = () => current !== null
  const onChange = () => {
    tasks.put('look')
    if (current && (current.task === 'look' || lasting.has(current.task))) current.controller.abort()
  }
  const onKey = (/** @type {string} */ key) => {
    const task = Object.hasOwn(keyTasks, key) ? keyTasks[key] : undefined
    if (key === 'c' || key === 'escape') return current?.controller.abort()
    if (task === undefined || (current && lasting.has(current.task) && task !== 'quit')) return
    tasks.put(task)
    if (current && (task === 'quit' || current.task === 'look')) current.controller.abort()
  }
  const state = await firstState(entry)
  const changes = await watchChanges({ dir, onChange, isRunning })
  const keys = listenForKeys(process.stdin, onKey)
  const screen = createWatchScreen({ stream: stdout, keys: keys.pressed })
  /** @type {Watch} */
  const watch = { entry, given, run, state, looks: [], screen, keys }
  const copyNote = created ? [`Your copy of the slow server is in ${shownPath(dir)}: change it there.`] : []
  try {
    await refresh(state, entry, watch.looks)
    /** @type {Task | null} */
    let before = null
    for (let asked = /** @type {Task} */ ('look'); ; asked = await tasks.take(signal)) {
      if (asked === 'quit' || asked === 'next') return asked
      /** @type {Exclude<Task, 'next' | 'quit'>} */
      const task = asked === 'solution' && before === 'solution' ? 'solution anyway' : asked
      const controller = new AbortController()
      current = { task, controller }
      state.notes = before === null ? copyNote : []
      await doTask(task, watch, AbortSignal.any([signal, controller.signal]))
      current = null
      before = task
      state.activity = 'idle'
      await refresh(state, entry, watch.looks)
      if (task === 'solution' && !state.isPassed) state.notes = ['Press s once more to see it anyway.']
      screen.settled(state)
    }
  } finally {
    keys.close()
    changes.close()
    screen.leave()
    const name = `lesson-${entry.number}`
    if (!signal.aborted) stdout.write(`Left ${name}. \`npm run watch ${name}\` goes on.\n`)
  }
}

/**
 * What goes wrong with it is told below, and ends nothing else.
 *
 * @param {Exclude<Task, 'next' | 'quit'>} task
 * @param {Watch} watch
 * @param {AbortSignal} stop
 */
async function doTask (task, watch, stop) {
  const { state, given: { signal } } = watch
  try {
    if (task === 'look') await look(watch, stop)
    else if (task === 'edit') await edit(watch)
    else await runBelow(task, watch, stop)
  } catch (error) {
    if (signal.aborted || !(stop.aborted || error instanceof WorkshopError)) throw error
    state.notes = [stop.aborted ? 'Stopped.' : error.message.split('\n')[0]]
  }
}

/** @param {Watch} watch @param {AbortSignal} signal */
async function look ({ entry, state, looks, screen }, signal) {
  screen.wipe()
  const { record, durationMs } = await lookAt(entry, { state, show: screen.show, signal })
  const ratio = record.gates[0]?.ratio
  const at = new Date().toISOString()
  if (record.verdict !== 'fail' && record.verdict !== 'error' && typeof ratio === 'number') looks.push({ at, ratio })
  state.look = { at, durationMs, record }
}

/** @param {Watch} watch */
async function edit ({ entry, given: { env }, state, screen, keys }) {
  screen.leave()
  keys.pause()
  const problem = await openInEditor(path.join(entry.workspaceDir, entry.file), env).finally(keys.resume)
  if (problem !== null) state.notes = [problem]
}

/**
 * @param {Exclude<Task, 'next' | 'quit' | 'look' | 'edit'>} task
 * @param {Watch} watch
 * @param {AbortSignal} signal
 */
async function runBelow (task, { entry, given: { stdout }, run, state, screen }, signal) {
  // A verdict says more than the look before it.
  if (task === 'check') state.look = null
  const [command, ...flags] = task === 'solution anyway' ? ['solution', '--anyway'] : [task]
  screen.leave()
  stdout.write('\n')
  await run(command, task === 'list' ? [] : [`lesson-${entry.number}`, ...flags], signal)
  stdout.write('\n')
}
