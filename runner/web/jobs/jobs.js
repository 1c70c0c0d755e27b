import { refuse } from '../../http/index.js'
import { followTerminal } from './follow-terminal.js'
import { createNewestJob } from './newest-job.js'

/**
 * One job at a time: a request for another joins it. A measurement in a terminal shows up as a job, too.
 *
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { JobKind } from '../../process/index.js'
 * @import { EventName } from '../events.js'
 * @import { Handlers } from './handlers.js'
 * @import { JobOptions } from './job-options.js'
 * @import { Job, LastJobs } from './job.js'
 * @import { KeptJobs } from './kept-jobs.js'
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
