import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'

/** What a submission may be at most. */
const most = { files: 1000, bytes: 20 * 1024 ** 2 }
const left = new Set(['node_modules', '.git'])

/**
 * Copies a submission: plain files only. A link could name any file of this machine, and a pipe would never end.
 *
 * @param {string} from
 * @param {string} to a folder that isn't there
 * @param {{ files: number, bytes: number }} [taken] so far
 * @throws {WorkshopError} it's too large
 */
export async function takeFiles (from, to, taken = { files: 0, bytes: 0 }) {
  await fs.mkdir(to)
  for (const item of await fs.readdir(from, { withFileTypes: true })) {
    const [source, copy] = [from, to].map((folder) => path.join(folder, item.name))
    if (item.isDirectory() && !left.has(item.name)) await takeFiles(source, copy, taken)
    if (!item.isFile()) continue
    taken.files++
    taken.bytes += (await fs.lstat(source)).size
    if (taken.files > most.files || taken.bytes > most.bytes) {
      throw new WorkshopError(`The submission is larger than ${most.files} files or ${most.bytes / 1024 ** 2} MiB: ` +
        'hand in source files only.')
    }
    await fs.copyFile(source, copy)
  }
}
