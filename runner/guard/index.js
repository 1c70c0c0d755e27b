import { fileURLToPath } from 'node:url'
import { spawnHelper } from '../helper/index.js'

/**
 * The guard of a run: a process that does nothing but wait for the run's end. Should the run be killed, it stops
 * everything that the run has started and removes its temporary folder. It knows both from its start.
 *
 * @typedef {object} Guard
 * @property {(one: import('../system/process-table.js').Identity) => void} note one more process, for systems on which
 *   a marker cannot be read
 * @property {(pid: number) => void} forget
 * @property {() => Promise<void>} close the run is over and has cleaned up itself
 */

/**
 * @param {object} options
 * @param {string} options.runMarker
 * @param {Pick<import('../system/temporary.js').TemporaryFolder, 'dir' | 'identity'>} options.folder
 * @returns {Guard}
 */
export function startGuard ({ runMarker, folder }) {
  const file = fileURLToPath(new URL('process.js', import.meta.url))
  const args = [runMarker, folder.dir, folder.identity]
  const { tell, close } = spawnHelper({ file, args, name: 'The guard', outlives: true })
  return { close, note: (one) => tell('note', one), forget: (pid) => tell('forget', { pid }) }
}
