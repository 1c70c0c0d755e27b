import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { shownPath } from '../shared/text.js'
import { isInWorkshop, workshopRoot } from '../shared/workshop.js'
import { makeTemporary, sweepTemporary } from './temporary.js'

/** @import { Launch, Role } from './start-server.js' */

/**
 * The temporary folder of one run.
 *
 * @param {Launch['disks']} [disks] where DATA_DIRs are instead
 * @throws {WorkshopError} the temporary folder cannot be written
 */
export async function makeRunFolder (disks) {
  const { dir, identity, remove } = await makeTemporary().catch((cause) => {
    throw new WorkshopError(`The temporary folder ${os.tmpdir()} cannot be written (${cause.code}): free some space ` +
      'there, or set TMPDIR to another folder.', { cause })
  })
  // Folders that killed runs have left go meanwhile.
  const sweeping = sweepTemporary()
  const scratch = path.join(dir, 'run')
  try {
    fs.mkdirSync(scratch)
  } catch (error) {
    await Promise.all([sweeping, remove()])
    throw error
  }
  return {
    dir,
    identity,
    /** An empty folder in it. */
    scratch,
    /**
     * A fresh copy of the data, since each server gets its own.
     *
     * @param {Role} role @param {Record<string, string | Uint8Array>} files
     * @returns {string | null} null: servers of this role have filled the disk of their own
     */
    newDataDir: (role, files) => {
      // A number would tell a server which of the two it is. In a separate folder, which a sandbox can show it.
      const dataDir = path.join(disks?.[role] ?? dir, randomBytes(6).toString('hex'), 'data')
      try {
        fs.mkdirSync(dataDir, { recursive: true })
        for (const [name, content] of Object.entries(files)) {
          fs.writeFileSync(path.join(dataDir, name), content)
        }
        return dataDir
      } catch (error) {
        if (disks && error.code === 'ENOSPC') return null
        throw error
      }
    },
    /** With what is in it; never rejects. */
    remove: async () => { await Promise.all([sweeping, remove()]) }
  }
}

const mostBytes = 50 * 1024 * 1024

/** @typedef {{ dir: string, shownDir: string }} ServerFolder dir: where it runs; shownDir: what a learner calls it */

/**
 * Makes a folder ready to be run: where it is, or as a copy.
 *
 * @param {string} dir the folder with server.js, or whatever `file` names
 * @param {{ root: string, scratch: string, file?: string }} folders root: of the lesson's workshop or pack; scratch: a
 *   folder for copies
 * @returns {ServerFolder}
 * @throws {WorkshopError} when that file is not in it
 */
export function openSubmission (dir, { root, scratch, file = 'server.js' }) {
  const given = path.resolve(dir)
  const kind = fs.statSync(given, { throwIfNoEntry: false })
  if (!kind) throw new WorkshopError(`There is no folder ${given}. Give --server the folder that holds your ${file}.`)
  if (!kind.isDirectory()) throw new WorkshopError(`${given} is a file. Give --server the folder that holds ${file}.`)
  if (!fs.statSync(path.join(given, file), { throwIfNoEntry: false })?.isFile()) {
    throw new WorkshopError(`There is no ${file} in ${given}. The file that is graded has to be called ${file}.`)
  }
  return { dir: folderToRun(given, { root, scratch }), shownDir: shownPath(given) }
}

/**
 * A folder inside the workshop runs where it is. One outside is copied to a temporary place, from which packages are
 * found in its own node_modules first, then in those of its lesson pack, then in the workshop's.
 *
 * @param {string} given that folder
 * @param {{ root: string, scratch: string }} folders root: of the workshop or pack
 * @returns {string} its real path, or that of the copy
 * @throws {WorkshopError} it is too large
 */
export function folderToRun (given, { root, scratch }) {
  const real = fs.realpathSync(given)
  if (isInWorkshop(real)) return real

  const outer = fs.mkdtempSync(path.join(scratch, 'copy-'))
  const inner = path.join(outer, 'pack')
  const copy = path.join(inner, 'server')
  fs.mkdirSync(inner)
  link(path.join(workshopRoot, 'node_modules'), path.join(outer, 'node_modules'))
  if (!isInWorkshop(root)) {
    link(path.join(root, 'node_modules'), path.join(inner, 'node_modules'))
    const settings = path.join(root, 'package.json')
    if (fs.existsSync(settings)) fs.copyFileSync(settings, path.join(inner, 'package.json'))
  }
  let bytes = 0
  fs.cpSync(real, copy, {
    recursive: true,
    filter: (source) => {
      const name = path.basename(source)
      if (name === 'node_modules' || name === '.git') return false
      const entry = fs.lstatSync(source)
      if (entry.isFile()) bytes += entry.size
      if (bytes > mostBytes) {
        throw new WorkshopError(
          `${given} holds more than 50 MB. Give --server a folder that holds only what is graded.`
        )
      }
      return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
    }
  })
  const own = path.join(real, 'node_modules')
  if (fs.existsSync(own)) link(own, path.join(copy, 'node_modules'))
  return fs.realpathSync(copy)
}

/** @param {string} target @param {string} place */
function link (target, place) {
  if (fs.existsSync(target) && !fs.existsSync(place)) fs.symlinkSync(target, place, 'junction')
}
