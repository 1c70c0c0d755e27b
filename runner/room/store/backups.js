import fs from 'node:fs'
import path from 'node:path'

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

/** @param {string} file of a room @returns {string} a sentence: what to do about the damage */
export function wayBack (file) {
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
