import fs from 'node:fs'
import path from 'node:path'
import { newSecret } from './secret.js'

/**
 * What admits workers: in a file of the room's folder that only this user may read, since an argument of a process may
 * be read by all.
 *
 * @param {string} dir of the room
 * @returns {string} the same as long as the file is there
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
