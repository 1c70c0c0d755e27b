/**
 * The rules of the queue of submissions. Pure.
 *
 * @typedef {{ id: number, token: number }} Ticket token: of the row when the ticket was written
 */

/** A worker that says nothing for so long has lost its job. */
export const leaseMs = 60_000
/** After so many a job isn't given out again: it may be what ends the workers. */
export const mostAttempts = 3
/** A grading that takes longer hangs. */
export const longestGradingMs = 15 * 60_000

/**
 * The name of a job in Redis. A row to be graded again gets another token, so that no old job blocks it.
 *
 * @param {Ticket} ticket
 */
export function jobName ({ id, token }) {
  return `sub-${id}-${token}`
}

/** @param {string} name @returns {Ticket | null} null: it isn't ours */
export function readJobName (name) {
  const [, id, token] = /^sub-(\d{1,15})-(\d{1,15})$/.exec(name) ?? []
  return id === undefined ? null : { id: Number(id), token: Number(token) }
}
