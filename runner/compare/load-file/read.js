import fs from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../../errors.js'
import { shownPath } from '../../shown-path.js'
import { problemsOfLoad } from './problems.js'

/** @import { Load } from './load.js' */

const modules = ['.js', '.mjs', '.cjs']

/**
 * A load file: JSON, or a JavaScript module whose default export is the load.
 *
 * @param {string} file
 * @returns {Promise<Load>}
 * @throws {WorkshopError} one sentence for each mistake
 */
export async function readLoadFile (file) {
  const load = await (modules.includes(path.extname(file)) ? readModule : readJson)(file)
  const problems = problemsOfLoad(load)
  if (problems.length === 0) return load
  throw new WorkshopError(problems.map((problem) => `${shownPath(file)}: ${problem}.`).join('\n'))
}

/** @param {string} file */
async function readJson (file) {
  const text = await fs.readFile(file, 'utf8').catch(refuse(file))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WorkshopError(`${shownPath(file)} isn’t JSON (${error.message}): a load file is JSON, or a JavaScript ` +
      'module that ends in .js.')
  }
}

/** @param {string} file */
async function readModule (file) {
  await fs.access(file).catch(refuse(file))
  try {
    return (await import(pathToFileURL(path.resolve(file)).href)).default
  } catch (error) {
    throw new WorkshopError(`${shownPath(file)} can’t be imported: ${error.message}.`)
  }
}

/** @param {string} file */
function refuse (file) {
  return (/** @type {NodeJS.ErrnoException} */ error) => {
    throw new WorkshopError(error.code === 'ENOENT'
      ? `There is no load file ${shownPath(file)}: name one with --load, or give paths with --path.`
      : `The load file ${shownPath(file)} can’t be read (${error.code}).`)
  }
}
