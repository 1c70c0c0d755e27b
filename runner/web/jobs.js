import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../http/index.js'
import { followTurn, measuring } from '../process/index.js'
import { isObject } from '../rules.js'
import { readJson, writeFileAtomic } from '../workspace/index.js'
import { errorMessage } from './events.js'
import { nameOf } from './job-handlers.js'

/**
 * One job at a time: a request for another joins it. A measurement in a terminal shows up as a job, too.
 *
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { JobKind } from '../process/index.js'
 * @import { EventName } from './events.js'
 * @import { Done, HandlerGiven, Handlers, JobOptions } from './job-handlers.js'
 *
 * @typedef {object} Jobs
 * @property {() => Job | null} current the newest one, even when it's over
 * @property {(slug?: string) => boolean} isBusy is one running, for this lesson?
 * @property {(kind: JobKind, entry: LoadedLesson, options?: JobOptions) => { job: Job, isNew: boolean }} start
 * @property {(slug: string) => LastJobs} lastOf
 * @property {(slug: string) => void} noteSave
 * @property {() => Job} cancel
 * @property {() => Promise<void>} close stops what runs, and waits for its end
 */

/**
 * @param {object} given
 * @param {Handlers} given.handlers
 * @param {(entry: LoadedLesson) => Promise<string>} given.openCopy the folder of the learner's copy
 * @param {(dir: string) => Promise<string | null>} given.slugOf of the lesson whose copy lies there
 * @param {(name: EventName, data: unknown) => void} given.publish
 * @param {() => void} given.onBegin a new job: what was published about the last one is history
 * @param {() => Promise<unknown>} given.onEnd progress may have changed
 * @param {KeptJobs} given.kept
 * @returns {Jobs}
 */
export function createJobs ({ handlers, openCopy, slugOf, ...given }) {
  const newest = createNewestJob(given)
  /** The newest one that we started. @type {{ job: Job, controller: AbortController, ended: Promise<void> } | null} */
  let own = null
  /** A file was saved since it began. @type {Job | null} */
  let staleJob = null
  const closing = new AbortController()
  const others = followTerminal(newest, slugOf, closing.signal)

  return {
    current: newest.read,
    lastOf: newest.lastOf,
    isBusy: (slug) => newest.isActive() && (slug === undefined || newest.read()?.lesson === slug),
    start: (kind, entry, options) => {
      const running = newest.isActive() ? newest.read() : null
      const asked = { kind, lesson: entry.id, ...options }
      if (running !== null && isJoined(running, asked, staleJob === running)) return { job: running, isNew: false }
      own?.controller.abort()
      const before = own?.ended
      const controller = new AbortController()
      const { signal } = controller
      const job = newest.begin({ ...asked, state: 'waiting', elsewhere: false })
      const ended = newest.run(job, signal, async (told) => {
        await before
        const own = await openCopy(entry)
        const dir = options?.server === 'slow' ? entry.slowDir : own
        return handlers[kind]({ ...options, ...told, entry, dir, signal })
      })
      own = { job, controller, ended }
      return { job, isNew: true }
    },
    noteSave: (slug) => {
      if (newest.read()?.lesson === slug) staleJob = newest.read()
    },
    cancel: () => {
      if (!newest.isActive()) throw refuse(409, 'Nothing is running: there is nothing to stop.')
      if (own === null || newest.read() !== own.job) {
        throw refuse(409, 'It runs in a terminal: stop it there with Ctrl-C.')
      }
      own.controller.abort()
      return own.job
    },
    close: async () => {
      closing.abort()
      own?.controller.abort()
      await Promise.all([own?.ended, others])
    }
  }
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

/**
 * The newest job, and what is said about it. A replaced job is no longer heard.
 *
 * @typedef {ReturnType<typeof createNewestJob>} NewestJob
 * @typedef {Pick<HandlerGiven, 'onStart' | 'onProgress' | 'say'>} Telling
 *
 * @param {object} given
 * @param {(name: EventName, data: unknown) => void} given.publish
 * @param {() => void} given.onBegin
 * @param {() => Promise<unknown>} given.onEnd
 * @param {KeptJobs} given.kept
 */
function createNewestJob ({ publish, onBegin, onEnd, kept: { last, keep: keepOnDisk } }) {
  /** @type {Job | null} */
  let newest = null
  let count = 0
  const keep = (/** @type {Job} */ { lesson }, /** @type {LastJobs} */ news) => {
    last.set(lesson, { ...last.get(lesson), ...news })
  }
  const tell = (/** @type {Job} */ job, /** @type {EventName} */ name, /** @type {any} */ data) => {
    if (name === 'record') keep(job, { preview: job.kind === 'preview' ? data : undefined })
    if (job === newest) publish(name, data)
  }
  const change = (/** @type {Job} */ job, /** @type {Partial<Job>} */ changes) => {
    Object.assign(job, changes)
    tell(job, 'job', job)
  }
  const end = async (/** @type {Job} */ job, /** @type {Partial<Job>} */ changes) => {
    change(job, changes)
    const ended = { job, at: new Date().toISOString() }
    // Of what a terminal measures, only a check's outcome is known.
    if (!job.elsewhere || job.kind === 'check') {
      keep(job, { outcomes: { ...last.get(job.lesson)?.outcomes, [nameOf(job)]: ended } })
    }
    if (job.result !== undefined) keep(job, { [job.kind]: ended })
    await keepOnDisk(last)
    // The next request for the state reports the failure.
    if (job === newest) await onEnd().catch(() => {})
  }
  return {
    read: () => newest,
    lastOf: (/** @type {string} */ slug) => last.get(slug) ?? {},
    isActive: () => newest?.state === 'waiting' || newest?.state === 'running',
    /** @param {Omit<Job, 'id' | 'startedAt' | 'message'>} what */
    begin: (what) => {
      onBegin()
      newest = { id: String(++count), startedAt: new Date().toISOString(), message: '', ...what }
      publish('job', newest)
      return newest
    },
    tell,
    end,
    /** @param {Job} job of our own @param {AbortSignal} signal @param {(told: Telling) => Promise<Done>} act */
    run: async (job, signal, act) => {
      try {
        const { record, isStopped = false, ...rest } = await act({
          onStart: () => change(job, { state: 'running', message: '' }),
          onProgress: (event) => tell(job, 'progress', event),
          say: (message) => change(job, { message })
        })
        if (record) tell(job, 'record', record)
        await end(job, { state: isStopped ? 'cancelled' : 'done', ...rest })
      } catch (error) {
        await end(job, signal.aborted
          ? { state: 'cancelled', message: 'Stopped. Nothing is left running.' }
          : { state: 'failed', message: errorMessage(error) })
      }
    }
  }
}

/**
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
 * @typedef {Told & JobOptions} Job
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

/**
 * A damaged field costs only itself. Pure.
 *
 * @param {any} found
 * @returns {LastJobs}
 */
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
 * @param {NewestJob} newest
 * @param {(dir: string) => Promise<string | null>} slugOf of the lesson whose copy lies there
 * @param {AbortSignal} signal
 */
async function followTerminal (newest, slugOf, signal) {
  while (!signal.aborted) {
    /** @type {Promise<Job | null>} */
    let job = Promise.resolve(null)
    // It ended by itself.
    let isWhole = false
    const begin = async (/** @type {any} */ { kind, dir }) => {
      const lesson = kind === 'compare' ? '' : await slugOf(dir)
      return lesson === null || newest.isActive()
        ? null
        : newest.begin({ kind, lesson, state: 'running', elsewhere: true })
    }
    const onLine = (/** @type {any} */ line) => {
      if (line?.type === 'job' && line.pid !== process.pid) {
        isWhole = line.kind === 'bench' || line.kind === 'profile'
        job = begin(line)
        return
      }
      const isRecord = line?.type === 'record'
      isWhole ||= isRecord
      job = job.then((known) => {
        if (known) newest.tell(known, isRecord ? 'record' : 'progress', isRecord ? line.record : line)
        return known
      })
    }
    await followTurn(measuring, { onLine, signal }).catch(() => {})
    const known = await job.catch(() => null)
    if (known) await newest.end(known, { state: isWhole ? 'done' : 'cancelled' })
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {})
  }
}
