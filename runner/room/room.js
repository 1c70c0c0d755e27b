import { randomBytes } from 'node:crypto'
import { isEqual, refuse } from '../http/index.js'
import { seatKey } from '../seat-key.js'
import { addAttempt } from './derive/attempts.js'
import { newJoinCode, readCode } from './derive/code.js'
import { readMessage, readName, uniqueName } from './derive/names.js'
import { readReport } from './derive/read-report.js'

/**
 * The room itself: what may be done in it. Everything is in the store before it is so in memory.
 *
 * @import { Lessons } from './derive/attempts.js'
 * @import { Audit, Report, Seat, Settings, Store, StoredSeat } from './store/store.js'
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
 * @typedef {ReturnType<typeof createRoom>} Room
 */

const mostSeats = 1000

/**
 * @param {object} given
 * @param {Store} given.store
 * @param {RoomLesson[]} given.lessons
 * @param {() => void} [given.onChange]
 * @param {() => number} [given.now] ms since 1970
 * @param {boolean} [given.isSimulated] where it is new: its learners are invented
 */
export function createRoom ({ store, lessons, onChange = () => {}, now = Date.now, isSimulated = false }) {
  const time = () => new Date(now()).toISOString()
  const audit = (/** @type {string} */ who, /** @type {string} */ what, about = '') =>
    ({ at: time(), who, what, about })
  const ids = lessons.map(({ id }) => id)
  let settings = store.readSettings() ?? newSettings(time(), isSimulated)
  if (store.readSettings() === null) store.saveSettings(settings, audit('instructor', 'open'))
  /** @type {Map<number, LiveSeat>} */
  const seats = new Map(store.readSeats().map((seat) => [seat.id, { ...seat, lessons: new Map() }]))
  for (const report of store.readReports()) addAttempt(lessonsOf(report.seat), report)
  const present = () => [...seats.values()].filter(({ removedAt }) => removedAt === null)

  /** @param {number} id */
  function lessonsOf (id) {
    return seats.get(id)?.lessons ?? new Map()
  }

  /** @param {number} id @returns {LiveSeat} */
  function seatBy (id) {
    const seat = seats.get(id)
    if (seat === undefined || seat.removedAt !== null) throw refuse(404, 'There is no such seat in this room.')
    return seat
  }

  /**
   * @param {Pick<StoredSeat, 'tokenHash' | 'name' | 'nickname' | 'isOnBoard'>} given
   * @param {string} what for the audit
   */
  function addSeat ({ tokenHash, name, nickname, isOnBoard }, what) {
    if (present().length >= mostSeats) throw refuse(409, `The room is full: it has ${mostSeats} seats.`)
    const seat = { tokenHash, name, nickname, isOnBoard, joinedAt: time(), lastSeenAt: time(), removedAt: null }
    const id = kept(() => store.addSeat(seat, { at: time(), what, about: '' }))
    seats.set(id, { ...seat, id, lessons: new Map() })
    onChange()
    return seatBy(id)
  }

  /** @param {LiveSeat} seat @param {any} given @param {string} who */
  function changeSeat (seat, given, who) {
    const others = present().filter((other) => other !== seat)
    const changed = {
      ...seat,
      ...given.name === undefined ? {} : { name: uniqueName(readName(given.name), others.map(({ name }) => name)) },
      ...given.nickname === undefined ? {} : { nickname: nicknameOf(given.nickname, others) },
      ...given.board === undefined ? {} : { isOnBoard: given.board === true }
    }
    kept(() => store.saveSeat(changed, audit(who, 'change seat', String(seat.id))))
    seats.set(seat.id, changed)
    onChange()
    return changed
  }

  /** @param {LiveSeat} seat @param {any} body @param {Report['source']} source @returns {boolean} is it new? */
  function addReport (seat, body, source) {
    const { facts, record } = readReport(body, ids)
    const report = { ...facts, seat: seat.id, source, receivedAt: time() }
    const isNew = kept(() => store.addReport(report, record))
    seat.lastSeenAt = report.receivedAt
    if (isNew) addAttempt(seat.lessons, report)
    onChange()
    return isNew
  }

  return {
    /** @returns {RoomState} */
    state: () => ({ settings, lessons, seats: present() }),
    ids,
    isCode: (/** @type {unknown} */ given) => isEqual(readCode(given), settings.code),
    isSecret: (/** @type {string} */ given) => isEqual(given, settings.secret),

    /** @param {number} port */
    notePort: (port) => {
      if (port === settings.port) return
      settings = { ...settings, port }
      store.saveSettings(settings, audit('instructor', 'open', `port ${port}`))
    },

    /** @param {string} token @returns {LiveSeat} @throws with a status: it has none here, any more */
    seatOf: (token) => {
      const hash = seatKey(token)
      const seat = [...seats.values()].find(({ tokenHash }) => tokenHash === hash)
      if (seat === undefined) throw refuse(401, 'This room does not know your seat: `npm run leave`, and join again.')
      if (seat.removedAt !== null) {
        throw refuse(410, 'The instructor has removed your seat: `npm run leave` makes your workshop forget it.')
      }
      return seat
    },

    /** @param {any} given name, nickname, board @returns {{ seat: LiveSeat, token: string }} */
    join: (given) => {
      if (settings.isLobbyLocked) throw refuse(403, 'The instructor has closed the door: ask them to open it for you.')
      const name = uniqueName(readName(given?.name), present().map((seat) => seat.name))
      const nickname = nicknameOf(given?.nickname, present())
      const token = randomBytes(16).toString('base64url')
      const seat = addSeat({ tokenHash: seatKey(token), name, nickname, isOnBoard: given?.board === true }, 'join')
      return { seat, token }
    },

    changeSeat,
    addReport,

    /** Its learner goes, and with them all that is known of them. @param {LiveSeat} seat */
    leave: (seat) => {
      kept(() => store.deleteSeat(seat.id, audit(`seat ${seat.id}`, 'leave')))
      seats.delete(seat.id)
      onChange()
    },

    /** @param {number} id @param {any} given */
    rename: (id, given) => changeSeat(seatBy(id), given ?? {}, 'instructor'),

    /** All that is left says why its learner is no longer let in. @param {number} id */
    remove: (id) => {
      const seat = { ...seatBy(id), name: '', nickname: null, isOnBoard: false, removedAt: time(), lessons: new Map() }
      kept(() => store.emptySeat(seat, audit('instructor', 'remove seat', String(id))))
      seats.set(id, seat)
      onChange()
    },

    /** @param {any} given message, lobbyLocked, locked, revealed: each where it changes */
    change: (given) => {
      const changes = changesOf(given, ids)
      const changed = { ...settings, ...changes }
      kept(() => store.saveSettings(changed, audit('instructor', 'change', JSON.stringify(changes))))
      settings = changed
      onChange()
    },

    /**
     * What a learner has exported, where the network keeps them apart.
     *
     * @param {any} file
     * @returns {{ seat: number, added: number, known: number, refused: string[] }} refused: one sentence each
     */
    importFile: (file) => {
      const { key, name, nickname, board, reports } = exportIn(file)
      const known = [...seats.values()].find(({ tokenHash }) => tokenHash === key)
      if (known?.removedAt) throw refuse(410, 'That seat was removed: its file is not taken back.')
      const seat = known ?? addSeat({
        tokenHash: key,
        name: uniqueName(readName(name), present().map((one) => one.name)),
        nickname: nicknameOf(nickname, present()),
        isOnBoard: board === true
      }, 'import')
      const result = { seat: seat.id, added: 0, known: 0, refused: /** @type {string[]} */ ([]) }
      for (const { id, record } of reports) {
        try {
          // Nobody asks when it was written: a file travels for as long as it likes.
          result[addReport(seat, { id, record, sentAt: record?.startedAt }, 'imported') ? 'added' : 'known']++
        } catch (error) {
          if (error.status === undefined || error.status >= 500) throw error
          result.refused.push(error.message)
        }
      }
      return result
    }
  }
}

/** @param {string} at @param {boolean} isSimulated @returns {Settings} */
function newSettings (at, isSimulated) {
  const secret = randomBytes(24).toString('base64url')
  const code = newJoinCode()
  const settings = { code, secret, createdAt: at, port: 0, message: '', isLobbyLocked: false, locked: [], revealed: [] }
  return isSimulated ? { ...settings, isSimulated } : settings
}

/** @param {unknown} given @param {readonly Seat[]} others */
function nicknameOf (given, others) {
  if (given === undefined || given === null || given === '') return null
  return uniqueName(readName(given, 'nickname'), others.map(({ nickname }) => nickname))
}

/** @param {any} given @param {readonly string[]} ids @returns {Partial<Settings>} */
function changesOf (given, ids) {
  const { message, lobbyLocked, locked, revealed } = given ?? {}
  const lessons = (/** @type {any} */ list) => {
    const isList = Array.isArray(list) && list.every((id) => ids.includes(id))
    if (!isList) throw refuse(400, 'Lessons are named by a list of their ids.')
    return ids.filter((id) => list.includes(id))
  }
  if (lobbyLocked !== undefined && typeof lobbyLocked !== 'boolean') {
    throw refuse(400, 'The lobby is locked with true, and opened with false.')
  }
  return {
    ...message === undefined ? {} : { message: readMessage(message) },
    ...lobbyLocked === undefined ? {} : { isLobbyLocked: lobbyLocked },
    ...locked === undefined ? {} : { locked: lessons(locked) },
    ...revealed === undefined ? {} : { revealed: lessons(revealed) }
  }
}

const mostImported = 1000

/** @param {any} file @returns {any} */
function exportIn (file) {
  const isExport = file?.format === 'make-it-fast-export' && file.version === 1 && Array.isArray(file.reports) &&
    typeof file.key === 'string' && /^[0-9a-f]{64}$/.test(file.key) && file.reports.length <= mostImported
  if (!isExport) throw refuse(400, 'This is no file that `npm run export` wrote: ask the learner to make it anew.')
  return file
}

/**
 * What the store cannot keep was not done, and the room goes on.
 *
 * @template T
 * @param {() => T} act
 * @returns {T}
 */
function kept (act) {
  try {
    return act()
  } catch (error) {
    if (typeof error.code !== 'string' || !error.code.startsWith('SQLITE_')) throw error
    const why = error.code === 'SQLITE_FULL' ? 'its disk is full' : `its disk says ${error.code}`
    throw refuse(507, `The room could not keep this, ${why}: it is to be sent again when there is room.`)
  }
}
