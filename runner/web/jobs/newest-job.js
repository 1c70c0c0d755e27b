import { errorMessage } from '../error-message.js'

/**
 * The newest job, and what is told of it. What has been replaced is no longer heard.
 *
 * @import { EventName } from '../events.js'
 * @import { Done, HandlerGiven } from './handlers.js'
 * @import { Job } from './job.js'
 *
 * @typedef {ReturnType<typeof createNewestJob>} NewestJob
 * @typedef {Pick<HandlerGiven, 'onStart' | 'onProgress' | 'say'>} Told
 *
 * @param {object} given
 * @param {(name: EventName, data: unknown) => void} given.publish
 * @param {() => void} given.onBegin
 * @param {() => Promise<unknown>} given.onEnd
 */
export function createNewestJob ({ publish, onBegin, onEnd }) {
  /** @type {Job | null} */
  let newest = null
  let count = 0
  const tell = (/** @type {Job} */ job, /** @type {EventName} */ name, /** @type {unknown} */ data) => {
    if (job === newest) publish(name, data)
  }
  const change = (/** @type {Job} */ job, /** @type {Partial<Job>} */ changes) => {
    Object.assign(job, changes)
    tell(job, 'job', job)
  }
  const end = async (/** @type {Job} */ job, /** @type {Partial<Job>} */ changes) => {
    change(job, changes)
    // The next reader of what is shown is told that it could not be read.
    if (job === newest) await onEnd().catch(() => {})
  }
  return {
    read: () => newest,
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
