import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { shownPath } from '../shown-path.js'
import { sweepTemporary } from './index.js'

/**
 * @typedef {object} Place
 * @property {string} what what is fine, one sentence
 * @property {string | null} problem what is wrong, one sentence
 * @property {string} [mend]
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
 * Removes what runs that were killed have left in the system's temporary folder.
 *
 * @returns {Promise<Place[]>} nothing where nothing was left
 */
export async function sweepPlaces () {
  const folders = await sweepTemporary()
  if (folders === 0) return []
  const what =
    folders === 1
      ? 'One temporary folder of a run that was killed is'
      : `${folders} temporary folders of runs that were killed are`
  return [{ what: `${what} removed now.`, problem: null }]
}

/** @param {string} folder @returns {Promise<Place>} */
async function canWrite (folder) {
  const shown = shownPath(folder)
  try {
    await fs.mkdir(folder, { recursive: true })
    const probe = await fs.mkdtemp(path.join(folder, '.doctor-'))
    await fs.rmdir(probe)
    return { what: `${shown} can be written.`, problem: null }
  } catch (error) {
    return {
      what: shown,
      problem: `${shown} cannot be written (${error.code}).`,
      mend: 'Change its permissions or make room on the disk.'
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
        mend: 'A firewall or a sandbox forbids it.'
      })
    )
    server.listen(0, '127.0.0.1', () =>
      server.close(() => resolve({ what: 'Ports can be opened on 127.0.0.1.', problem: null }))
    )
  })
}
