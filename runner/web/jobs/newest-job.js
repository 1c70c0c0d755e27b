import { errorMessage } from '../error-message.js'
import { nameOf } from './job-options.js'

/**
 * The newest job, and what is said about it. A replaced job is no longer heard.
 *
 * @import { EventName } from '../events.js'
 * @import { Done, HandlerGiven } from './handlers.js'
 * @import { Job, LastJobs } from './job.js'
 * @import { KeptJobs } from './kept-jobs.js'
 *
 * @typedef {ReturnType<typeof createNewestJob>} NewestJob
 * @typedef {Pick<HandlerGiven, 'onStart' | 'onProgress' | 'say'>} Told
 *
 * @param {object} given
 * @param {(name: EventName, data: unknown) => void} given.publish
 * @param {() => void} given.onBegin
 * @param {() => Promise<unknown>} given.onEnd
 * @param {KeptJobs} given.kept
 */
export function createNewestJob ({ publish, onBegin, onEnd, kept: { last, keep: keepOnDisk } }) {
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
    /** @param {Job} job of our own @param {AbortSignal} signal @param {(told: Told) => Promise<Done>} act */
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
