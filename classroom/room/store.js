import fs from 'node:fs'
import path from 'node:path'
import { createTable } from '../queue/index.js'
import { createBackups, inTransaction, makeTables, mostPages, openDatabase } from './database.js'

/**
 * A room's file: a method's change is on the disk when it returns. All of them throw the library's error, with a code
 * such as SQLITE_FULL, if that fails.
 *
 * @import { Database, Statement } from './database.js'
 *
 * @typedef {Awaited<ReturnType<typeof openStore>>} Store
 *
 * @typedef {object} Settings of the room
 * @property {string} code that admits learners
 * @property {string[]} [formerCodes] that no longer work, the newest first
 * @property {string} secret of the instructor
 * @property {string} createdAt ISO 8601
 * @property {number} port at which learners reach it; 0: not opened yet
 * @property {Message[]} messages the last ones, the newest last
 * @property {boolean} isLobbyLocked no more learners may join
 * @property {string[]} locked ids of lessons that are not open yet
 * @property {string[]} revealed ids of lessons whose solution all may see
 * @property {{ lesson: string, startedAt: string, minutes: number } | null} [current] the lesson that the class is at
 * @property {{ text: string, startedAt: string, minutes: number } | null} [timer] a break, for example
 *
 * @typedef {object} Message of the instructor
 * @property {number} id
 * @property {string} text
 * @property {'all' | number[]} to ids of seats
 * @property {string} sentAt ISO 8601
 * @property {string} endsAt ISO 8601: it isn't shown from then on
 *
 * @typedef {object} Seat
 * @property {number} id
 * @property {string} name
 * @property {string | null} nickname
 * @property {boolean} isOnBoard
 * @property {string} joinedAt ISO 8601
 * @property {string} lastSeenAt ISO 8601
 * @property {string | null} removedAt by the instructor: everything else about it is deleted
 *
 * @typedef {Seat & { tokenHash: string }} StoredSeat
 *
 * @typedef {object} Report one check of one seat
 * @property {number} seat
 * @property {string} id made by the client: the same report twice counts once
 * @property {'reported' | 'imported' | 'verified'} source by the learner's machine, or by the class's own
 * @property {string} startedAt by the client's clock
 * @property {string} sentAt by the client's clock
 * @property {string} receivedAt by ours
 * @property {string} record a `SentRecord` as JSON: everything else known about it is derived from that
 *
 * @typedef {{ at: string, who: string, what: string, about: string }} Audit who: `instructor` or `seat 3`
 */

/**
 * @param {string} file
 * @param {{ mostPages?: number, leaseMs?: number }} [bounds] mostPages: how large it may become; leaseMs: how long a
 *   worker may be silent
 * @throws {import('../../runner/shared/errors.js').WorkshopError}
 */
export async function openStore (file, { mostPages, leaseMs } = {}) {
  const database = await openDatabase(file)
  const [ballast, backups] = [createBallast(database, file, mostPages), createBackups(database, file)]
  // Without it, what was deleted or overwritten stays in the log until that is full.
  const emptyLog = () => { database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() }
  try {
    makeTables(database)
    emptyLog()
    ballast.fill()
  } catch (error) {
    database.close()
    throw error
  }
  const sql = Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, database.prepare(text)]))
  const log = (/** @type {Audit} */ audit) => sql.log.run(audit)
  /** @type {<T>(audit: Audit, act: () => T) => T} both or none */
  const logged = (audit, act) => inTransaction(database, () => {
    const result = act()
    log(audit)
    return result
  })
  /** @param {Audit} audit @param {() => unknown} act */
  const deleted = (audit, act) => {
    ballast.spend(() => logged(audit, act))
    backups.drop()
    emptyLog()
    ballast.fill()
  }
  return {
    ...keepSettingsAndSeats(sql, { database, log, logged, deleted, emptyLog }),
    ...keepReports(sql, database),
    readAudit: () => /** @type {Audit[]} */ (sql.readAudit.all()),
    logged,
    submissions: createTable(database, { leaseMs }),
    backUp: backups.make,
    close: () => {
      // So that the file is complete when it's copied alone.
      try { emptyLog() } catch {}
      database.close()
    }
  }
}

/**
 * @param {Record<string, Statement>} sql by their names below
 * @param {{ database: Database, log: (audit: Audit) => void, emptyLog: () => void } &
 *   Record<'logged' | 'deleted', (audit: Audit, act: () => unknown) => void>} how
 */
function keepSettingsAndSeats (sql, { database, log, logged, deleted, emptyLog }) {
  const saveSettings = (/** @type {Settings} */ settings) => sql.saveSettings.run(JSON.stringify(settings))
  /** @param {Pick<StoredSeat, 'isOnBoard'>} seat */
  const rowOf = (seat) => ({ ...seat, isOnBoard: Number(seat.isOnBoard) })
  const saveSeat = (/** @type {Seat} */ seat) => sql.saveSeat.run(rowOf(seat))
  /** @returns {StoredSeat} */
  const seatOf = (/** @type {any} */ row) => ({ ...row, isOnBoard: row.isOnBoard === 1 })
  return {
    /** @returns {Settings | null} null: a new room */
    readSettings: () => {
      const [row] = sql.readSettings.all()
      return row ? JSON.parse(row.settings) : null
    },
    saveSettings: (/** @type {Settings} */ settings, /** @type {Audit} */ audit) =>
      logged(audit, () => saveSettings(settings)),
    /** Without removed ones. */
    readSeats: () => sql.readSeats.all().map(seatOf),
    /** Even a removed one. @returns {StoredSeat | undefined} */
    readSeat: (/** @type {number} */ id) => sql.readSeat.all(id).map(seatOf)[0],
    /** Even a removed one. @returns {StoredSeat | undefined} */
    readSeatWith: (/** @type {string} */ tokenHash) => sql.readSeatWith.all(tokenHash).map(seatOf)[0],
    /** @param {Omit<StoredSeat, 'id'>} seat @param {Omit<Audit, 'who'>} audit @returns {number} its id */
    addSeat: (seat, audit) => inTransaction(database, () => {
      const { lastInsertRowid } = sql.addSeat.run(rowOf(seat))
      log({ ...audit, who: `seat ${lastInsertRowid}` })
      return Number(lastInsertRowid)
    }),
    saveSeats: (/** @type {readonly Seat[]} */ seats, /** @type {Audit} */ audit) => {
      logged(audit, () => {
        // For what learners may change often, the last change is enough.
        if (audit.who !== 'instructor') sql.forget.run(audit.who, audit.what)
        seats.forEach(saveSeat)
      })
      emptyLog()
    },
    /** And all of its reports. @param {number} id @param {Settings} settings without it @param {Audit} audit */
    deleteSeat: (id, settings, audit) => deleted(audit, () => {
      saveSettings(settings)
      sql.deleteSeat.run(id)
    }),
    /** Deletes their reports. @param {readonly Seat[]} seats @param {Settings} settings @param {Audit} audit */
    emptySeats: (seats, settings, audit) => deleted(audit, () => {
      saveSettings(settings)
      for (const seat of seats) {
        for (const table of ['Reports', 'Submissions', 'Predictions']) sql[`delete${table}`].run(seat.id)
        saveSeat(seat)
      }
    })
  }
}

/** And predictions. @param {Record<string, Statement>} sql @param {Database} database */
function keepReports (sql, database) {
  return {
    readReportsOf: (/** @type {number} */ seat) => /** @type {Report[]} */ (sql.readReportsOf.all(seat)),
    /** All or none. @param {readonly Report[]} reports @returns {boolean[]} false: already known */
    addReports: (reports) => inTransaction(database, () =>
      reports.map((report) => {
        const { changes } = sql.addReport.run(report)
        sql.seen.run(report.receivedAt, report.seat)
        return Number(changes) === 1
      })),
    /** The smallest ratio first. @returns {{ seat: number, lesson: string, ratio: number }[]} lesson: id */
    readPredictions: () => sql.readPredictions.all(),
    /** @param {number} seat @param {string} lesson @returns {number | null} its ratio */
    readPrediction: (seat, lesson) => sql.readPrediction.all(seat, lesson)[0]?.ratio ?? null,
    /** In place of an earlier one. @param {number} seat @param {string} lesson id @param {number} ratio */
    savePrediction: (seat, lesson, ratio) => { sql.savePrediction.run(seat, lesson, ratio) }
  }
}

const seatColumns = `id, token_hash AS tokenHash, name, nickname, on_board AS isOnBoard, joined_at AS joinedAt,
  last_seen_at AS lastSeenAt, removed_at AS removedAt`

const statements = {
  log: 'INSERT INTO audit (at, who, what, about) VALUES (:at, :who, :what, :about)',
  forget: 'DELETE FROM audit WHERE who = ? AND what = ?',
  readAudit: 'SELECT at, who, what, about FROM audit ORDER BY id',
  readSettings: 'SELECT settings FROM room',
  saveSettings: `INSERT INTO room (only_one, settings) VALUES (1, ?)
    ON CONFLICT (only_one) DO UPDATE SET settings = excluded.settings`,
  readSeats: `SELECT ${seatColumns} FROM seats WHERE removed_at IS NULL ORDER BY id`,
  readSeat: `SELECT ${seatColumns} FROM seats WHERE id = ?`,
  readSeatWith: `SELECT ${seatColumns} FROM seats WHERE token_hash = ?`,
  addSeat: `INSERT INTO seats (token_hash, name, nickname, on_board, joined_at, last_seen_at)
    VALUES (:tokenHash, :name, :nickname, :isOnBoard, :joinedAt, :lastSeenAt)`,
  saveSeat: `UPDATE seats SET name = :name, nickname = :nickname, on_board = :isOnBoard, last_seen_at = :lastSeenAt,
    removed_at = :removedAt WHERE id = :id`,
  seen: 'UPDATE seats SET last_seen_at = ? WHERE id = ?',
  deleteSeat: 'DELETE FROM seats WHERE id = ?',
  deleteReports: 'DELETE FROM reports WHERE seat = ?',
  deleteSubmissions: 'DELETE FROM submissions WHERE seat = ?',
  deletePredictions: 'DELETE FROM predictions WHERE seat = ?',
  readPredictions: 'SELECT seat, lesson, ratio FROM predictions ORDER BY ratio',
  readPrediction: 'SELECT ratio FROM predictions WHERE seat = ? AND lesson = ?',
  savePrediction: `INSERT INTO predictions (seat, lesson, ratio) VALUES (?, ?, ?)
    ON CONFLICT (seat, lesson) DO UPDATE SET ratio = excluded.ratio`,
  readReportsOf: `SELECT seat, id, source, started_at AS startedAt, sent_at AS sentAt, received_at AS receivedAt, record
    FROM reports WHERE seat = ? ORDER BY started_at, rowid`,
  addReport: `INSERT INTO reports (seat, id, source, started_at, sent_at, received_at, record)
    VALUES (:seat, :id, :source, :startedAt, :sentAt, :receivedAt, :record) ON CONFLICT (seat, id) DO NOTHING`
}

/** Deleting overwrites: for the largest seat 8 MB of reports, 2 MB of submissions, 4 MB of results. */
const bytes = 16 * 1024 * 1024
const sparePages = bytes / 4096

/**
 * Space reserved for deleting, so that it works on a full disk: a file that's removed when it's needed.
 *
 * @param {Database} database
 * @param {string} file
 * @param {number} [most] pages that the room's file may have
 */
function createBallast (database, file, most = mostPages) {
  const place = path.join(path.dirname(file), 'space-for-deleting')
  const limit = (/** @type {number} */ pages) => database.prepare(`PRAGMA max_page_count = ${pages}`).all()
  limit(most)
  return {
    fill: () => {
      limit(most)
      try {
        const isThere = fs.existsSync(place) && fs.statSync(place).size === bytes
        if (!isThere) fs.writeFileSync(place, Buffer.alloc(bytes), { mode: 0o600 })
      } catch {
        // No space now: try again next time.
        fs.rmSync(place, { force: true })
      }
    },
    /** @param {() => void} act that deletes */
    spend: (act) => {
      try {
        act()
      } catch (error) {
        if (error.code !== 'SQLITE_FULL') throw error
        fs.rmSync(place, { force: true })
        limit(most + sparePages)
        act()
      }
    }
  }
}
