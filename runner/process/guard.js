import { fileURLToPath } from 'node:url'
import { spawnHelper } from './helper.js'
import { newRunMarker } from './signals.js'

/**
 * The guard of a run: a process that does nothing but wait for the run's end. Should the run be killed, it stops
 * everything that the run has started and removes its temporary folder. It knows both from its start.
 *
 * @import { Entry } from './proc.js'
 * @import { TemporaryFolder } from './temporary.js'
 *
 * @typedef {object} Guard
 * @property {string} runMarker of everything that this run starts
 * @property {(one: Entry) => void} note one more process, for systems on which
 *   a marker cannot be read, and for what carries none
 * @property {(pid: number) => void} forget
 * @property {() => Promise<void>} close the run is over and has cleaned up itself
 */

/**
 * @param {Pick<TemporaryFolder, 'dir' | 'identity'>} folder
 * @returns {Guard}
 */
export function startGuard (folder) {
  const runMarker = newRunMarker()
  const file = fileURLToPath(new URL('guard-process.js', import.meta.url))
  const args = [runMarker, folder.dir, folder.identity]
  const { tell, close } = spawnHelper({ file, args, name: 'The guard', outlives: true })
  return { runMarker, close, note: (one) => tell('note', one), forget: (pid) => tell('forget', { pid }) }
}
