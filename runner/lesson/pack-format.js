import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { isObject } from '../rules.js'

/** What the package.json of a lesson pack says under `make-it-fast`. */
export const packFormat = { formatVersion: 1 }

/**
 * A pack without a version is of the first one.
 *
 * @param {string} root of the pack
 * @throws {WorkshopError} its format isn't known, or its package.json can't be read
 */
export function requireKnownFormat (root) {
  const file = path.join(root, 'package.json')
  if (!fs.existsSync(file)) return
  const { formatVersion = 1 } = readObject(file)['make-it-fast'] ?? {}
  if (formatVersion === packFormat.formatVersion) return
  throw new WorkshopError(`${root} is a lesson pack of format ${JSON.stringify(formatVersion)}, and this workshop ` +
    `reads format ${packFormat.formatVersion}: update the workshop, or ask the pack's authors for one of that format.`)
}

/** @param {string} file */
function readObject (file) {
  try {
    const value = JSON.parse(fs.readFileSync(file, 'utf8'))
    if (isObject(value)) return value
  } catch (error) {
    throw new WorkshopError(`${file} can't be read: ${error.message}. Correct it, or remove it.`, { cause: error })
  }
  throw new WorkshopError(`${file} holds no JSON object. Correct it, or remove it.`)
}
