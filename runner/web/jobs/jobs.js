import { WorkshopError } from '../../errors.js'
import { inTurn } from '../../system/index.js'
import { refuse } from '../refuse.js'
import { acts } from './acts.js'
import { followOthers } from './others.js'

/**
 * One job at a time: whoever asks for another one joins it. A measurement in a terminal shows up as a job, too.
 *
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { JobKind } from '../../system/index.js'
 * @import { EventName } from '../events.js'
 *
 * @typedef {object} Job
 * @property {string} id
 * @property {JobKind} kind
 * @property {string} lesson slug
 * @property {'waiting' | 'running' | 'done' | 'cancelled' | 'failed'} state
 * @property {string} startedAt ISO 8601
 * @property {string} message what it says now: what it waits for, what went wrong; may be empty
 * @property {boolean} elsewhere it runs in a terminal, and is stopped there
 * @property {unknown} [result] of a benchmark or a profile that is done
 *
 * @typedef {object} Jobs
 * @property {() => Job | null} current the newest one, also when it is over
 * @property {(slug?: string) => boolean} isBusy does one run, of this lesson?
 * @property {(kind: JobKind, entry: LoadedLesson) => { job: Job, isNew: boolean }} start
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
  /** Of our own job. @type {{ controller: AbortController, ended: Promise<void> } | null} */
  let own = null
  const closing = new AbortController()

  const isActive = () => current?.state === 'waiting' || current?.state === 'running'
  const begin = (/** @type {Pick<Job, 'kind' | 'lesson' | 'state' | 'elsewhere'>} */ what) => {
    onBegin()
    current = { id: String(++count), startedAt: new Date().toISOString(), message: '', ...what }
    publish('job', current)
    return current
  }
  const change = (/** @type {Job} */ job, /** @type {Partial<Job>} */ changes) => {
    Object.assign(job, changes)
    if (job === current) publish('job', job)
  }

  /** @param {Job} job @param {LoadedLesson} entry @param {AbortSignal} signal */
  const run = async (job, entry, signal) => {
    const tell = (/** @type {string} */ message) => change(job, { message })
    const { kind } = job
    try {
      const dir = await openCopy(entry)
      const turn = { about: { kind, entry, dir }, where: 'in the browser', tell, signal }
      const done = await inTurn(turn, async (tellAll) => {
        change(job, { state: 'running', message: '' })
        const onProgress = (/** @type {unknown} */ event) => {
          tellAll(event)
          publish('progress', event)
        }
        return acts[kind]({ entry, dir, onProgress, say: tell, signal })
      })
      const { record, ...rest } = done
      if (record) publish('record', record)
      change(job, { state: 'done', ...rest })
    } catch (error) {
      if (signal.aborted) change(job, { state: 'cancelled', message: 'Stopped. Nothing is left running.' })
      else change(job, { state: 'failed', message: sentenceOf(error) })
    }
    own = null
    await onEnd()
  }

  const others = followOthers({
    onStart: async ({ kind, dir }) => {
      const lesson = await slugOf(dir)
      if (lesson === null || isActive()) return null
      return begin({ kind, lesson, state: 'running', elsewhere: true })
    },
    onLine: (job, line) => {
      if (job !== current) return
      if (line?.type === 'record') publish('record', line.record)
      else publish('progress', line)
    },
    onEnd: async (job, isWhole) => {
      change(job, { state: isWhole ? 'done' : 'cancelled' })
      if (job === current) await onEnd()
    },
    signal: closing.signal
  })

  return {
    current: () => current,
    isBusy: (slug) => isActive() && (slug === undefined || current?.lesson === slug),
    start: (kind, entry) => {
      const isSame = current?.kind === kind && current.lesson === entry.id
      if (current !== null && isActive() && (isSame || !current.elsewhere)) return { job: current, isNew: false }
      const job = begin({ kind, lesson: entry.id, state: 'waiting', elsewhere: false })
      const controller = new AbortController()
      own = { controller, ended: run(job, entry, controller.signal) }
      return { job, isNew: true }
    },
    cancel: () => {
      if (current === null || !isActive()) throw refuse(409, 'Nothing runs: there is nothing to stop.')
      if (own === null) throw refuse(409, 'It runs in a terminal: stop it there with Ctrl-C.')
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

/** @param {any} error */
function sentenceOf (error) {
  return error instanceof WorkshopError ? error.message : `This is a fault of the workshop: ${error?.message ?? error}`
}
