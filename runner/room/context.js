import { refuse } from '../http/index.js'
import { addAttempt, knownOf } from './attempts.js'
import { addPrediction } from './board.js'
import { createDoor } from './entrance.js'
import { newJoinCode, newSecret } from './names.js'
import { submissionOf } from './submission.js'

/**
 * An open room, as shared by everything that can be done in it.
 *
 * @import { Lessons } from './attempts.js'
 * @import { Predictions } from './board.js'
 * @import { Door, DoorLimits } from './entrance.js'
 * @import { Allowance } from './names.js'
 * @import { Hand, Sign } from './presence.js'
 * @import { Audit, Report, Settings, Store, StoredSeat } from './store.js'
 * @import { Submission, Worker } from './submission.js'
 *
 * @typedef {import('./attempts.js').RoomLesson} RoomLesson
 *
 * @typedef {{ reports: number, bytes: number }} Kept how much is kept of a seat
 * @typedef {Partial<Record<'usual' | 'submissions', Allowance>>} Allowances of a seat's requests
 * @typedef {StoredSeat & { lessons: Lessons, kept: Kept, allowances?: Allowances }} LiveSeat
 *
 * @typedef {{ seats: LiveSeat[], until: number }} Sweep as they were; until: it can be undone, ms since 1970
 *
 * @typedef {object} RoomState what the snapshots are made of
 * @property {Settings} settings
 * @property {RoomLesson[]} lessons
 * @property {LiveSeat[]} seats without removed ones
 * @property {ReturnType<Door['crowded']>} crowded addresses that have all the seats they may take
 * @property {number} swept seats removed together that can come back
 * @property {Map<number, Sign>} signs by seat
 * @property {Map<number, Hand>} hands raised, by seat, the first one first
 * @property {Predictions} predictions
 * @property {Map<number, Submission>} submissions by id
 * @property {Map<string, Worker>} workers by name
 * @property {boolean} isCut Redis doesn't answer
 * @property {number} now ms since 1970
 *
 * @typedef {object} RoomOptions
 * @property {Store} store
 * @property {RoomLesson[]} lessons
 * @property {() => void} [onChange]
 * @property {() => void} [onWaiting] a submission waits to be graded
 * @property {() => number} [now] ms since 1970
 * @property {boolean} [isSimulated] for a new room: its learners are invented
 * @property {number} [mostSeats]
 * @property {DoorLimits | null} [doorLimits] null: none
 *
 * @typedef {object} RoomContext
 * @property {Store} store has every change before the context does
 * @property {RoomLesson[]} lessons
 * @property {string[]} ids of the lessons
 * @property {Settings} settings
 * @property {Map<number, LiveSeat>} seats by id, including removed ones
 * @property {() => LiveSeat[]} present seats without removed ones
 * @property {number} mostSeats
 * @property {Door} door
 * @property {Sweep | null} swept the last one
 * @property {RoomState['signs']} signs
 * @property {RoomState['hands']} hands
 * @property {Predictions} predictions
 * @property {RoomState['submissions']} submissions
 * @property {RoomState['workers']} workers
 * @property {boolean} isCut
 * @property {NonNullable<RoomOptions['onWaiting']>} onWaiting
 * @property {() => number} now ms since 1970
 * @property {() => string} time ISO 8601
 * @property {(who: string, what: string, about?: unknown) => Audit} audit
 * @property {() => void} onChange
 */

export const usualSeats = 100

/** @param {RoomOptions} options @returns {RoomContext} with everything from the store */
export function openContext ({
  store, lessons, onChange = () => {}, onWaiting = () => {}, now = Date.now, isSimulated = false,
  mostSeats = usualSeats, doorLimits = null
}) {
  const time = () => new Date(now()).toISOString()
  /** @type {RoomContext['audit']} */
  const audit = (who, what, about = '') => ({ at: time(), who, what, about: String(about) })
  const stored = store.readSettings()
  const settings = stored ?? newSettings(time(), isSimulated)
  if (stored === null) store.saveSettings(settings, audit('instructor', 'open'))
  /** @type {RoomContext['seats']} */
  const seats = new Map(store.readSeats().map((seat) => [seat.id, { ...seat, ...nothing() }]))
  for (const { id, lessons: own, kept } of seats.values()) {
    for (const report of store.readReportsOf(id)) {
      addAttempt(own, knownOf(report, lessons))
      count(kept, report)
    }
  }
  const present = () => [...seats.values()].filter(({ removedAt }) => removedAt === null)
  const ids = lessons.map(({ id }) => id)
  const door = createDoor(doorLimits, now)
  const inMemory = { swept: null, signs: new Map(), hands: new Map(), workers: new Map(), isCut: false }
  /** @type {Predictions} */
  const predictions = new Map()
  for (const one of store.readPredictions()) addPrediction(predictions, one)
  const submissions = new Map(store.submissions.rows().map((row) => [row.id, submissionOf(row, lessons)]))
  return {
    store,
    lessons,
    ids,
    settings,
    seats,
    present,
    mostSeats,
    door,
    ...inMemory,
    predictions,
    submissions,
    onWaiting,
    now,
    time,
    audit,
    onChange
  }
}

/** A new seat's state. @returns {Pick<LiveSeat, 'lessons' | 'kept'>} */
export function nothing () {
  return { lessons: new Map(), kept: { reports: 0, bytes: 0 } }
}

/** @param {Kept} kept changed @param {Pick<Report, 'record'>} report */
export function count (kept, { record }) {
  kept.reports++
  kept.bytes += Buffer.byteLength(record)
}

/** @param {string} at @param {boolean} isSimulated @returns {Settings} */
function newSettings (at, isSimulated) {
  const [code, secret] = [newJoinCode(), newSecret()]
  const lists = { messages: [], locked: [], revealed: [] }
  const settings = { code, secret, createdAt: at, port: 0, isLobbyLocked: false, ...lists }
  return isSimulated ? { ...settings, isSimulated } : settings
}

/**
 * A change that the store can't keep is refused, and the room goes on.
 *
 * @template T
 * @param {() => T} act
 * @returns {T}
 * @throws {import('../errors.js').WorkshopError} with a status: why it wasn't kept
 */
export function keep (act) {
  try {
    return act()
  } catch (error) {
    if (typeof error.code !== 'string' || !error.code.startsWith('SQLITE_')) throw error
    const isFull = error.code === 'SQLITE_FULL'
    const why = isFull ? 'its disk is full, or it has 1 GB already' : `its disk reports ${error.code}`
    throw refuse(507, `The room couldn’t keep this, because ${why}: send it again once there is space.`)
  }
}
