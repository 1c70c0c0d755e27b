import { randomBytes } from 'node:crypto'
import nodeFs from 'node:fs/promises'
import path from 'node:path'
import { explainFsError } from './fs-error-messages.js'
import { retryBusy } from './retry.js'

/** @import { WorkshopError } from '../errors.js' */

/**
 * Writes a file so that a reader sees the old text or the new, even after Ctrl-C or a power cut. Creates the folder.
 *
 * @param {string} file
 * @param {string} text
 * @param {{ fs?: Pick<typeof nodeFs, 'mkdir' | 'open' | 'rename' | 'rm'>, platform?: NodeJS.Platform, mode?: number }}
 *   [options] mode: permissions, on systems that have them
 * @throws {WorkshopError} the folder cannot be written, the disk is full
 */
export async function writeFileAtomic (file, text, { fs = nodeFs, platform, mode } = {}) {
  const folder = path.dirname(file)
  // In the same folder, since a rename across disks is a copy.
  const temporary = path.join(folder, `.${path.basename(file)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`)
  try {
    await fs.mkdir(folder, { recursive: true })
    await writeThrough(temporary, text, { fs, mode })
    await retryBusy(() => fs.rename(temporary, file), { platform })
  } catch (error) {
    await fs.rm(temporary, { force: true }).catch(() => {})
    throw explainFsError(error, folder)
  }
}

/** @param {string} file @param {string} text @param {{ fs: Pick<typeof nodeFs, 'open'>, mode?: number }} options */
async function writeThrough (file, text, { fs, mode }) {
  const handle = await fs.open(file, 'wx', mode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
