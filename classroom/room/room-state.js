import { addAttempt, knownOf, submissionOf } from './attempts.js'
import { createAdmission, newJoinCode, newSecret } from './entrance.js'

/**
 * An open room, as shared by everything that can be done in it. The store has what is kept; here is what is kept in
 * memory alone, and what is derived from the reports of a seat.
 *
 * @import { Presence } from '../queue/index.js'
 * @import { Lessons, RoomLesson } from './attempts.js'
 * @import { AdmissionLimits, Allowance } from './entrance.js'
 * @import { Hand, Sign } from './presence.js'
 * @import { Audit, Report, Settings, Store, StoredSeat } from './store.js'
 *
 * @typedef {ReturnType<typeof createRoom>} Room
 *
 * @typedef {Omit<Presence, 'worker'> & { name: string, seenAt: number }} Worker seenAt: ms since 1970
 *
 * @typedef {{ reports: number, bytes: number }} Kept how much is kept of a seat
 * @typedef {Partial<Record<'usual' | 'submissions', Allowance>>} Allowances of a seat's requests
 * @typedef {{ lessons: Lessons, kept: Kept, allowances: Allowances }} Memo of a seat, changed in place
 * @typedef {StoredSeat & Memo} LiveSeat
 * @typedef {{ seats: LiveSeat[], until: number }} Sweep as they were; until: it can be undone, ms since 1970
 *
 * @typedef {object} RoomOptions
 * @property {Store} store
 * @property {RoomLesson[]} lessons
 * @property {() => void} [onChange]
 * @property {() => void} [onWaiting] a submission waits to be graded
 * @property {() => number} [now] ms since 1970
 * @property {number} [mostSeats]
 * @property {AdmissionLimits | null} [admissionLimits] null: none
 */

export const usualSeats = 100

/** @param {RoomOptions} options */
export function createRoom ({
  store, lessons, onChange = () => {}, onWaiting = () => {}, now = Date.now, mostSeats = usualSeats,
  admissionLimits = null
}) {
  const time = () => new Date(now()).toISOString()
  /** @param {string} who @param {string} what @param {unknown} [about] @returns {Audit} */
  const audit = (who, what, about = '') => ({ at: time(), who, what, about: String(about) })
  if (store.readSettings() === null) store.saveSettings(newSettings(time()), audit('instructor', 'open'))
  /** @type {Map<number, Memo>} by seat */
  const memos = new Map()
  const live = (/** @type {StoredSeat} */ seat) => {
    const memo = memos.get(seat.id) ?? memoOf(store.readReportsOf(seat.id), lessons)
    memos.set(seat.id, memo)
    return { ...seat, ...memo }
  }
  /** @type {LiveSeat[] | null} until something changes */
  let seats = null
  let version = 0
  /** @type {Map<number, Sign>} by seat */
  const signs = new Map()
  /** @type {Map<number, Hand>} raised, by seat, the first one first */
  const hands = new Map()
  const submissions = new Map(store.submissions.rows().map((row) => [row.id, submissionOf(row, lessons)]))
  return {
    store,
    lessons,
    ids: lessons.map(({ id }) => id),
    settings: () => /** @type {Settings} */ (store.readSettings()),
    /** Without removed ones. */
    seats: () => { return (seats ??= store.readSeats().map(live)) },
    /** Even a removed one. @param {StoredSeat | undefined} found @returns {LiveSeat | undefined} */
    live: (found) => found && live(found),
    /** @param {number} id of a seat of which nothing is left */
    forget: (id) => {
      for (const kept of [memos, signs, hands]) kept.delete(id)
      for (const one of submissions.values()) if (one.seat === id) submissions.delete(one.id)
    },
    mostSeats,
    admission: createAdmission(admissionLimits, now),
    swept: /** @type {Sweep | null} the last one */ (null),
    signs,
    hands,
    submissions,
    /** @type {Map<string, Worker>} by name */
    workers: new Map(),
    /** Redis doesn't answer. */
    isCut: false,
    onWaiting,
    now,
    time,
    audit,
    /** It counts changes. */
    version: () => version,
    onChange: () => {
      seats = null
      version++
      onChange()
    }
  }
}

/** @param {readonly Report[]} reports @param {readonly RoomLesson[]} lessons @returns {Memo} */
function memoOf (reports, lessons) {
  const memo = { lessons: new Map(), kept: { reports: 0, bytes: 0 }, allowances: {} }
  for (const report of reports) {
    addAttempt(memo.lessons, knownOf(report, lessons))
    count(memo.kept, report)
  }
  return memo
}

/** @param {Kept} kept changed @param {Pick<Report, 'record'>} report */
export function count (kept, { record }) {
  kept.reports++
  kept.bytes += Buffer.byteLength(record)
}

/** @param {string} at @returns {Settings} */
function newSettings (at) {
  const [code, secret] = [newJoinCode(), newSecret()]
  const lists = { messages: [], locked: [], revealed: [] }
  return { code, secret, createdAt: at, port: 0, isLobbyLocked: false, ...lists }
}
