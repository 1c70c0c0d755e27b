import path from 'node:path'
import { watch } from 'chokidar'
import { isSilent } from './polling.js'

/** Editors write a file in several steps, and several files at once. */
const debounceMs = 200
const pollMs = 300

/**
 * @typedef {object} Changes
 * @property {boolean} isPolling
 * @property {() => Promise<void>} close
 */

/**
 * Tells of every save in a folder, also of editors that save by renaming and of a folder that is replaced as a whole.
 *
 * @param {object} given
 * @param {string} given.dir
 * @param {boolean} given.poll look again and again; else only where the file system reports nothing
 * @param {(file: string) => void} given.onChange the file that was changed last, relative to the folder
 * @param {() => boolean} given.isRunning is a server of the folder at work? What it writes beside its code is no save
 * @returns {Promise<Changes>} when it watches
 */
export async function watchChanges ({ dir, poll, onChange, isRunning }) {
  const usePolling = poll || await isSilent(dir)
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const parent = path.dirname(dir)
  // The parent, since a folder that is moved away takes its watcher along.
  const watcher = watch(parent, {
    ignoreInitial: true,
    usePolling,
    interval: pollMs,
    ignored: (file) => isForeign(path.relative(parent, file), path.basename(dir))
  })
  watcher.on('all', (event, file) => {
    if (event === 'addDir' || event === 'unlinkDir') return
    if (isRunning() && !isCode(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => onChange(path.relative(dir, file)), debounceMs)
  })
  // What cannot be watched can still be run by a key.
  watcher.on('error', () => {})
  await new Promise((resolve) => watcher.once('ready', () => resolve(undefined)))
  return {
    isPolling: usePolling,
    close: async () => {
      clearTimeout(timer)
      await watcher.close()
    }
  }
}

/**
 * Everything that is not in the folder, and what systems and editors put there for themselves.
 *
 * @param {string} relative to the parent
 * @param {string} folder
 */
function isForeign (relative, folder) {
  if (relative === '') return false
  const parts = relative.split(path.sep)
  if (parts[0] !== folder) return true
  return parts.slice(1).some((part) => part === 'node_modules' || part.startsWith('.') || /~$|^#.*#$|^4913$/.test(part))
}

/** @param {string} file */
function isCode (file) {
  return /\.[cm]?js$/.test(file)
}
