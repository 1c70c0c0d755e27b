import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** @import { LessonEntry } from './find.js' */

/** The workshop's list, next to the slow servers: SHA-256 by folder. */
const fileName = 'fingerprints.json'

/**
 * Is the slow server the one that the workshop ships? Lessons that are not listed are not checked.
 *
 * @param {Pick<LessonEntry, 'slowDir'>} entry
 * @returns {string | null} what differs, a path relative to the folder of the slow servers
 */
export function firstForeign ({ slowDir }) {
  const [parent, folder] = [path.dirname(slowDir), path.basename(slowDir)]
  const known = readFingerprints(parent)
  if (known === null || known[folder] === undefined) return null
  // Node.js would use packages and settings next to the slow servers, too.
  const stranger = fs.readdirSync(parent).find((name) => name !== fileName && !Object.hasOwn(known, name) &&
    ['node_modules', 'package.json'].includes(name))
  if (stranger !== undefined) return stranger
  return fingerprintOf(slowDir) === known[folder] ? null : folder
}

/** @param {string} parent @returns {Record<string, string> | null} */
function readFingerprints (parent) {
  try {
    return JSON.parse(fs.readFileSync(path.join(parent, fileName), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Of the names and texts of all files, regardless of line endings.
 *
 * @param {string} dir
 * @returns {string} SHA-256, hex
 */
export function fingerprintOf (dir) {
  const hash = createHash('sha256')
  const files = fs.readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) {
    const name = path.relative(dir, file).split(path.sep).join('/')
    const text = fs.lstatSync(file).isFile() ? fs.readFileSync(file, 'latin1').replaceAll('\r\n', '\n') : 'no file'
    hash.update(`${name}\0${text}\0`)
  }
  return hash.digest('hex')
}
