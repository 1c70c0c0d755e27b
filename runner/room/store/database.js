import fs from 'node:fs'
import { WorkshopError } from '../../errors.js'

/**
 * The one place that knows which library speaks SQLite: what is used of it is what node:sqlite has, too.
 *
 * @typedef {object} Statement
 * @property {(...values: unknown[]) => { changes: number | bigint, lastInsertRowid: number | bigint }} run
 * @property {(...values: unknown[]) => any} get
 * @property {(...values: unknown[]) => any[]} all
 *
 * @typedef {object} Database
 * @property {(sql: string) => unknown} exec
 * @property {(sql: string) => Statement} prepare
 * @property {() => unknown} close
 */

/** 1 GB, in pages of 4 kB. */
const mostPages = 2 ** 18

/**
 * What is committed is on the disk, also after a power cut; what is deleted is overwritten.
 *
 * @param {string} file
 * @returns {Promise<Database>}
 * @throws {WorkshopError} the library is not installed, or the file is no such database
 */
export async function openDatabase (file) {
  const Libsql = await importLibrary()
  try {
    // Tokens are hashed, but names and the instructor's secret are in it.
    fs.closeSync(fs.openSync(file, 'a', 0o600))
    /** @type {Database} */
    const database = /** @type {any} */ (new Libsql(file))
    for (const pragma of [
      'busy_timeout = 5000', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'secure_delete = ON',
      `max_page_count = ${mostPages}`
    ]) database.prepare(`PRAGMA ${pragma}`).all()
    return database
  } catch (error) {
    throw new WorkshopError(`The room in ${file} cannot be opened (${error.code ?? error.message}): ` +
      'move that file away, or name another folder with --dir.', { cause: error })
  }
}

async function importLibrary () {
  try {
    return (await import('libsql')).default
  } catch (error) {
    throw new WorkshopError('A room keeps its data with the package libsql, which is not installed here: run ' +
      '`npm ci` in the folder of the workshop, without --omit=dev.', { cause: error })
  }
}
