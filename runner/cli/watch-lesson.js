import { EventEmitter, once } from 'node:events'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../shared/errors.js'
import { createStandings } from '../judge/index.js'
import { findLessons, loadLesson, readHints, resolveLesson } from '../lesson/index.js'
import { judgedOn } from '../process/index.js'
import {
  afterEvent, createWatchScreen, emptyWatch, marks, noProgress, roughnessOf, whyRough
} from '../report/index.js'
import { shownPath } from '../shared/text.js'
import {
  findEditor, nextRow, openCopy, openInEditor, readProgress, readUnfinished, resultsFolder, sayOutdated, watchChanges
} from '../workspace/index.js'
import { say } from './say.js'
import { followRoom, lasting, listenForKeys, reactionTo } from './watch-keys.js'

/**
 * @import { preview as Preview } from '../grading/index.js'
 * @import { LessonEntry, LoadedLesson } from '../lesson/index.js'
 * @import { WatchScreen, WatchState } from '../report/index.js'
 * @import { Command, Given } from './say.js'
 * @import { Aside, Keys, Task } from './watch-keys.js'
 *
 * @typedef {object} Watch
 * @property {LoadedLesson} entry
 * @property {Given} given
 * @property {typeof Preview} [preview] by default it measures
 * @property {WatchState} state
 * @property {{ at: string, ratio: number, isRough: boolean }[]} ratios of the previews; at: ISO 8601
 * @property {WatchScreen} screen
 * @property {Keys} keys
 * @property {ReturnType<typeof createTasks>} tasks
 * @property {{ task: Task, controller: AbortController } | null} current
 * @property {Promise<void>} asideDone the asides, one after the other
 * @property {Task | null} before the last task
 * @property {boolean} isAside an aside is writing
 */

/** @type {Command} */
export const watch = {
  options: {},
  maxPositionals: 1,
  stays: true,
  usage: 'npm run watch [lesson-N]',
  help: `Look at your server after every save: is every answer right, and about how fast is it?
Keys run the full check, the profiler, hints, the difference and the editor. Without a lesson it takes
the one that comes next. A save is noticed on every file system, including network drives and Windows' drives under WSL.

What you see after a save is one short round and no verdict: b runs the check that decides. Ctrl-C or q ends it.
Without a terminal it looks once after each save, and a line with a key's letter does what the key does.`,

  async run (given) {
    const { positionals: [name], env } = given
    const entries = await findLessons({ env })
    let found = name === undefined ? await nextOf(entries, null) : await resolveLesson(name, { env })
    while (await watchLesson(await loadLesson(found), { given }) === 'next') {
      found = await nextOf(entries, found)
    }
    return 0
  }
}

/**
 * The next lesson; once all are passed, the one after `current`.
 *
 * @param {LessonEntry[]} entries
 * @param {LessonEntry | null} current
 * @returns {Promise<LessonEntry>}
 */
async function nextOf (entries, current) {
  const rows = await Promise.all(entries.map(async (entry) => ({ entry, ...await readProgress(entry) })))
  const at = entries.findIndex(({ id }) => id === current?.id)
  return nextRow(rows, { after: rows[at] })?.entry ?? entries[(at + 1) % entries.length]
}

/**
 * Previews a lesson's server on every save and obeys the keys, until the learner moves on or quits.
 *
 * @param {LoadedLesson} entry
 * @param {{ given: Given, preview?: typeof Preview, stdin?: NodeJS.ReadStream }} options
 * @returns {Promise<'next' | 'quit'>}
 * @throws {WorkshopError} the copy cannot be made
 */
export async function watchLesson (entry, { given, preview, stdin = process.stdin }) {
  const { stdout, signal } = given
  const { dir, created } = await openCopy(entry)
  const state = await firstState(entry)
  const keys = listenForKeys(stdin, (key) => obey(key, watch))
  const screen = createWatchScreen({ stream: stdout, keys: keys.pressed })
  /** @type {Watch} */
  const watch = {
    entry,
    given,
    preview,
    state,
    ratios: [],
    screen,
    keys,
    tasks: createTasks(),
    current: null,
    asideDone: Promise.resolve(),
    before: null,
    isAside: false
  }
  watch.tasks.put('preview')
  const room = followRoom(entry, {
    task: () => watch.current?.task ?? null,
    onWord: (sentences) => {
      state.room = sentences
      showAbove(watch)
    }
  })
  /** @type {{ close: () => void }[]} */
  const open = [keys, room]
  const copyNote = created ? [`Your copy of the slow server is in ${shownPath(dir)}: change it there.`] : []
  try {
    open.push(
      await watchChanges({ dir, onChange: () => startAgain(watch), isRunning: () => watch.current !== null }),
      await watchChanges({ dir: resultsFolder(entry), onChange: () => noteResult(watch), isRunning: () => false })
    )
    if (!keys.pressed) say(stdout, noTerminal)
    await refresh(watch)
    for (;;) {
      const asked = await watch.tasks.take(signal)
      if (asked === 'quit' || asked === 'next') return asked
      state.notes = watch.before === null ? copyNote : []
      await runTask(asked, watch, room.noteTask)
    }
  } finally {
    for (const one of open) one.close()
    screen.leave()
    const name = `lesson-${entry.number}`
    if (!signal.aborted) stdout.write(`Left ${name}. \`npm run watch ${name}\` goes on.\n`)
  }
}

const noTerminal = 'There is no terminal to press keys in: this looks at your server once after each save, and ' +
  'Ctrl-C ends it. A line with a key’s letter does what the key does: b checks, q quits.'

/** @param {Exclude<Task, 'next' | 'quit'>} task @param {Watch} watch @param {() => void} noteTask */
async function runTask (task, watch, noteTask) {
  const { state, screen, given: { signal } } = watch
  const controller = new AbortController()
  watch.current = { task, controller }
  noteTask()
  state.gist = []
  await doTask(task, watch, AbortSignal.any([signal, controller.signal]))
  await watch.asideDone
  watch.current = null
  Object.assign(state, { activity: 'idle', waiting: null })
  await refresh(watch)
  screen.settled(state)
}

/** A file was saved. @param {Watch} watch */
function startAgain ({ state, tasks, current }) {
  state.canGoOn = false
  tasks.put('preview')
  if (current && (current.task === 'preview' || lasting.has(current.task))) current.controller.abort()
}

/** @param {string} key @param {Watch} watch */
function obey (key, watch) {
  const { task, isAside = false, aborts = false } = reactionTo(key, watch.current?.task ?? null, watch.state)
  if (isAside) {
    watch.asideDone = watch.asideDone.then(() => doAside(/** @type {Aside} */ (task), watch))
    // The loop awaits it, and gets the error.
    watch.asideDone.catch(() => {})
  } else if (task !== undefined) watch.tasks.put(task)
  if (aborts) watch.current?.controller.abort()
}

/** A check has ended, perhaps in another terminal or in the browser. @param {Watch} watch */
async function noteResult (watch) {
  if (!isBelow(watch)) await refresh(watch).catch(() => {})
  showAbove(watch)
}

/** Does a task write below the screen? @param {Watch} watch */
function isBelow ({ current }) {
  return current !== null && current.task !== 'preview'
}

/** Shows the screen unless an aside is writing, or a task below it. @param {Watch} watch */
function showAbove (watch) {
  if (!watch.isAside && !isBelow(watch)) watch.screen.show(watch.state)
}

/** @param {Aside} task @param {Watch} watch */
async function doAside (task, watch) {
  const { state, given, screen } = watch
  watch.isAside = true
  await doTask(task, watch, given.signal).finally(() => { watch.isAside = false })
  await refresh(watch)
  screen.show(state)
}

/**
 * A failure is shown as a note, and does not end the watch.
 *
 * @param {Exclude<Task, 'next' | 'quit'>} task
 * @param {Watch} watch
 * @param {AbortSignal} stop
 */
async function doTask (task, watch, stop) {
  const { state, given: { signal }, before } = watch
  watch.before = task
  try {
    if (task === 'preview') await previewSave(watch, stop)
    else if (task === 'edit') await edit(watch, before === 'edit')
    else await runBelow(task, watch, { signal: stop, isAgain: before === task })
    if (task === 'solution' && !state.isPassed) state.notes = ['Press s once more to see it anyway.']
  } catch (error) {
    if (signal.aborted || !(stop.aborted || error instanceof WorkshopError)) throw error
    state.notes = [stop.aborted ? 'Stopped.' : error.message.split('\n')[0]]
  }
}

/** @param {Watch} watch @param {AbortSignal} signal */
async function previewSave (watch, signal) {
  const { entry, state, ratios, screen } = watch
  const preview = watch.preview ?? (await import('../grading/index.js')).preview
  const change = (/** @type {Partial<WatchState>} */ news) => {
    Object.assign(state, news)
    showAbove(watch)
  }
  screen.wipe()
  const number = state.previews + 1
  change({ activity: 'busy', progress: noProgress, previews: number })
  const { record, durationMs, isUnchanged } = await preview({
    entry,
    dir: entry.workspaceDir,
    onWait: (sentence) => {
      change(waitingFor(sentence, `Look ${number}`, state))
      return () => change({ activity: 'busy', waiting: null })
    },
    onProgress: (event) => change({ progress: afterEvent(state.progress, event) }),
    signal
  })
  const [gate] = record.gates
  const at = new Date().toISOString()
  if (isUnchanged) state.roughness = roughnessOf(gate)
  if (record.verdict !== 'fail' && record.verdict !== 'error' && typeof gate?.ratio === 'number') {
    const isRough = whyRough({ rounds: record.rounds, roughness: state.roughness }, marks) !== ''
    ratios.push({ at, ratio: gate.ratio, isRough })
  }
  state.preview = { number, at, durationMs, record, isUnchanged }
}

/** @param {string} sentence @param {string} what waits @param {WatchState} state @returns {Partial<WatchState>} */
function waitingFor (sentence, what, { waiting }) {
  return { activity: 'waiting', waiting: { what, sentence, since: waiting?.since ?? Date.now() } }
}

/** An editor that takes over the terminal has to be requested twice. @param {Watch} watch @param {boolean} isAgain */
async function edit ({ entry, given: { env }, state, screen, keys }, isAgain) {
  const file = path.join(entry.workspaceDir, entry.file)
  const editor = await findEditor(env)
  if (editor === null) {
    state.notes = [`No editor is set. Open ${shownPath(file)} in yours, or name it before you start the watch: ` +
      (process.platform === 'win32' ? '`set EDITOR=notepad`.' : '`export EDITOR=nano`.')]
    return
  }
  const { command, takesTerminal, leave } = editor
  if (takesTerminal && !isAgain) {
    state.notes = [`Press e once more to open ${entry.file} in ${command} (from VISUAL or EDITOR). It takes over ` +
      `this terminal until you leave it${leave === '' ? '' : ` with ${leave}`}.`]
    return
  }
  if (takesTerminal) {
    screen.leave()
    keys.pause()
  }
  const problem = await openInEditor(file, env).finally(() => { if (takesTerminal) keys.resume() })
  state.notes = [problem ?? (takesTerminal ? [] : `${entry.file} is open in ${command}.`)].flat()
}

/**
 * Runs one of the other commands below the screen.
 *
 * @param {Exclude<Task, 'next' | 'quit' | 'preview' | 'edit'>} task
 * @param {Watch} watch
 * @param {{ signal: AbortSignal, isAgain: boolean }} options
 */
async function runBelow (task, { entry, given, state, screen }, { signal, isAgain }) {
  const { stdout } = given
  // A verdict says more than a preview.
  if (task === 'check' || task === 'more') state.preview = null
  const [command, ...flags] = task === 'more'
    ? ['check', '--more']
    : task === 'solution' && isAgain ? ['solution', '--anyway'] : [task]
  const onWait = (/** @type {string} */ sentence) => {
    if (!screen.isLive) return say(stdout, sentence)
    screen.show(Object.assign(state, waitingFor(sentence, task === 'profile' ? 'Profile' : 'Check', state)))
    return () => {
      Object.assign(state, { activity: 'busy', waiting: null })
      screen.leave()
    }
  }
  const onGist = (/** @type {string[]} */ sentences) => { state.gist = sentences }
  screen.leave()
  stdout.write('\n')
  const args = task === 'list' ? [] : [`lesson-${entry.number}`, ...flags]
  await given.runOther([command, ...args], { ...given, signal, onWait, onGist })
  stdout.write('\n')
}

/** @param {LoadedLesson} entry @returns {Promise<WatchState>} */
async function firstState (entry) {
  const { lesson, number, workspaceDir } = entry
  const file = path.join(workspaceDir, entry.file)
  const hints = await readHints(entry).catch(() => [])
  return {
    ...emptyWatch,
    lesson: { number, title: lesson.title },
    file: shownPath(file),
    link: pathToFileURL(file).href,
    targets: lesson.check === undefined ? createStandings(lesson, judgedOn()).judge([]) : [],
    hints: { shown: 0, total: hints.length }
  }
}

/** Reads again what other commands may have changed. @param {Watch} watch */
async function refresh ({ state, entry, ratios }) {
  const { last, history, hints, state: standing, isOutdated } = await readProgress(entry)
  state.last = history.at(-1) ?? (last ? { at: last.startedAt, verdict: last.verdict, ratio: null } : null)
  const attempts = history.flatMap(({ at, ratio }) => ratio === null ? [] : [{ at, ratio, isPreview: false }])
  state.history = [...attempts, ...ratios.map((one) => ({ ...one, isPreview: true }))]
    .sort((a, b) => a.at.localeCompare(b.at))
  state.hints = { ...state.hints, shown: Math.min(hints, state.hints.total) }
  state.isPassed = standing === 'pass'
  state.canGoOn = await readUnfinished(entry, entry.workspaceDir) !== null
  const outdated = sayOutdated(entry, isOutdated)
  if (outdated !== '' && !state.notes.includes(outdated)) state.notes = [...state.notes, outdated]
}

/** A queue of tasks, done one at a time. */
export function createTasks () {
  /** @type {Task[]} */
  const waiting = []
  const events = new EventEmitter()
  return {
    /** The same task twice in a row is done once. @param {Task} task */
    put: (task) => {
      if (waiting.at(-1) !== task) waiting.push(task)
      events.emit('put')
    },
    /** @param {AbortSignal} signal @returns {Promise<Task>} @throws once the signal is aborted */
    take: async (signal) => {
      signal.throwIfAborted()
      if (waiting.length === 0) await once(events, 'put', { signal })
      return /** @type {Task} */ (waiting.shift())
    }
  }
}
