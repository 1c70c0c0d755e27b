import fs from 'node:fs'
import path from 'node:path'
import { backupsOf } from './way-back.js'

/**
 * The last two copies of a room's file, next to it: `backup-1.sqlite` is the newer one. A copy would keep what is
 * deleted, so a deletion removes them, too.
 *
 * @import { Database } from './database.js'
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
