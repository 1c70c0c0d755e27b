import fs from 'node:fs'
import path from 'node:path'
import { startingPointOf } from '../lesson/index.js'

/** @import { LoadedLesson } from '../lesson/index.js' */

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
