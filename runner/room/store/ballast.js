import fs from 'node:fs'
import path from 'node:path'
import { mostPages } from './database.js'

/** Deleting overwrites: for the largest seat 8 MB of reports, 2 MB of submissions, 4 MB of results. */
const bytes = 16 * 1024 * 1024
const sparePages = bytes / 4096

/**
 * Space reserved for deleting, so that it works on a full disk: a file that's removed when it's needed.
 *
 * @import { Database } from './database.js'
 *
 * @param {Database} database
 * @param {string} file
 * @param {number} [most] pages that the room's file may have
 */
export function createBallast (database, file, most = mostPages) {
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
