import fs from 'node:fs'
import { WorkshopError } from '../../errors.js'
import { wayBack } from './way-back.js'

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
 * A process that opens a room's file keeps its settings in memory, so only one may. A system-wide turn isn't enough: a
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
    return new WorkshopError(`The room in ${file} is open in another process: stop it there, or name another folder ` +
      'with --dir.', options)
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
