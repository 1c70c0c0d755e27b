import { setTimeout as sleep } from 'node:timers/promises'
import { leaseMs, longestGradingMs } from './rules.js'

/**
 * A worker: takes one job at a time, and doesn't know how grading works. What the room was told it keeps; what it could
 * not be told, it finds out when the lease ends.
 *
 * @import { Ticket } from './rules.js'
 * @import { SubmittedFile } from '../submitted-files.js'
 *
 * @typedef {{ id: number, token: number, lesson: string, files: SubmittedFile[] }} Job lesson: id
 * @typedef {{ worker: string, machine: string, fitness: string }} About the worker; fitness: a sentence
 * @typedef {{ record: unknown, isVerified: boolean, sandbox: string, fitness: string }} GradedJob
 *
 * @typedef {object} Desk where jobs are, and where results go. An error without a status, or from 500 on, may pass
 * @property {(given: About & { unfit: string[], wants: boolean, ticket?: Ticket }) =>
 *   Promise<{ job: Job | null, isWaiting: boolean }>} claim
 * @property {(held: Ticket) => Promise<boolean>} renew false: the job is no longer ours
 * @property {(held: Ticket & { result: GradedJob }) => Promise<boolean>} finish
 * @property {(held: Ticket & { problem: string }) => Promise<boolean>} fail
 * @property {(held: Ticket) => Promise<boolean>} release
 *
 * @typedef {'graded' | 'nothing' | 'unfit'} Outcome unfit: the job waits for another worker
 *
 * @typedef {object} Given
 * @property {Desk} desk
 * @property {About} about
 * @property {(job: Job, signal: AbortSignal) => Promise<GradedJob>} grade
 * @property {(lesson: string, signal: AbortSignal) => Promise<string | null>} [fits] why this machine can't grade that
 *   lesson; null: it can
 * @property {AbortSignal} signal
 * @property {(sentence: string) => void} [tell]
 * @property {Partial<typeof usualTimes>} [times]
 */

const usualTimes = {
  renewMs: leaseMs / 4,
  /** Between two questions whether there is a job. */
  pauseMs: 2000,
  /** Between two attempts to tell the room what it hasn't heard. */
  againMs: 2000,
  longestMs: longestGradingMs,
  /** After so long without a job, lessons that didn't fit are tried again: noise may have spoiled their reference. */
  idleMs: 60_000
}

/** @param {Given} given */
export function createWorker ({ desk, about, grade, fits = async () => null, signal, tell = () => {}, times }) {
  const { renewMs, pauseMs, againMs, longestMs, idleMs } = { ...usualTimes, ...times }
  const lessons = createKnown({ fits, tell, idleMs })
  const insist = (/** @type {() => Promise<boolean>} */ act) => untilHeard(act, { againMs, signal })

  /** @param {Job} job @param {Ticket} held @param {AbortSignal} whole @returns {Promise<Outcome>} */
  const doJob = async (job, held, whole) => {
    const { id, lesson } = job
    if (!await lessons.mayTake(lesson, whole)) {
      await insist(() => desk.release(held))
      return 'unfit'
    }
    tell(`Submission ${id}, ${lesson}: grading it.`)
    const result = await grade(job, whole)
    const isTaken = await insist(() => desk.finish({ ...held, result }))
    tell(`Submission ${id}: ${isTaken ? 'graded.' : 'the room had given it to another worker.'}`)
    return 'graded'
  }

  /** @param {Ticket} [ticket] default: the next one @returns {Promise<Outcome>} */
  const takeOne = async (ticket) => {
    lessons.forgetUnfit()
    const { job, isWaiting } = await desk.claim({ ...about, unfit: lessons.unfit(), wants: true, ticket })
    if (job === null) return isWaiting ? 'unfit' : 'nothing'
    const held = { id: job.id, token: job.token }
    const lease = keepLease(() => desk.renew(held), { renewMs, longestMs })
    try {
      return await doJob(job, held, AbortSignal.any([signal, lease.lost, lease.late]))
    } catch (error) {
      if (lease.lost.aborted) return 'nothing'
      const problem = lease.late.aborted ? `It took more than ${longestMs / 60_000} min.` : String(error.message)
      // A worker that is told to stop gives its job back as it was.
      await insist(() => signal.aborted ? desk.release(held) : desk.fail({ ...held, problem })).catch(() => {})
      return 'graded'
    } finally {
      lease.end()
      lessons.noteBusy()
    }
  }

  return {
    takeOne,
    /** So that the room knows that it's there. */
    show: async () => { await desk.claim({ ...about, unfit: lessons.unfit(), wants: false }) },
    /** Asks the room itself for one job after the other, until the signal. */
    run: async () => {
      let isTold = false
      while (!signal.aborted) {
        const outcome = await takeOne().catch((error) => {
          if (error.status !== undefined && error.status < 500) throw error
          if (!isTold && !signal.aborted) tell(error.message)
          isTold = true
          return /** @type {const} */ ('nothing')
        })
        if (outcome !== 'nothing') isTold = false
        if (outcome !== 'graded') await sleep(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
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
  let busyAt = Date.now()
  return {
    unfit,
    noteBusy: () => { busyAt = Date.now() },
    forgetUnfit: () => {
      if (Date.now() < busyAt + idleMs) return
      for (const lesson of unfit()) known.delete(lesson)
      busyAt = Date.now()
    },
    /** @param {string} lesson @param {AbortSignal} signal */
    mayTake: async (lesson, signal) => {
      if (!known.has(lesson)) {
        const why = await fits(lesson, signal)
        known.set(lesson, why === null)
        if (why !== null) tell(`Lesson ${lesson} isn’t taken here: ${why}`)
      }
      return known.get(lesson) === true
    }
  }
}

/**
 * However long the room is gone.
 *
 * @param {() => Promise<boolean>} act
 * @param {{ againMs: number, signal: AbortSignal }} how
 */
async function untilHeard (act, { againMs, signal }) {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (signal.aborted || (error.status !== undefined && error.status < 500)) throw error
      await sleep(againMs, undefined, { signal }).catch(() => {})
    }
  }
}

/**
 * @param {() => Promise<boolean>} renew false: the job is no longer ours
 * @param {{ renewMs: number, longestMs: number }} times
 */
function keepLease (renew, { renewMs, longestMs }) {
  const [lost, late] = [new AbortController(), new AbortController()]
  const renewing = setInterval(() => {
    renew().then((isOurs) => { if (!isOurs) lost.abort() }, () => {})
  }, renewMs)
  const timer = setTimeout(() => late.abort(), longestMs)
  return {
    lost: lost.signal,
    late: late.signal,
    end: () => {
      clearInterval(renewing)
      clearTimeout(timer)
    }
  }
}
