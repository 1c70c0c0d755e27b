import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { shownPath } from '../shown-path.js'
import { sweepTemporary } from './temporary.js'

/**
 * @typedef {object} Place
 * @property {string} what what is fine, one sentence
 * @property {string | null} problem what is wrong, one sentence
 * @property {string} [fix]
 */

/**
 * Can the folders be written, and does 127.0.0.1 give ports?
 *
 * @param {string[]} folders
 * @returns {Promise<Place[]>}
 */
export async function checkPlaces (folders) {
  return Promise.all([...folders.map(canWrite), canListen()])
}

/**
 * Removes what killed runs have left in the system's temporary folder.
 *
 * @returns {Promise<Place[]>} empty where nothing was left
 */
export async function sweepPlaces () {
  const folders = await sweepTemporary()
  if (folders === 0) return []
  const what =
    folders === 1
      ? 'One temporary folder of a run that was killed has'
      : `${folders} temporary folders of runs that were killed have`
  return [{ what: `${what} now been removed.`, problem: null }]
}

/** @param {string} folder @returns {Promise<Place>} */
async function canWrite (folder) {
  const shown = shownPath(folder)
  try {
    await fs.mkdir(folder, { recursive: true })
    const probe = await fs.mkdtemp(path.join(folder, '.doctor-'))
    await fs.rmdir(probe)
    return { what: `${shown} is writable.`, problem: null }
  } catch (error) {
    return {
      what: shown,
      problem: `${shown} isn’t writable (${error.code}).`,
      fix: 'Change its permissions, or free some space on the disk.'
    }
  }
}

/** @returns {Promise<Place>} */
function canListen () {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve({
        what: 'ports',
        problem: `No port can be opened on 127.0.0.1 (${error.code}).`,
        fix: 'Does a firewall or a sandbox forbid it?'
      })
    )
    server.listen(0, '127.0.0.1', () =>
      server.close(() => resolve({ what: 'Ports can be opened on 127.0.0.1.', problem: null }))
    )
  })
}
