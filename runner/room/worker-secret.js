import fs from 'node:fs'
import path from 'node:path'
import { newSecret } from './secret.js'

/**
 * The workers' secret: in a file of the room's folder that only this user may read, since other users may
 * read a process's arguments.
 *
 * @param {string} dir of the room
 * @returns {string} the same for as long as the file exists
 */
export function workerSecret (dir) {
  const file = path.join(dir, 'worker-secret')
  try {
    fs.writeFileSync(file, `${newSecret()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8').trim()
}
