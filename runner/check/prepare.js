import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createRandom } from '../catalogue/index.js'
import { WorkshopError } from '../errors.js'
import { startGuard } from '../guard/index.js'
import { makeTemporary, sweepTemporary } from '../system/index.js'

/**
 * A temporary folder for one run, this run's data in it, and the guard that sees to the run's end if we cannot.
 *
 * @typedef {object} Prepared
 * @property {import('../guard/index.js').Guard} guard
 * @property {string} scratch an empty folder for anything else
 * @property {any} known what contract and streams know about the data
 * @property {(more?: Record<string, string>) => string} newDataDir a fresh copy of the data: each server gets its own; more:
 *   files for this server alone
 * @property {() => Promise<void>} clean removes everything, when all else is over; never rejects
 */

/**
 * @param {import('../catalogue/lesson.js').Lesson} lesson
 * @param {string} seed
 * @returns {Promise<Prepared>}
 * @throws {WorkshopError} when the temporary folder cannot be written
 */
export async function prepareRun (lesson, seed) {
  const folder = await makeFolder()
  const sweeping = sweepTemporary()
  /** @type {import('../guard/index.js').Guard | undefined} */
  let guard
  const clean = async () => {
    await Promise.all([sweeping, folder.remove()])
    await guard?.close()
  }
  try {
    guard = startGuard(folder)
    const { files = {}, known = {} } = await lesson.data?.({ random: createRandom(`${seed}/data`) }) ?? {}
    let count = 0
    const newDataDir = (/** @type {Record<string, string>} */ more = {}) => {
      const dir = path.join(folder.dir, `data-${++count}`)
      fs.mkdirSync(dir)
      for (const [name, content] of Object.entries({ ...files, ...more })) fs.writeFileSync(path.join(dir, name), content)
      return dir
    }
    const scratch = path.join(folder.dir, 'run')
    fs.mkdirSync(scratch)
    return { guard, scratch, known, newDataDir, clean }
  } catch (error) {
    await clean()
    throw error
  }
}

async function makeFolder () {
  try {
    return await makeTemporary()
  } catch (error) {
    throw new WorkshopError(`The temporary folder ${os.tmpdir()} cannot be written (${error.code}): make room there, or name another one in TMPDIR.`, { cause: error })
  }
}
