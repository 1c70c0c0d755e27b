import fs from 'node:fs'
import path from 'node:path'
import { refuse } from '../../runner/http/index.js'
import { WorkshopError } from '../../runner/shared/errors.js'

/**
 * The only place that knows the SQLite library: it uses nothing that node:sqlite lacks.
 *
 * @typedef {object} Statement
 * @property {(...values: unknown[]) => { changes: number | bigint, lastInsertRowid: number | bigint }} run
 * @property {(...values: unknown[]) => any} get
 * @property {(...values: unknown[]) => any[]} all
 * @property {() => Statement} raw rows as lists
 *
 * @typedef {object} Database
 * @property {(sql: string) => unknown} exec
 * @property {(sql: string) => Statement} prepare
 * @property {() => unknown} close
 */

/** 1 GB, in pages of 4 kB. */
export const mostPages = 2 ** 18

/**
 * What is committed survives a power cut; what is deleted is overwritten.
 *
 * @param {string} file
 * @returns {Promise<Database>}
 * @throws {WorkshopError} the library isn't installed, the file is damaged, not a database, or in use
 */
export async function openDatabase (file) {
  const Libsql = /** @type {new (file: string) => Database} */ (/** @type {unknown} */ (await importLibrary()))
  const unlock = lock(Libsql, file)
  try {
    // Tokens are hashed, but names and the instructor's secret are in it.
    fs.closeSync(fs.openSync(file, 'a', 0o600))
    const database = new Libsql(file)
    for (const pragma of [
      'busy_timeout = 500', 'journal_mode = WAL', 'synchronous = FULL',
      // Apple's disks report writes before they've finished.
      'fullfsync = ON', 'checkpoint_fullfsync = ON', 'foreign_keys = ON', 'secure_delete = ON'
    ]) database.prepare(`PRAGMA ${pragma}`).all()
    const [[found]] = database.prepare('PRAGMA quick_check(1)').raw().all()
    if (found !== 'ok') throw Object.assign(new Error(found), { code: 'SQLITE_CORRUPT' })
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(sql),
      close: () => {
        database.close()
        unlock()
      }
    }
  } catch (error) {
    unlock()
    throw notOpened(error, file)
  }
}

/**
 * A process that opens a room's file keeps a part of it in memory, so only one may. A system-wide turn isn't enough: a
 * container has its own. The lock is a transaction in an empty database next to it, which ends with its process.
 *
 * @param {new (file: string) => Database} Libsql
 * @param {string} file
 * @returns {() => void} gives it back
 */
function lock (Libsql, file) {
  const place = `${file}-lock`
  /** @type {Database} */
  let database
  try {
    fs.closeSync(fs.openSync(place, 'a', 0o600))
    database = new Libsql(place)
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    throw notOpened(error, file)
  }
  return () => {
    database.exec('ROLLBACK')
    database.close()
  }
}

/** @param {any} error @param {string} file */
function notOpened (error, file) {
  const options = { cause: error }
  if (error.code === 'SQLITE_BUSY') {
    return new WorkshopError(`The room in ${file} is open already: stop it there, or name another folder with ` +
      '--dir.', options)
  }
  if (['SQLITE_CORRUPT', 'SQLITE_NOTADB'].includes(error.code)) {
    return new WorkshopError(`The room in ${file} is damaged (${error.code}). ${wayBack(file)}`, options)
  }
  return new WorkshopError(`The room in ${file} can’t be opened (${error.code ?? error.message}): ` +
    'move that file away, or name another folder with --dir.', options)
}

async function importLibrary () {
  try {
    return (await import('libsql')).default
  } catch (error) {
    throw new WorkshopError('A room keeps its data with the package libsql, which isn’t installed here: run ' +
      '`npm ci` in the folder of the workshop, without --omit=dev.', { cause: error })
  }
}

/** @param {string} file of a room @returns {string} a sentence: what to do about the damage */
function wayBack (file) {
  const [last] = backupsOf(file).filter((one) => fs.existsSync(one))
  const away = `move it away, with ${path.basename(file)}-wal where there is one`
  if (last === undefined) return `It has no backup: ${away}, or name another folder with --dir.`
  const at = fs.statSync(last).mtime.toISOString().slice(0, 16).replace('T', ' ')
  return `Its last backup is ${last}, of ${at} UTC: ${away}, and rename the backup to ${path.basename(file)}.`
}

/** @param {string} file @returns {string[]} the newest first */
function backupsOf (file) {
  return [1, 2].map((number) => path.join(path.dirname(file), `backup-${number}.sqlite`))
}

/**
 * All of it or nothing; on the disk when it returns.
 *
 * @template T
 * @param {Pick<Database, 'exec'>} database
 * @param {() => T} act
 * @returns {T}
 */
export function inTransaction (database, act) {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = act()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back by itself.
    try { database.exec('ROLLBACK') } catch {}
    throw error
  }
}

/**
 * A change that the store can't keep is refused, and the room goes on.
 *
 * @template T
 * @param {() => T} act
 * @returns {T}
 * @throws {WorkshopError} with a status: why it wasn't kept
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

/** The version of these tables: a change of them raises it. */
const version = 6
const tables = `
CREATE TABLE room (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  settings TEXT NOT NULL
);
CREATE TABLE seats (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  nickname TEXT,
  on_board INTEGER NOT NULL,
  joined_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  removed_at TEXT
);
CREATE TABLE reports (
  seat INTEGER NOT NULL REFERENCES seats (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('reported', 'imported', 'verified')),
  started_at TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  received_at TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (seat, id)
);
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  about TEXT NOT NULL
);
CREATE TABLE submissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  seat INTEGER NOT NULL REFERENCES seats (id) ON DELETE CASCADE,
  lesson TEXT NOT NULL,
  hash TEXT NOT NULL,
  files TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'done', 'stuck')),
  round INTEGER NOT NULL,
  token INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  worker TEXT,
  received_at INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  taken_at INTEGER,
  lease_until INTEGER,
  graded_at INTEGER,
  problem TEXT,
  result TEXT,
  cheat TEXT,
  UNIQUE (seat, lesson, hash)
);
CREATE INDEX submissions_by_place ON submissions (state, round, id);
CREATE INDEX submissions_by_round ON submissions (seat, round);
CREATE INDEX submissions_taken ON submissions (round) WHERE taken_at IS NOT NULL;
CREATE TABLE predictions (
  seat INTEGER NOT NULL REFERENCES seats (id) ON DELETE CASCADE,
  lesson TEXT NOT NULL,
  ratio REAL NOT NULL,
  PRIMARY KEY (seat, lesson)
);
`

/** Makes the tables of a new room. @param {Database} database @throws {WorkshopError} another version wrote it */
export function makeTables (database) {
  const found = Number(Object.values(database.prepare('PRAGMA user_version').get())[0])
  if (found === 0) return inTransaction(database, () => database.exec(`${tables} PRAGMA user_version = ${version}`))
  if (found === version) return
  throw new WorkshopError('This room was written by another version of the workshop: run `git pull` for a newer one, ' +
    'or name another folder with --dir.')
}

/**
 * The last two copies of a room's file, next to it: `backup-1.sqlite` is the newer one. A copy would keep what is
 * deleted, so a deletion removes them, too.
 *
 * @param {Database} database
 * @param {string} file of the room
 */
export function createBackups (database, file) {
  const [newest, older] = backupsOf(file)
  const making = path.join(path.dirname(file), 'backup-new.sqlite')
  return {
    /** @throws the library's error, or that of the file system */
    make: () => {
      // SQLite writes into an empty file, and only this user may read it.
      fs.writeFileSync(making, '', { mode: 0o600 })
      database.prepare('VACUUM INTO ?').run(making)
      if (fs.existsSync(newest)) fs.renameSync(newest, older)
      fs.renameSync(making, newest)
    },
    drop: () => { for (const one of [newest, older, making]) fs.rmSync(one, { force: true }) }
  }
}
