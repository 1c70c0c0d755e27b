import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../../runner/shared/errors.js'
import { submissionProblem } from '../../runner/shared/seat-and-room.js'
import { leaseMs, longestGradingMs } from './submission-table.js'

/**
 * A worker: takes one job at a time, and doesn't know how grading works, or where its jobs come from.
 *
 * @import { About, GradedJob, Job, Outcome, Presence, Work } from './submission-table.js'
 *
 * @typedef {Pick<Job, 'lesson' | 'files'>} Task
 *
 * @typedef {object} Worker
 * @property {() => Presence} about
 * @property {(task: Task, lost: AbortSignal) => Promise<Outcome | { isUnfit: true }>} take never throws; lost: the job
 *   is no longer its own. isUnfit: another machine has to grade it
 *
 * @typedef {object} Given
 * @property {About} about
 * @property {(task: Task, signal: AbortSignal) => Promise<GradedJob>} grade
 * @property {(lesson: string, signal: AbortSignal) => Promise<string | null>} [fits] why this machine can't grade that
 *   lesson; null: it can
 * @property {AbortSignal} signal
 * @property {(sentence: string) => void} [tell]
 * @property {{ longestMs?: number, idleMs?: number }} [times] idleMs: after so long without a job, lessons that didn't
 *   fit are tried again, since noise may have spoiled their reference
 *
 * @param {Given} given
 * @returns {Worker}
 */
export function createWorker ({ about, grade, fits = async () => null, signal, tell = () => {}, times = {} }) {
  const { longestMs = longestGradingMs, idleMs = 60_000 } = times
  const lessons = createKnown({ fits, tell, idleMs })
  /** @type {(task: Task, whole: AbortSignal) => Promise<Outcome | { isUnfit: true }>} */
  const doTask = async (task, whole) => {
    // Whoever it comes from, nothing of it is believed.
    const problem = typeof task.lesson === 'string' ? submissionProblem(task.files) : 'It’s of no lesson.'
    if (problem !== null) return { problem }
    if (!await lessons.mayTake(task.lesson, whole)) return { isUnfit: true }
    tell(`A submission to ${task.lesson}: grading it.`)
    const result = await grade(task, whole)
    tell('It’s graded.')
    return { result }
  }
  return {
    about: () => {
      lessons.forgetUnfit()
      return { ...about, unfit: lessons.unfit() }
    },
    take: async (task, lost) => {
      const late = AbortSignal.timeout(longestMs)
      lessons.noteBusy(true)
      try {
        return await doTask(Object(task), AbortSignal.any([signal, lost, late]))
      } catch (error) {
        if (signal.aborted) return { isGivenBack: true }
        if (late.aborted) return { problem: `It took more than ${longestMs / 60_000} min.` }
        tell(`It couldn’t be graded. ${error.message}`)
        return error instanceof WorkshopError ? { problem: error.message } : { failure: String(error.message) }
      } finally {
        lessons.noteBusy(false)
      }
    }
  }
}

const usualTimes = {
  renewMs: leaseMs / 4,
  /** Between two questions whether there is a job. */
  pauseMs: 2000,
  /** Between two attempts to have a result kept, and how long they go on: the disk may be full. */
  againMs: 2000,
  givenUpMs: 10 * 60_000
}

/**
 * Grades in the room's own process, one job after the other, until the signal.
 *
 * @param {object} given
 * @param {Work} given.work
 * @param {Worker} given.worker
 * @param {AbortSignal} given.signal
 * @param {(sentence: string) => void} given.tell
 * @param {Partial<typeof usualTimes>} [given.times]
 */
export async function gradeHere ({ work, worker, signal, tell, times }) {
  const { renewMs, pauseMs, againMs, givenUpMs } = { ...usualTimes, ...times }
  const pause = (/** @type {number} */ ms) => sleep(ms, undefined, { signal }).catch(() => {})
  let told = ''
  /** @type {<T>(act: () => T, otherwise: T) => T} what the room can't keep now, it may keep later */
  const tryTo = (act, otherwise) => {
    try {
      return act()
    } catch (error) {
      if (error.message !== told) tell(error.message)
      told = error.message
      return otherwise
    }
  }
  /** @param {Job} job */
  const gradeOne = async (job) => {
    const held = { id: job.id, token: job.token }
    const lost = new AbortController()
    const renewing = setInterval(() => { if (!tryTo(() => work.renew(held), true)) lost.abort() }, renewMs)
    try {
      const outcome = await worker.take(job, lost.signal)
      /** @type {Outcome} */
      const kept = 'isUnfit' in outcome ? { isGivenBack: true } : outcome
      const until = Date.now() + givenUpMs
      // Once it's given up, the lease ends, and the job comes again.
      const settle = () => tryTo(() => work.settle({ ...held, outcome: kept }), null)
      while (settle() === null && Date.now() < until && !signal.aborted) await pause(againMs)
    } finally {
      clearInterval(renewing)
    }
  }
  while (!signal.aborted) {
    const job = tryTo(() => {
      const presence = worker.about()
      work.noteWorker(presence)
      return work.claim({ worker: presence.worker, without: presence.unfit })
    }, null)
    await (job === null ? pause(pauseMs) : gradeOne(job))
  }
}

/**
 * Which lessons this machine can grade, as far as was tried.
 *
 * @param {Required<Pick<Given, 'fits' | 'tell'>> & { idleMs: number }} given
 */
function createKnown ({ fits, tell, idleMs }) {
  /** By lesson: may it be taken? @type {Map<string, boolean>} */
  const known = new Map()
  const unfit = () => [...known].flatMap(([lesson, isFit]) => isFit ? [] : lesson)
  let [isBusy, busyAt] = [false, Date.now()]
  return {
    unfit,
    /** @param {boolean} is */
    noteBusy: (is) => { [isBusy, busyAt] = [is, Date.now()] },
    forgetUnfit: () => {
      if (isBusy || Date.now() < busyAt + idleMs) return
      for (const lesson of unfit()) known.delete(lesson)
      busyAt = Date.now()
    },
    /** @param {string} lesson @param {AbortSignal} signal @throws {Error} a plain one: no submission is to blame */
    mayTake: async (lesson, signal) => {
      if (!known.has(lesson)) {
        const why = await fits(lesson, signal).catch((error) => {
          throw new Error(`Its reference solution couldn’t be graded. ${error.message}`, { cause: error })
        })
        known.set(lesson, why === null)
        if (why !== null) tell(`Lesson ${lesson} isn’t taken here: ${why}`)
      }
      return known.get(lesson) === true
    }
  }
}
