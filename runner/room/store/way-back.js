import fs from 'node:fs'
import path from 'node:path'

/** @param {string} file of a room @returns {string} a sentence: what to do about the damage */
export function wayBack (file) {
  const [last] = backupsOf(file).filter((one) => fs.existsSync(one))
  const away = `move it away, with ${path.basename(file)}-wal where there is one`
  if (last === undefined) return `It has no backup: ${away}, or name another folder with --dir.`
  const at = fs.statSync(last).mtime.toISOString().slice(0, 16).replace('T', ' ')
  return `Its last backup is ${last}, of ${at} UTC: ${away}, and rename the backup to ${path.basename(file)}.`
}

/** @param {string} file @returns {string[]} the newest first */
export function backupsOf (file) {
  return [1, 2].map((number) => path.join(path.dirname(file), `backup-${number}.sqlite`))
}
