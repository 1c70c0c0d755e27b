import { addAttempt } from './derive/attempts.js'
import { newJoinCode } from './derive/code.js'
import { knownOf } from './derive/facts.js'
import { newSecret } from './secret.js'

/**
 * An open room, as everything that may be done in it shares it.
 *
 * @import { Lessons } from './derive/attempts.js'
 * @import { Audit, Settings, Store, StoredSeat } from './store/store.js'
 *
 * @typedef {object} RoomLesson
 * @property {string} id
 * @property {number} number
 * @property {string} title
 * @property {string[]} tiers from the lowest; none: empty
 *
 * @typedef {StoredSeat & { lessons: Lessons }} LiveSeat
 *
 * @typedef {object} RoomState what the snapshots are made of
 * @property {Settings} settings
 * @property {RoomLesson[]} lessons
 * @property {LiveSeat[]} seats without those that were removed
 *
 * @typedef {object} RoomOptions
 * @property {Store} store
 * @property {RoomLesson[]} lessons
 * @property {() => void} [onChange]
 * @property {() => number} [now] ms since 1970
 * @property {boolean} [isSimulated] where it is new: its learners are invented
 *
 * @typedef {object} RoomContext
 * @property {Store} store has everything before the context has it
 * @property {RoomLesson[]} lessons
 * @property {string[]} ids of the lessons
 * @property {Settings} settings
 * @property {Map<number, LiveSeat>} seats by id, with those that were removed
 * @property {() => LiveSeat[]} present seats without those that were removed
 * @property {() => string} time ISO 8601
 * @property {(who: string, what: string, about?: unknown) => Audit} audit
 * @property {() => void} onChange
 */

/** @param {RoomOptions} options @returns {RoomContext} with all that the store has */
export function openContext ({ store, lessons, onChange = () => {}, now = Date.now, isSimulated = false }) {
  const time = () => new Date(now()).toISOString()
  /** @type {RoomContext['audit']} */
  const audit = (who, what, about = '') => ({ at: time(), who, what, about: String(about) })
  const stored = store.readSettings()
  const settings = stored ?? newSettings(time(), isSimulated)
  if (stored === null) store.saveSettings(settings, audit('instructor', 'open'))
  /** @type {RoomContext['seats']} */
  const seats = new Map(store.readSeats().map((seat) => [seat.id, { ...seat, lessons: new Map() }]))
  for (const report of store.readReports()) addAttempt(seats.get(report.seat)?.lessons ?? new Map(), knownOf(report))
  const present = () => [...seats.values()].filter(({ removedAt }) => removedAt === null)
  return { store, lessons, ids: lessons.map(({ id }) => id), settings, seats, present, time, audit, onChange }
}

/** @param {string} at @param {boolean} isSimulated @returns {Settings} */
function newSettings (at, isSimulated) {
  const [code, secret] = [newJoinCode(), newSecret()]
  const settings = { code, secret, createdAt: at, port: 0, message: '', isLobbyLocked: false, locked: [], revealed: [] }
  return isSimulated ? { ...settings, isSimulated } : settings
}
