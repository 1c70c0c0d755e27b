/** @import { Database } from './database.js' */

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
