import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../shared/errors.js'
import { refuse } from '../http/index.js'
import { followTurn, measuring } from '../process/index.js'
import { afterEvent, noProgress } from '../report/index.js'
import { isObject } from '../shared/rules.js'
import { readJson, writeFileAtomic } from '../workspace/index.js'
import { nameOf } from './job-handlers.js'

/**
 * One job at a time: a request for another joins it. A measurement in a terminal shows up as a job, too.
 *
 * @import { CheckProgress, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { JobKind } from '../process/index.js'
 * @import { Progress } from '../report/index.js'
 * @import { Done, HandlerGiven, Handlers, JobOptions } from './job-handlers.js'
 *
 * @typedef {Pick<HandlerGiven, 'onStart' | 'onProgress' | 'say'>} Telling
 *
 * @typedef {object} Run a job and what is known of it; a replaced one is no longer heard
 * @property {Job} job
 * @property {Progress} progress of a check or a preview
 * @property {AbortController | null} controller null: a terminal runs it
 * @property {Promise<void>} ended
 * @property {boolean} isStale a file was saved since it began
 *
 * @typedef {ReturnType<typeof createJobs>} Jobs
 *
 * @param {object} given
 * @param {Handlers} given.handlers
 * @param {(entry: LoadedLesson) => Promise<string>} given.openCopy the folder of the learner's copy
 * @param {(dir: string) => Promise<string | null>} given.slugOf of the lesson whose copy lies there
 * @param {() => void} given.onChange what pages show may have changed
 * @param {() => void} given.onProgress the same, but for the progress of the newest job alone
 * @param {KeptJobs} given.kept
 */
export function createJobs ({ handlers, openCopy, slugOf, onChange, onProgress, kept }) {
  const runs = createRuns({ onChange, onProgress, kept })
  const closing = new AbortController()
  const others = followTerminal(runs, slugOf, closing.signal)
  const current = () => runs.newest()?.job ?? null
  const isBusy = (/** @type {string | undefined} */ slug = undefined) => {
    const job = current()
    return job !== null && isActive(job) && (slug === undefined || job.lesson === slug)
  }
  return {
    /** The newest one, even when it's over. */
    current,
    progress: () => runs.newest()?.progress ?? noProgress,
    isBusy,
    lastOf: (/** @type {string} */ slug) => kept.last.get(slug) ?? {},
    /** @param {JobKind} kind @param {LoadedLesson} entry @param {JobOptions} [options] */
    start: (kind, entry, options) => {
      const former = runs.newest()
      const asked = { kind, lesson: entry.id, ...options }
      if (former !== null && isActive(former.job) && isJoined(former.job, asked, former.isStale)) {
        return { job: former.job, isNew: false }
      }
      former?.controller?.abort()
      const controller = new AbortController()
      const { signal } = controller
      const run = runs.begin({ ...asked, state: 'waiting', elsewhere: false }, controller)
      run.ended = runs.perform(run, signal, async (told) => {
        await former?.ended
        const own = await openCopy(entry)
        const dir = options?.server === 'slow' ? entry.slowDir : own
        return handlers[kind]({ ...options, ...told, entry, dir, signal })
      })
      return { job: run.job, isNew: true }
    },
    noteSave: (/** @type {string} */ slug) => {
      const run = runs.newest()
      if (run?.job.lesson === slug) run.isStale = true
    },
    cancel: () => {
      const run = runs.newest()
      if (run === null || !isBusy()) throw refuse(409, 'Nothing is running: there is nothing to stop.')
      if (run.controller === null) throw refuse(409, 'It runs in a terminal: stop it there with Ctrl-C.')
      run.controller.abort()
      return run.job
    },
    /** Stops what runs, and waits for its end. */
    close: async () => {
      closing.abort()
      const run = runs.newest()
      run?.controller?.abort()
      await Promise.all([run?.ended, others])
    }
  }
}

/** @param {Pick<Job, 'state'>} job */
export function isActive ({ state }) {
  return state === 'waiting' || state === 'running'
}

/**
 * A request joins the running job. But a preview is worthless after the next save, and gives way
 * to any job that says more; and a terminal's job for another lesson is waited for. Pure.
 *
 * @param {Pick<Job, 'kind' | 'lesson' | 'elsewhere'>} running
 * @param {Pick<Job, 'kind' | 'lesson'>} asked
 * @param {boolean} isStale a file was saved since it began
 * @returns {boolean} false: start a new job, which waits for its turn
 */
export function isJoined (running, asked, isStale) {
  const isSame = running.kind === asked.kind && running.lesson === asked.lesson
  if (running.elsewhere) return isSame
  return running.kind !== 'preview' || (isSame && !isStale)
}

/** @param {Pick<Parameters<typeof createJobs>[0], 'onChange' | 'onProgress' | 'kept'>} given */
function createRuns ({ onChange, onProgress, kept: { last, keep: keepOnDisk } }) {
  /** @type {Run | null} */
  let newest = null
  let count = 0
  const keep = (/** @type {Job} */ { lesson }, /** @type {LastJobs} */ news) => {
    last.set(lesson, { ...last.get(lesson), ...news })
  }
  const change = (/** @type {Run} */ run, /** @type {Partial<Job>} */ changes) => {
    Object.assign(run.job, changes)
    if (run === newest) onChange()
  }
  const tell = (/** @type {Run} */ run, /** @type {CheckProgress} */ event) => {
    run.progress = afterEvent(run.progress, event)
    if (run === newest) onProgress()
  }
  const keepRecord = (/** @type {Run} */ { job }, /** @type {ResultRecord} */ record) =>
    keep(job, { preview: job.kind === 'preview' ? record : undefined })
  const end = async (/** @type {Run} */ run, /** @type {Partial<Job>} */ changes) => {
    const job = Object.assign(run.job, changes)
    const ended = { job, at: new Date().toISOString() }
    // Of what a terminal measures, only a check's outcome is known.
    if (!job.elsewhere || job.kind === 'check') {
      keep(job, { outcomes: { ...last.get(job.lesson)?.outcomes, [nameOf(job)]: ended } })
    }
    if (job.result !== undefined) keep(job, { [job.kind]: ended })
    await keepOnDisk(last)
    change(run, {})
  }
  return {
    newest: () => newest,
    /** @param {Omit<Job, 'id' | 'startedAt' | 'message'>} what @param {AbortController | null} controller */
    begin: (what, controller) => {
      const job = { id: String(++count), startedAt: new Date().toISOString(), message: '', ...what }
      newest = { job, controller, progress: noProgress, ended: Promise.resolve(), isStale: false }
      onChange()
      return newest
    },
    tell,
    keepRecord,
    end,
    /** @param {Run} run of our own @param {AbortSignal} signal @param {(told: Telling) => Promise<Done>} act */
    perform: async (run, signal, act) => {
      try {
        const { record, isStopped = false, ...rest } = await act({
          onStart: () => change(run, { state: 'running', message: '' }),
          onProgress: (event) => tell(run, event),
          say: (message) => change(run, { message })
        })
        if (record) keepRecord(run, record)
        await end(run, { state: isStopped ? 'cancelled' : 'done', ...rest })
      } catch (error) {
        await end(run, signal.aborted
          ? { state: 'cancelled', message: 'Stopped. Nothing is left running.' }
          : { state: 'failed', message: errorMessage(error) })
      }
    }
  }
}

/** What a page says of work that has failed. @param {any} error */
export function errorMessage (error) {
  return error instanceof WorkshopError ? error.message : `This is a bug in the workshop: ${error?.message ?? error}`
}

/**
 * @typedef {JobOptions & Told} Job
 *
 * @typedef {object} Told
 * @property {string} id
 * @property {JobKind | 'compare'} kind
 * @property {string} lesson slug; empty: of a comparison
 * @property {'waiting' | 'running' | 'done' | 'cancelled' | 'failed'} state
 * @property {string} startedAt ISO 8601
 * @property {string} message what it's waiting for, or what went wrong; may be empty
 * @property {boolean} elsewhere it runs in a terminal, and is stopped there
 * @property {any} [result] of a benchmark or a profile that is done
 *
 * What a lesson's page shows of its last jobs.
 * @typedef {object} LastJobs
 * @property {Ended} [bench]
 * @property {Ended} [profile]
 * @property {ResultRecord} [preview] newer than the last check; forgotten when the workshop stops
 * @property {Record<string, Ended>} [outcomes] by what was measured: `nameOf` of a job
 *
 * @typedef {{ job: Job, at: string }} Ended at: ISO 8601
 */

/**
 * What came of the last jobs, over a restart of the workshop: `browser-jobs.json` in the workspace, by lesson.
 *
 * @typedef {object} KeptJobs
 * @property {Map<string, LastJobs>} last as they were kept
 * @property {(last: Map<string, LastJobs>) => Promise<void>} keep never rejects: a result mustn't be lost because it
 *   can't be kept
 */

/** @param {string} workspace @returns {Promise<KeptJobs>} */
export async function openKeptJobs (workspace) {
  const file = path.join(workspace, 'browser-jobs.json')
  const { value } = await readJson(file)
  // One after the other, so that the newest text is the last one written.
  let written = Promise.resolve()
  return {
    last: new Map(Object.entries(isObject(value) ? value : {}).map(([slug, jobs]) => [slug, soundJobs(jobs)])),
    keep: (last) => {
      written = written.then(() => writeFileAtomic(file, textOf(last))).catch(() => {})
      return written
    }
  }
}

/** Without previews: they are about code that may have changed in the meantime. @param {Map<string, LastJobs>} last */
function textOf (last) {
  return `${JSON.stringify(Object.fromEntries([...last].map(([slug, { preview, ...kept }]) => [slug, kept])))}\n`
}

/** A damaged field costs only itself. Pure. @param {any} found @returns {LastJobs} */
export function soundJobs (found) {
  const { bench, profile, outcomes } = Object(found)
  const { table, figures, sections } = { ...bench?.job?.result, ...profile?.job?.result }
  const sound = Object.entries(isObject(outcomes) ? outcomes : {}).filter(([, one]) => isEnded(one))
  return {
    ...isEnded(bench) && (typeof table === 'string' || Array.isArray(figures)) && { bench },
    ...isEnded(profile) && Array.isArray(sections) && sections.every(isObject) && { profile },
    outcomes: Object.fromEntries(sound)
  }
}

/** @param {any} value @returns {value is Ended} */
function isEnded (value) {
  const { at, job } = Object(value)
  const { kind, lesson, state, message } = Object(job)
  return Number.isFinite(Date.parse(at)) && [kind, lesson, state, message].every((text) => typeof text === 'string')
}

/** No event announces a measurement, so we poll. */
const lookEveryMs = 1000

/**
 * Shows what terminals measure on this machine as jobs, one after the other, until `signal` aborts.
 *
 * @param {ReturnType<typeof createRuns>} runs
 * @param {(dir: string) => Promise<string | null>} slugOf of the lesson whose copy lies there
 * @param {AbortSignal} signal
 */
async function followTerminal (runs, slugOf, signal) {
  while (!signal.aborted) {
    /** @type {Promise<Run | null>} */
    let run = Promise.resolve(null)
    // It ended by itself.
    let isWhole = false
    const begin = async (/** @type {any} */ { kind, dir }) => {
      const lesson = kind === 'compare' ? '' : await slugOf(dir)
      const newest = runs.newest()
      return lesson === null || (newest !== null && isActive(newest.job))
        ? null
        : runs.begin({ kind, lesson, state: 'running', elsewhere: true }, null)
    }
    const onLine = (/** @type {any} */ line) => {
      if (line?.type === 'job' && line.pid !== process.pid) {
        isWhole = line.kind === 'bench' || line.kind === 'profile'
        run = begin(line)
        return
      }
      const isRecord = line?.type === 'record'
      isWhole ||= isRecord
      run = run.then((known) => {
        if (known && isRecord) runs.keepRecord(known, line.record)
        else if (known) runs.tell(known, line)
        return known
      })
    }
    await followTurn(measuring, { onLine, signal }).catch(() => {})
    const known = await run.catch(() => null)
    if (known) await runs.end(known, { state: isWhole ? 'done' : 'cancelled' })
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {})
  }
}
