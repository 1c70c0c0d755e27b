import fs from 'node:fs'
import path from 'node:path'
import { workshopRoot } from '../workshop.js'

/** @import { LoadedLesson } from '../lesson/index.js' */

/**
 * Was the slow server itself written to, or a package that it may use? A server that knows where they are could make
 * the slow one slower.
 *
 * @param {LoadedLesson} entry
 * @param {number} sinceMs since 1970
 * @param {{ running: string, thorough: boolean }} options running: where the slow server ran, maybe a copy; thorough:
 *   the packages too, which are thousands of files
 * @returns {string | null} the file, relative to the workshop or pack
 */
export function firstChange (entry, sinceMs, { running, thorough }) {
  const packages = thorough ? [...new Set([workshopRoot, entry.root])].flatMap(packagesOf) : []
  // Around a copy lie the links to its packages.
  const folders = running === entry.slowDir ? [] : [path.resolve(running, '..', '..')]
  for (const folder of [entry.slowDir, ...folders, entry.dir, ...packages]) {
    const changed = changedSince(folder, sinceMs)
    if (changed !== null) return path.relative(entry.root, changed)
  }
  return null
}

/**
 * The folders of the packages that learners have too: those of the workshop's own development are tens of thousands of
 * files.
 *
 * @param {string} root
 */
function packagesOf (root) {
  try {
    const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'node_modules', '.package-lock.json'), 'utf8'))
    return Object.keys(packages)
      .filter((place) => !packages[place].dev && place.lastIndexOf('node_modules/') === 0)
      .map((place) => path.join(root, place))
      .filter((place) => fs.existsSync(place))
  } catch {
    // A pack needs no packages.
    return []
  }
}

/**
 * The first file that was written, replaced or removed since then. No program can set back the time that is read
 * (ctime), so once at the end is enough.
 *
 * @param {string} folder
 * @param {number} sinceMs
 * @returns {string | null} the file, or the folder from which one was removed
 */
export function changedSince (folder, sinceMs) {
  try {
    if (fs.lstatSync(folder).ctimeMs > sinceMs) return folder
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      // Caches of tools: no server reads them.
      if (entry.name.startsWith('.')) continue
      const place = path.join(folder, entry.name)
      const changed = entry.isDirectory()
        ? changedSince(place, sinceMs)
        : fs.lstatSync(place).ctimeMs > sinceMs
          ? place
          : null
      if (changed !== null) return changed
    }
    return null
  } catch {
    return folder
  }
}
