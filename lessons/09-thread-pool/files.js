import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What other programs do to the avatars: an upload, a clean-up, a restored backup.
 */

// Windows refuses to touch a file that's open, until it's closed.
const busy = ['EPERM', 'EACCES', 'EBUSY']
const tries = 40
const pauseMs = 25
// Coarse clocks of file systems give two writes in quick succession the same time, unless it's set.
const tickMs = 30

/** @param {string} dataDir @param {string} id */
export function avatarFile (dataDir, id) {
  return path.join(dataDir, `${id}.png`)
}

/**
 * Replaces a file at once, as an upload does, so that half of it is never seen.
 *
 * @param {string} file
 * @param {Uint8Array} content
 * @param {{ modified?: Date }} [options]
 */
export async function putFile (file, content, { modified } = {}) {
  if (!modified) await sleep(tickMs)
  const upload = `${file}.upload`
  // The folder is the server's, which could lay a link, a pipe or a folder there.
  layAside(upload)
  fs.rmSync(upload, { force: true })
  const opened = fs.openSync(upload, 'wx')
  fs.writeFileSync(opened, content)
  if (modified) fs.futimesSync(opened, modified, modified)
  fs.closeSync(opened)
  layAside(file)
  await whenFree(() => fs.renameSync(upload, file))
}

/** @param {string} file */
export async function removeFile (file) {
  layAside(file)
  await whenFree(() => fs.rmSync(file, { force: true }))
}

/** A folder can't be replaced by a file. @param {string} place */
function layAside (place) {
  const isFolder = fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder) fs.renameSync(place, `${place}.${randomUUID()}`)
}

/** @param {() => void} act */
async function whenFree (act) {
  for (let left = tries; ; left--) {
    try {
      return act()
    } catch (error) {
      if (left === 0 || !busy.includes(error.code)) throw error
      await sleep(pauseMs)
    }
  }
}
