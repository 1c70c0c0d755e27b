import fs from 'node:fs'
import path from 'node:path'
import { startingPointOf } from '../lesson/index.js'
import { shownPath } from '../shown-path.js'
import { workshopRoot } from '../workshop.js'

/**
 * @import { Names } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 */

/**
 * Is what was graded still what every learner starts from, file by file?
 *
 * @param {LoadedLesson} entry
 * @param {string} dir
 */
export function isUnchanged (entry, dir) {
  const start = startingPointOf(entry)
  try {
    const [own, original] = [filesOf(dir), filesOf(start)]
    return own.length === original.length && own.every((file, at) => {
      return file === original[at] && isSame(path.join(dir, file), path.join(start, file))
    })
  } catch {
    // What cannot be read is at least not the same.
    return false
  }
}

/**
 * In a fixed order, without what editors and systems leave behind.
 *
 * @param {string} dir
 * @returns {string[]} relative to it
 */
function filesOf (dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return []
    if (!entry.isDirectory()) return [entry.name]
    return filesOf(path.join(dir, entry.name)).map((file) => path.join(entry.name, file))
  }).sort()
}

/**
 * A submission can put anything in the place of a file: nothing else is read.
 *
 * @param {string} one
 * @param {string} other
 */
function isSame (one, other) {
  const [a, b] = [fs.lstatSync(one), fs.lstatSync(other)]
  return a.isFile() && b.isFile() && a.size === b.size && fs.readFileSync(one).equals(fs.readFileSync(other))
}

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

/**
 * What the words of a verdict send a learner to.
 *
 * @param {LoadedLesson} entry
 * @param {string} dir the folder that is graded
 * @returns {Names}
 */
export function namesOf ({ number, workspaceDir, solutionDir, slowDir }, dir) {
  const known = [['mine', workspaceDir], ['solution', solutionDir], ['slow', slowDir]]
  const [which] = known.find(([, place]) => path.resolve(place) === path.resolve(dir)) ?? ['-- --server DIR']
  return {
    serve: `npm run serve lesson-${number} ${which}`,
    // Of other folders nothing is kept.
    ...which === 'mine' && { more: `npm run check lesson-${number} -- --more` },
    writeUp: shownPath(path.join(solutionDir, 'README.md'))
  }
}
