/**
 * The rules of the queue of submissions. Pure.
 *
 * @typedef {{ id: number, token: number }} Ticket token: of the row's last claim
 * @typedef {Ticket & { queuedAt: number, lesson: string, files: import('../submitted-files.js').SubmittedFile[] }} Job
 *   lesson: id; queuedAt: ms since 1970
 *
 * @typedef {{ worker: string, machine: string, fitness: string }} About a worker; fitness: a sentence
 * @typedef {About & { unfit: string[] }} Presence unfit: ids of lessons that it can't grade
 * @typedef {{ record: unknown, isVerified: boolean, sandbox: string, fitness: string }} GradedJob
 *
 * @typedef {{ result: GradedJob } | { problem: string } | { failure: string } | { isGivenBack: true }} Outcome of a
 *   grading. problem: the submission's own, so it's final; failure: the worker's, so another one may try
 *
 * @typedef {object} Work what the room lets graders do. It may throw: an error with a status may pass
 * @property {(presence: Presence) => void} noteWorker
 * @property {() => { name: string, unfit: string[] }[]} workers that were heard of lately
 * @property {(given: { worker: string, without?: readonly string[] }) => Job | null} claim the next one; without:
 *   lessons
 * @property {() => Job[]} held all that are with workers, without their files
 * @property {(id: number) => Job['files']} filesOf
 * @property {(held: Ticket) => boolean} renew false: it's no longer theirs
 * @property {(held: Ticket & { worker: string }) => boolean} begin that worker has begun with it
 * @property {(held: Ticket & { outcome: Outcome }) => boolean} settle false: the outcome doesn't count
 */

/** Whoever says nothing for so long has lost the job. */
export const leaseMs = 60_000
/** After so many workers were lost, a job isn't given out again: it may be what ends them. */
export const mostAttempts = 3
/** A grading that takes longer hangs. */
export const longestGradingMs = 15 * 60_000

/**
 * The name of a job in Redis: of one claim only, even if the room's file is restored from an older copy.
 *
 * @param {string} room
 * @param {Ticket & { queuedAt: number }} job
 */
export function jobName (room, { id, token, queuedAt }) {
  return `${room}-${id}-${token}-${queuedAt}`
}
