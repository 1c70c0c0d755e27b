import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'

/** What a submission may be at most. */
const most = { files: 1000, bytes: 20 * 1024 ** 2 }
const left = new Set(['node_modules', '.git'])

/**
 * The plain files of a submission. A link could name any file of this machine, and a pipe would never end.
 *
 * @param {string} dir
 * @returns {Promise<string[]>} relative to it, sorted
 * @throws {WorkshopError} they're too many or too large
 */
async function plainFiles (dir) {
  const folders = ['']
  const files = []
  let bytes = 0
  for (const folder of folders) {
    for (const item of await fs.readdir(path.join(dir, folder), { withFileTypes: true })) {
      const name = path.join(folder, item.name)
      if (item.isDirectory() && !left.has(item.name)) folders.push(name)
      if (!item.isFile()) continue
      files.push(name)
      bytes += (await fs.lstat(path.join(dir, name))).size
      if (files.length <= most.files && bytes <= most.bytes) continue
      throw new WorkshopError(`The submission is larger than ${most.files} files or ${most.bytes / 1024 ** 2} MiB: ` +
        'hand in source files only.')
    }
  }
  return files.sort()
}

/** @param {string} from @param {string} to a folder that isn't there @throws {WorkshopError} it's too large */
export async function takeFiles (from, to) {
  await fs.mkdir(to)
  for (const name of await plainFiles(from)) {
    await fs.mkdir(path.dirname(path.join(to, name)), { recursive: true })
    await fs.copyFile(path.join(from, name), path.join(to, name))
  }
}

/** @param {string} dir @returns {Promise<string>} SHA-256 of names and contents @throws {WorkshopError} too large */
export async function hashOf (dir) {
  const hash = createHash('sha256')
  for (const name of await plainFiles(dir)) {
    const content = await fs.readFile(path.join(dir, name))
    hash.update(`${name.split(path.sep).join('/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
