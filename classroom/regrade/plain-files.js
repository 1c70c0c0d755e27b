import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../../runner/shared/errors.js'

/** What a submission may be at most. */
const most = { files: 1000, folders: 1000, depth: 20, bytes: 20 * 1024 ** 2 }
const left = new Set(['node_modules', '.git'])

/** Names may have bytes that are no text, as those of old archives: each byte is a character here. */
const encoding = 'latin1'

/**
 * The plain files of a submission. A link could name any file of this machine, and a pipe would never end.
 *
 * @param {string} dir
 * @returns {Promise<string[]>} relative to it, sorted, a character for each byte
 * @throws {WorkshopError} they're too many or too large
 */
async function plainFiles (dir) {
  const folders = ['']
  const files = []
  let bytes = 0
  for (const folder of folders) {
    for (const item of await fs.readdir(placeIn(dir, folder), { withFileTypes: true, encoding: 'buffer' })) {
      const name = path.join(folder, item.name.toString(encoding))
      if (item.isDirectory() && !left.has(name.split(path.sep).at(-1) ?? '')) folders.push(name)
      if (item.isFile()) {
        files.push(name)
        bytes += (await fs.lstat(placeIn(dir, name))).size
      }
      const isSmall = files.length <= most.files && folders.length <= most.folders && bytes <= most.bytes
      if (isSmall && name.split(path.sep).length <= most.depth) continue
      throw new WorkshopError(`The submission is larger than ${most.files} files or folders or ` +
        `${most.bytes / 1024 ** 2} MiB, or its folders are more than ${most.depth} deep: hand in source files only.`)
    }
  }
  return files.sort()
}

/** @param {string} dir @param {string} name in it @returns {Buffer} */
function placeIn (dir, name) {
  return Buffer.concat([Buffer.from(dir + path.sep), Buffer.from(name, encoding)])
}

/**
 * A name that's no text is none that a module could import, and none for what copies it next.
 *
 * @param {string} from
 * @param {string} to a folder that isn't there
 * @throws {WorkshopError} it's too large, or odd
 */
export function takeFiles (from, to) {
  return readably(async () => {
    await fs.mkdir(to)
    for (const name of await plainFiles(from)) {
      if (!isUtf8(placeIn(from, name))) continue
      await fs.mkdir(placeIn(to, path.dirname(name)), { recursive: true })
      await fs.copyFile(placeIn(from, name), placeIn(to, name))
    }
  })
}

/**
 * @param {string} dir
 * @returns {Promise<string>} SHA-256 of names and contents
 * @throws {WorkshopError} it's too large, or can't be read
 */
export function hashOf (dir) {
  return readably(async () => {
    const hash = createHash('sha256')
    for (const name of await plainFiles(dir)) {
      const content = await fs.readFile(placeIn(dir, name))
      hash.update(`${name.split(path.sep).join('/')}\0${content.length}\0`, encoding).update(content)
    }
    return hash.digest('hex')
  })
}

/** @template T @param {() => Promise<T>} act @returns {Promise<T>} */
async function readably (act) {
  return act().catch((error) => {
    if (error instanceof WorkshopError) throw error
    throw new WorkshopError(`The submission’s files can’t be read (${error.code ?? error.message}).`, { cause: error })
  })
}
