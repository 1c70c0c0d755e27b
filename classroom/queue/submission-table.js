/**
 * The queue as a table of the room's database: the truth about every submission, wherever else its number
 * is passed around. Times are ms since 1970.
 *
 * @import { SubmittedFile } from '../../runner/shared/seat-and-room.js'
 *
 * @typedef {Record<'get' | 'all' | 'run', (...values: any[]) => any>} Statement
 * @typedef {{ prepare: (sql: string) => Statement }} Sql
 *
 * @typedef {object} Row a submission without its files
 * @property {number} id
 * @property {number} seat
 * @property {string} lesson id
 * @property {'waiting' | 'leased' | 'done' | 'stuck'} state
 * @property {number} round its place: lower is earlier
 * @property {number} token counts up with each claim; only who holds the last one may say how it went
 * @property {number} attempts claims since it was queued
 * @property {string | null} worker that has or had it
 * @property {number} receivedAt
 * @property {number} queuedAt
 * @property {number | null} takenAt
 * @property {number | null} leaseUntil
 * @property {number | null} gradedAt
 * @property {string | null} problem why it is stuck, or what went wrong last
 * @property {string | null} result JSON; the old one stays until there is a new one
 * @property {string | null} cheat JSON: why its result doesn't count
 *
 * @typedef {{ seat: number, lesson: string, hash: string, files: string, now: number }} New files: JSON
 * @typedef {{ worker: string, now: number, without?: readonly string[] }} Claim without: lessons
 * @typedef {Row & { files: string }} Claimed
 * @typedef {Record<'submissions' | 'ofLesson' | 'waiting' | 'bytes', number>} Kept bytes: without results
 * @typedef {Ticket & { now: number }} Held
 *
 * @typedef {object} Table each method is one statement, on the disk when it returns; null: no row that it applies to
 * @property {() => Row[]} rows
 * @property {(of: { id: number }) => Claimed | null} whole
 * @property {(of: Pick<New, 'seat' | 'lesson'>) => Kept} keptOf the seat
 * @property {(of: Pick<New, 'seat' | 'lesson' | 'hash'>) => Row | null} find
 * @property {(given: New) => Row} add
 * @property {(given: Claim) => Claimed | null} claim
 * @property {(held: Held) => Row | null} renew
 * @property {(held: Held & { result: string }) => Row | null} finish
 * @property {(held: Held & { worker: string }) => Row | null} begin that worker has it
 * @property {(held: Held & { problem: string }) => Row | null} fail stuck
 * @property {(held: Held & { problem: string }) => Row | null} lose back into the queue, after what waits already;
 *   stuck after too many
 * @property {(held: Held) => Row | null} release untouched, and so not counted
 * @property {(at: { now: number }) => Row[]} expire what silent workers have: as `lose`
 * @property {(at: { now: number }) => Row[]} grace all leases begin anew
 * @property {(of: { id: number, now: number }) => Row | null} again
 * @property {(given: { id: number, cheat: string | null }) => Row | null} mark cheat: JSON
 *
 * @param {Sql} database
 * @param {{ leaseMs?: number }} [options]
 * @returns {Table}
 */
export function createTable (database, { leaseMs: ms = leaseMs } = {}) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(statements).map(([name, text]) => {
    const statement = database.prepare(text)
    const ofMany = ['rows', 'expire', 'grace'].includes(name)
    return [name, (/** @type {Partial<Claim>} */ { without = [], ...given } = {}) => {
      const values = { ...given, without: JSON.stringify(without), leaseMs: ms, mostAttempts }
      return ofMany ? statement.all(values) : one(statement.get(values))
    }]
  })))
}

/** @param {any} row as the library returns a single one, with `_metadata`; undefined: none @returns {any} null: none */
function one (row) {
  if (row === undefined) return null
  const { _metadata, ...own } = row
  return own
}

const columns = `id, seat, lesson, state, round, token, attempts, worker, received_at AS receivedAt,
  queued_at AS queuedAt, taken_at AS takenAt, lease_until AS leaseUntil, graded_at AS gradedAt, problem, result, cheat`

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) with jobs of the same length: a learner's next job comes a round
 * after their last one, but never in a round that is over.
 */
const roundOf = (/** @type {string} */ seat) => `max(
  coalesce((SELECT max(other.round) FROM submissions AS other WHERE other.seat = ${seat}), 0) + 1,
  coalesce((SELECT max(other.round) FROM submissions AS other WHERE other.taken_at IS NOT NULL), 1))`

const giveBack = `state = CASE WHEN attempts >= :mostAttempts THEN 'stuck' ELSE 'waiting' END, lease_until = NULL,
  round = ${roundOf('submissions.seat')}`
const held = "WHERE id = :id AND token = :token AND state = 'leased'"

/** The name after a colon is a field of what the method is given. */
const statements = {
  rows: `SELECT ${columns} FROM submissions ORDER BY id`,
  whole: `SELECT ${columns}, files FROM submissions WHERE id = :id`,
  keptOf: `SELECT count(*) AS submissions, coalesce(sum(lesson = :lesson), 0) AS ofLesson,
    coalesce(sum(state = 'waiting'), 0) AS waiting,
    coalesce(sum(length(CAST(files AS BLOB))), 0) AS bytes FROM submissions WHERE seat = :seat`,
  find: `SELECT ${columns} FROM submissions WHERE seat = :seat AND lesson = :lesson AND hash = :hash`,
  add: `INSERT INTO submissions (seat, lesson, hash, files, round, received_at, queued_at)
    VALUES (:seat, :lesson, :hash, :files, ${roundOf(':seat')}, :now, :now) RETURNING ${columns}`,
  claim: `UPDATE submissions SET state = 'leased', token = token + 1, attempts = attempts + 1, worker = :worker,
    taken_at = :now, lease_until = :now + :leaseMs WHERE id = (SELECT id FROM submissions
      WHERE state = 'waiting' AND lesson NOT IN (SELECT value FROM json_each(:without)) ORDER BY round, id LIMIT 1)
    RETURNING ${columns}, files`,
  renew: `UPDATE submissions SET lease_until = :now + :leaseMs ${held} RETURNING ${columns}`,
  finish: `UPDATE submissions SET state = 'done', graded_at = :now, result = :result, problem = NULL,
    lease_until = NULL ${held} RETURNING ${columns}`,
  begin: `UPDATE submissions SET worker = :worker, taken_at = :now ${held} RETURNING ${columns}`,
  fail: `UPDATE submissions SET state = 'stuck', lease_until = NULL, problem = :problem ${held} RETURNING ${columns}`,
  lose: `UPDATE submissions SET ${giveBack}, problem = :problem ${held} RETURNING ${columns}`,
  release: `UPDATE submissions SET state = 'waiting', attempts = attempts - 1, lease_until = NULL ${held}
    RETURNING ${columns}`,
  expire: `UPDATE submissions SET ${giveBack}, problem = 'Its worker stopped answering: ' || worker
    WHERE state = 'leased' AND lease_until <= :now RETURNING ${columns}`,
  grace: `UPDATE submissions SET lease_until = :now + :leaseMs WHERE state = 'leased' RETURNING ${columns}`,
  again: `UPDATE submissions SET state = 'waiting', round = ${roundOf('submissions.seat')}, attempts = 0,
    token = token + 1, problem = NULL, queued_at = :now, taken_at = NULL
    WHERE id = :id AND state IN ('done', 'stuck') RETURNING ${columns}`,
  mark: `UPDATE submissions SET cheat = :cheat WHERE id = :id AND result IS NOT NULL RETURNING ${columns}`
}

/**
 * The rules of the queue of submissions. Pure.
 *
 * @typedef {{ id: number, token: number }} Ticket token: of the row's last claim
 * @typedef {Ticket & { queuedAt: number, lesson: string, files: SubmittedFile[] }} Job
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
const mostAttempts = 3
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
