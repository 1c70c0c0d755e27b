import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createRandom } from '../catalogue/index.js'
import { WorkshopError } from '../errors.js'

/**
 * A temporary folder for one run, and this run's data in it.
 *
 * @typedef {object} Prepared
 * @property {string} scratch an empty folder for anything else
 * @property {any} known what contract and streams know about the data
 * @property {(more?: Record<string, string>) => string} newDataDir a fresh copy of the data: each server gets its own; more:
 *   files for this server alone
 * @property {() => void} clean removes everything; never throws
 */

/**
 * @param {import('../catalogue/lesson.js').Lesson} lesson
 * @param {string} seed
 * @returns {Promise<Prepared>}
 * @throws {WorkshopError} when the temporary folder cannot be written
 */
export async function prepareRun (lesson, seed) {
  const base = makeFolder()
  const clean = () => {
    try {
      fs.rmSync(base, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A leftover in the system's temporary folder harms nobody.
    }
  }
  try {
    const { files = {}, known = {} } = await lesson.data?.({ random: createRandom(`${seed}/data`) }) ?? {}
    let count = 0
    const newDataDir = (/** @type {Record<string, string>} */ more = {}) => {
      const dir = path.join(base, `data-${++count}`)
      fs.mkdirSync(dir)
      for (const [name, content] of Object.entries({ ...files, ...more })) fs.writeFileSync(path.join(dir, name), content)
      return dir
    }
    const scratch = path.join(base, 'run')
    fs.mkdirSync(scratch)
    return { scratch, known, newDataDir, clean }
  } catch (error) {
    clean()
    throw error
  }
}

function makeFolder () {
  try {
    return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'make-it-fast-')))
  } catch (error) {
    throw new WorkshopError(`The temporary folder ${os.tmpdir()} cannot be written (${error.code}): make room there, or name another one in TMPDIR.`, { cause: error })
  }
}
