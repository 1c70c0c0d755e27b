import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCheck } from '../../check/index.js'
import { WorkshopError } from '../../errors.js'
import { createStandings } from '../../judge/index.js'
import { readHints } from '../../lesson/index.js'
import { afterEvent, createWatchScreen, emptyWatch, noProgress } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { inTurn } from '../../system/index.js'
import { openCopy, openInEditor, readProgress, sayOutdated, watchChanges } from '../../workspace/index.js'
import { listenForKeys } from './keys.js'
import { createTasks } from './tasks.js'

/**
 * @import { CheckProgress } from '../../judge/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { WatchState } from '../../report/index.js'
 * @import { Given } from '../main.js'
 *
 * @typedef {{ at: string, ratio: number }} Look at: ISO 8601
 * @typedef {'look' | 'check' | 'profile' | 'hint' | 'diff' | 'solution' | 'edit' | 'list' | 'next' | 'quit'} Task
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
 * @param {object} options
 * @param {Given} options.given
 * @param {(command: string, args: string[], signal: AbortSignal) => Promise<unknown>} options.run one of the other
 *   commands
 * @returns {Promise<'next' | 'quit'>}
 * @throws {WorkshopError} the copy cannot be made
 */
export async function watchLesson (entry, { given, run }) {
  const { stdout, env, signal } = given
  const { dir, created } = await openCopy(entry)
  const file = path.join(dir, entry.file)
  /** @type {import('./tasks.js').Tasks<Task>} */
  const tasks = createTasks()
  /** What is being done. @type {{ task: Task, controller: AbortController } | null} */
  let current = null
  /** @type {Look[]} */
  const looks = []
  const state = await firstState(entry, file)

  const onKey = (/** @type {string} */ key) => {
    const task = Object.hasOwn(keyTasks, key) ? keyTasks[key] : undefined
    if (key === 'c' || key === 'escape') return current?.controller.abort()
    if (task === undefined || (current && lasting.has(current.task) && task !== 'quit')) return
    tasks.put(task)
    if (current && (task === 'quit' || current.task === 'look')) current.controller.abort()
  }
  const onChange = () => {
    tasks.put('look')
    if (current && (current.task === 'look' || lasting.has(current.task))) current.controller.abort()
  }
  const isRunning = () => current !== null
  const changes = await watchChanges({ dir, onChange, isRunning })
  const keys = listenForKeys(process.stdin, onKey)
  const screen = createWatchScreen({ stream: /** @type {any} */ (stdout), keys: keys.pressed })
  const look = async (/** @type {AbortSignal} */ stop) => {
    const { record, durationMs } = await lookFirst({ entry, dir, state, screen, signal: stop })
    const ratio = record.gates[0]?.ratio
    const at = new Date().toISOString()
    if (record.verdict !== 'fail' && record.verdict !== 'error' && typeof ratio === 'number') looks.push({ at, ratio })
    state.look = { at, durationMs, record }
  }
  /** @param {string} command @param {string[]} args @param {AbortSignal} stop */
  const runBelow = async (command, args, stop) => {
    screen.leave()
    stdout.write('\n')
    await run(command, args, stop)
    stdout.write('\n')
  }
  const name = `lesson-${entry.number}`
  const sayGoodbye = () => {
    screen.leave()
    stdout.write(`Left ${name}. \`npm run watch ${name}\` goes on.\n`)
  }
  let isFirst = true
  /** @type {Record<Exclude<Task, 'next' | 'quit'>, (stop: AbortSignal) => Promise<unknown>>} */
  const acts = {
    look,
    check: (stop) => runBelow('check', [name], stop),
    profile: (stop) => runBelow('profile', [name], stop),
    hint: (stop) => runBelow('hint', [name], stop),
    diff: (stop) => runBelow('diff', [name], stop),
    solution: (stop) => runBelow('solution', [name], stop),
    list: (stop) => runBelow('list', [], stop),
    edit: async () => {
      screen.leave()
      keys.pause()
      const problem = await openInEditor(file, env).finally(keys.resume)
      state.notes = problem === null ? [] : [problem]
    }
  }

  try {
    if (created) state.notes = [`Your copy of the slow server is in ${shownPath(dir)}: change it there.`]
    screen.wipe()
    await refresh(state, entry, looks)
    for (let task = /** @type {Task} */ ('look'); ; task = await tasks.take(signal)) {
      if (task === 'quit') sayGoodbye()
      if (task === 'quit' || task === 'next') return task
      const controller = new AbortController()
      current = { task, controller }
      const stop = AbortSignal.any([signal, controller.signal])
      try {
        if (!isFirst) state.notes = []
        // Its verdict stands above, and says more.
        if (task === 'check') state.look = null
        if (task === 'look') screen.wipe()
        isFirst = false
        await acts[task](stop)
      } catch (error) {
        if (signal.aborted || !(stop.aborted || error instanceof WorkshopError)) throw error
        state.notes = [stop.aborted ? 'Stopped.' : error.message.split('\n')[0]]
      } finally {
        current = null
        state.activity = 'idle'
      }
      await refresh(state, entry, looks)
      screen.settled(state)
    }
  } finally {
    keys.close()
    changes.close()
    screen.leave()
  }
}

/** @param {LoadedLesson} entry @param {string} file @returns {Promise<WatchState>} */
async function firstState (entry, file) {
  const { lesson, number } = entry
  const machine = { cores: os.availableParallelism(), tellsUse: process.platform === 'linux' }
  const hints = await readHints(entry).catch(() => [])
  return {
    ...emptyWatch,
    lesson: { number, title: lesson.title },
    file: shownPath(file),
    link: pathToFileURL(file).href,
    targets: lesson.kind === 'load plan' ? [] : createStandings(lesson, machine).judge([]),
    hints: { shown: 0, total: hints.length }
  }
}

/**
 * What other commands may have changed.
 *
 * @param {WatchState} state
 * @param {LoadedLesson} entry
 * @param {Look[]} looks
 */
async function refresh (state, entry, looks) {
  const { last, history, hints, state: standing, isOutdated } = await readProgress(entry)
  const latest = history.at(-1)
  state.last = latest ?? (last ? { at: last.startedAt, verdict: last.verdict, ratio: null } : null)
  const attempts = history.flatMap(({ at, ratio }) => ratio === null ? [] : [{ at, ratio, isLook: false }])
  state.history = [...attempts, ...looks.map((look) => ({ ...look, isLook: true }))]
    .sort((a, b) => a.at.localeCompare(b.at))
  state.hints = { ...state.hints, shown: Math.min(hints, state.hints.total) }
  state.isPassed = standing === 'pass'
  const outdated = sayOutdated(entry, isOutdated)
  if (outdated !== '' && !state.notes.includes(outdated)) state.notes = [...state.notes, outdated]
}

/**
 * @param {object} given
 * @param {LoadedLesson} given.entry
 * @param {string} given.dir
 * @param {WatchState} given.state shows what goes on
 * @param {ReturnType<typeof createWatchScreen>} given.screen
 * @param {AbortSignal} given.signal
 */
async function lookFirst ({ entry, dir, state, screen, signal }) {
  state.activity = 'looking'
  state.progress = noProgress
  screen.show(state)
  const show = (/** @type {CheckProgress} */ event) => {
    state.progress = afterEvent(state.progress, event)
    screen.show(state)
  }
  const tell = (/** @type {string} */ sentence) => {
    state.activity = 'waiting'
    state.notes = [sentence]
    screen.show(state)
  }
  return inTurn({ about: { kind: 'look', entry, dir }, tell, signal }, async (publish) => {
    if (state.activity === 'waiting') state.notes = []
    state.activity = 'looking'
    const startedAt = performance.now()
    const onProgress = (/** @type {CheckProgress} */ event) => {
      publish(event)
      show(event)
    }
    const record = await runCheck({ entry, dir, speed: 'first', onProgress, signal })
    publish({ type: 'record', record })
    return { record, durationMs: performance.now() - startedAt }
  })
}
