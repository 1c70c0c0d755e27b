import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { makeTemporary, sweepTemporary } from '../system/index.js'

/**
 * The temporary folder of one run.
 *
 * @typedef {object} RunFolder
 * @property {string} dir
 * @property {string} identity proves later that it is this one
 * @property {string} scratch an empty folder in it
 * @property {(files: Record<string, string | Uint8Array>) => NewDataDir} dataDirsOf
 * @property {() => Promise<void>} remove with what is in it; never rejects
 *
 * @typedef {(more?: Record<string, string>) => string} NewDataDir a fresh copy of the data, since each server gets its
 *   own; more: files for this server alone
 */

/**
 * @returns {Promise<RunFolder>}
 * @throws {WorkshopError} the temporary folder cannot be written
 */
export async function makeRunFolder () {
  const { dir, identity, remove } = await makeFolder()
  // What runs that were killed have left goes meanwhile.
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
    scratch,
    dataDirsOf: (files) => (more = {}) => {
      // A number would tell a server which of the two it is. In a separate folder, which a sandbox can show it.
      const dataDir = path.join(dir, randomBytes(6).toString('hex'), 'data')
      fs.mkdirSync(dataDir, { recursive: true })
      for (const [name, content] of Object.entries({ ...files, ...more })) {
        fs.writeFileSync(path.join(dataDir, name), content)
      }
      return dataDir
    },
    remove: async () => { await Promise.all([sweeping, remove()]) }
  }
}

async function makeFolder () {
  try {
    return await makeTemporary()
  } catch (error) {
    const advice = 'free some space there, or set TMPDIR to another folder.'
    throw new WorkshopError(`The temporary folder ${os.tmpdir()} cannot be written (${error.code}): ${advice}`, {
      cause: error
    })
  }
}
