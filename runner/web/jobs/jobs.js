import { refuse } from '../../http/index.js'
import { errorMessage } from '../error-message.js'
import { handlers } from './handlers.js'
import { followOthers } from './follow-terminal.js'

/**
 * One job at a time: whoever asks for another one joins it. A measurement in a terminal shows up as a job, too.
 *
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { JobKind } from '../../system/index.js'
 * @import { EventName } from '../events.js'
 * @import { Job } from './job.js'
 *
 * @typedef {object} Jobs
 * @property {() => Job | null} current the newest one, also when it is over
 * @property {(slug?: string) => boolean} isBusy does one run, of this lesson?
 * @property {(kind: JobKind, entry: LoadedLesson, more?: Pick<Job, 'tool' | 'more'>) => { job: Job, isNew: boolean }}
 *   start
 * @property {(slug: string) => void} noteSave
 * @property {() => Job} cancel
 * @property {() => Promise<void>} close stops what runs, and waits for its end
 */

/**
 * @param {object} given
 * @param {(entry: LoadedLesson) => Promise<string>} given.openCopy the folder of the learner's copy
 * @param {(dir: string) => Promise<string | null>} given.slugOf of the lesson whose copy lies there
 * @param {(name: EventName, data: unknown) => void} given.publish
 * @param {() => void} given.onBegin a new job: what was published of the last one is in the past
 * @param {() => Promise<unknown>} given.onEnd progress may have changed
 * @returns {Jobs}
 */
export function createJobs ({ openCopy, slugOf, publish, onBegin, onEnd }) {
  /** @type {Job | null} */
  let current = null
  let count = 0
  /** The newest one of our own. @type {{ job: Job, controller: AbortController, ended: Promise<void> } | null} */
  let own = null
  /** Something was saved since it began. @type {Job | null} */
  let staleJob = null
  const closing = new AbortController()

  const isActive = () => current?.state === 'waiting' || current?.state === 'running'
  const begin = (/** @type {Pick<Job, 'kind' | 'lesson' | 'state' | 'elsewhere' | 'tool' | 'more'>} */ what) => {
    onBegin()
    current = { id: String(++count), startedAt: new Date().toISOString(), message: '', ...what }
    publish('job', current)
    return current
  }
  /** What has been replaced is heard no more. */
  const publishOf = (/** @type {Job} */ job, /** @type {EventName} */ name, /** @type {unknown} */ data) => {
    if (job === current) publish(name, data)
  }
  const change = (/** @type {Job} */ job, /** @type {Partial<Job>} */ changes) => {
    Object.assign(job, changes)
    publishOf(job, 'job', job)
  }

  /** @param {Job} job @param {LoadedLesson} entry @param {AbortSignal} signal @param {Promise<void>} [before] */
  const run = async (job, entry, signal, before) => {
    await before
    const { kind, tool, more } = job
    try {
      const { record, isStopped = false, ...rest } = await handlers[kind]({
        entry,
        dir: await openCopy(entry),
        tool,
        more,
        onStart: () => change(job, { state: 'running', message: '' }),
        onProgress: (event) => publishOf(job, 'progress', event),
        say: (message) => change(job, { message }),
        signal
      })
      if (record) publishOf(job, 'record', record)
      change(job, { state: isStopped ? 'cancelled' : 'done', ...rest })
    } catch (error) {
      if (signal.aborted) change(job, { state: 'cancelled', message: 'Stopped. Nothing is left running.' })
      else change(job, { state: 'failed', message: errorMessage(error) })
    }
    // That what is shown could not be read again is told by whoever reads it next.
    if (job === current) await onEnd().catch(() => {})
  }

  const others = followOthers({
    onStart: async ({ kind, dir }) => {
      const lesson = await slugOf(dir)
      if (lesson === null || isActive()) return null
      return begin({ kind, lesson, state: 'running', elsewhere: true })
    },
    onLine: (job, line) => {
      if (line?.type === 'record') publishOf(job, 'record', line.record)
      else publishOf(job, 'progress', line)
    },
    onEnd: async (job, isWhole) => {
      change(job, { state: isWhole ? 'done' : 'cancelled' })
      if (job === current) await onEnd().catch(() => {})
    },
    signal: closing.signal
  })

  return {
    current: () => current,
    isBusy: (slug) => isActive() && (slug === undefined || current?.lesson === slug),
    start: (kind, entry, options) => {
      const asked = { kind, lesson: entry.id, ...options }
      const isStale = staleJob === current
      if (current !== null && isActive() && isJoined(current, asked, isStale)) return { job: current, isNew: false }
      own?.controller.abort()
      const job = begin({ ...asked, state: 'waiting', elsewhere: false })
      const controller = new AbortController()
      own = { job, controller, ended: run(job, entry, controller.signal, own?.ended) }
      return { job, isNew: true }
    },
    noteSave: (slug) => {
      if (current?.lesson === slug) staleJob = current
    },
    cancel: () => {
      if (current === null || !isActive()) throw refuse(409, 'Nothing runs: there is nothing to stop.')
      if (current !== own?.job) throw refuse(409, 'It runs in a terminal: stop it there with Ctrl-C.')
      own.controller.abort()
      return current
    },
    close: async () => {
      closing.abort()
      own?.controller.abort()
      await Promise.all([own?.ended, others])
    }
  }
}

/**
 * Whoever asks while something runs joins it. But a look is worth nothing any more after the next save, and gives way
 * to all that says more; and what a terminal does with another lesson is waited for. Pure.
 *
 * @param {Pick<Job, 'kind' | 'lesson' | 'elsewhere'>} running
 * @param {Pick<Job, 'kind' | 'lesson'>} asked
 * @param {boolean} isStale something was saved since it began
 * @returns {boolean} false: a new job is made, and waits for its turn
 */
export function isJoined (running, asked, isStale) {
  const isSame = running.kind === asked.kind && running.lesson === asked.lesson
  if (running.elsewhere) return isSame
  return running.kind !== 'preview' || (isSame && !isStale)
}
