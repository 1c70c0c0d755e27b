import fs from 'node:fs/promises'
import path from 'node:path'

/**
 * Polling a handful of files costs a fraction of a millisecond, and sees what file system events miss: network drives,
 * Windows' drives under WSL, editors that save by renaming, a folder that is replaced as a whole.
 */
const lookEveryMs = 200

/** Each file's identity and version, by its path relative to the folder. @typedef {Map<string, string>} Snapshot */

/**
 * Reports each save in a folder once, when the folder has settled, since editors write in several steps.
 *
 * @param {object} given
 * @param {string} given.dir
 * @param {(file: string) => void} given.onChange the file that was changed, relative to the folder
 * @param {() => boolean} given.isRunning does a server of the folder run? What it writes, other than code, is no save
 * @returns {Promise<{ close: () => void }>} once it watches
 */
export async function watchChanges ({ dir, onChange, isRunning }) {
  let told = await takeSnapshot(dir)
  let before = told
  /** @type {NodeJS.Timeout} */
  let timer
  let isClosed = false
  const look = async () => {
    const now = await takeSnapshot(dir)
    if (isClosed) return
    const changed = now.size === 0 ? undefined : firstChange(told, now)
    if (changed !== undefined && firstChange(before, now) === undefined) {
      told = now
      if (!isRunning() || isCode(changed)) onChange(changed)
    }
    before = now
    timer = setTimeout(look, lookEveryMs)
  }
  timer = setTimeout(look, lookEveryMs)
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
    }
  }
}

/**
 * Code first: a server may write other files at any time. Pure.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {string | undefined} a file that is new, gone or different
 */
export function firstChange (before, after) {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const changed = names.filter((name) => before.get(name) !== after.get(name))
  return changed.find(isCode) ?? changed[0]
}

/** @param {string} dir @returns {Promise<Snapshot>} empty where the folder is missing or being replaced */
async function takeSnapshot (dir) {
  /** @type {Snapshot} */
  const snapshot = new Map()
  const visit = async (/** @type {string} */ folder) => {
    for (const item of await fs.readdir(path.join(dir, folder), { withFileTypes: true })) {
      if (isForeign(item.name)) continue
      const name = path.join(folder, item.name)
      if (item.isDirectory()) {
        await visit(name)
        continue
      }
      const { mtimeMs, size, ino } = await fs.stat(path.join(dir, name))
      snapshot.set(name, `${mtimeMs} ${size} ${ino}`)
    }
  }
  // What vanishes while it is read is seen by the next poll.
  return visit('').then(() => snapshot, () => new Map())
}

/** Packages, hidden files, and editors' backups. @param {string} name */
function isForeign (name) {
  return name === 'node_modules' || name.startsWith('.') || /~$|^#.*#$|^4913$/.test(name)
}

/** @param {string} file */
function isCode (file) {
  return /\.[cm]?js$/.test(file)
}
