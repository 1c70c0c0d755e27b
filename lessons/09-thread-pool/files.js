import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What other programs do to the avatars: an upload, a clean-up, a restored backup. */

// Windows refuses to touch a file that's open, until it's closed.
const busy = ['EPERM', 'EACCES', 'EBUSY']
const tries = 40
const pauseMs = 25
// Coarse clocks of file systems give two writes in quick succession the same time, unless it's set.
const tickMs = 30

const { O_WRONLY, O_TRUNC, O_NOFOLLOW = 0 } = fs.constants

/** @param {string} dataDir @param {string} id */
export function avatarFile (dataDir, id) {
  return path.join(dataDir, `${id}.png`)
}

/**
 * Replaces a file at once, as an upload does, so that half of it is never seen, or writes over it.
 *
 * @param {string} file
 * @param {Uint8Array} content
 * @param {{ modified?: Date, isOver?: boolean }} [options]
 */
export async function putFile (file, content, { modified, isOver = false } = {}) {
  if (!modified) await sleep(tickMs)
  if (isOver && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) {
    return whenFree(() => write(fs.openSync(file, O_WRONLY | O_TRUNC | O_NOFOLLOW), content, modified))
  }
  const upload = `${file}.upload`
  // The folder is the server's, which could lay a link, a pipe or a folder there.
  layAside(upload)
  fs.rmSync(upload, { force: true })
  write(fs.openSync(upload, 'wx'), content, modified)
  layAside(file)
  await whenFree(() => fs.renameSync(upload, file))
}

/** @param {string} file */
export async function removeFile (file) {
  layAside(file)
  await whenFree(() => fs.rmSync(file, { force: true }))
}

/** @param {number} opened @param {Uint8Array} content @param {Date} [modified] */
function write (opened, content, modified) {
  fs.writeFileSync(opened, content)
  if (modified) fs.futimesSync(opened, modified, modified)
  fs.closeSync(opened)
}

/** A folder can't be replaced by a file. @param {string} place */
function layAside (place) {
  const isFolder = fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder) fs.renameSync(place, `${place}.${randomUUID()}`)
}

/** @param {() => void} act */
async function whenFree (act, left = tries) {
  try {
    act()
  } catch (error) {
    if (left === 0 || !busy.includes(error.code)) throw error
    await sleep(pauseMs)
    await whenFree(act, left - 1)
  }
}
