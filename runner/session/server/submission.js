import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { shownPath } from '../../shown-path.js'

const mostBytes = 50 * 1024 * 1024

/**
 * Makes a folder ready to be run. A folder inside the workshop runs where it is; one outside is copied to a temporary
 * place from which the workshop's packages can be resolved, and its own node_modules first.
 *
 * @param {string} dir the folder with server.js, or whatever `file` names
 * @param {{ root: string, scratch: string, file?: string }} places root: of the workshop; scratch: an empty folder for
 *   copies
 * @returns {{ dir: string, shownDir: string }} dir: where to run it; shownDir: what the learner calls it
 * @throws {WorkshopError} when that file is not in it
 */
export function openSubmission (dir, { root, scratch, file = 'server.js' }) {
  const given = path.resolve(dir)
  const kind = fs.statSync(given, { throwIfNoEntry: false })
  if (!kind) throw new WorkshopError(`There is no folder ${given}. Give --server the folder that holds your ${file}.`)
  if (!kind.isDirectory()) throw new WorkshopError(`${given} is a file. Give --server the folder that holds ${file}.`)
  if (!fs.statSync(path.join(given, file), { throwIfNoEntry: false })?.isFile()) {
    throw new WorkshopError(`There is no ${file} in ${given}. What is graded has to be called ${file}.`)
  }
  const real = fs.realpathSync(given)
  if (isInside(real, fs.realpathSync(root))) return { dir: real, shownDir: shownPath(given) }

  const copy = fs.mkdtempSync(path.join(scratch, 'submission-'))
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
          `${given} holds more than 50 MB. Give --server a folder with what is graded, and no more.`
        )
      }
      return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
    }
  })
  link(path.join(root, 'node_modules'), path.join(scratch, 'node_modules'))
  const own = path.join(real, 'node_modules')
  if (fs.existsSync(own)) link(own, path.join(copy, 'node_modules'))
  return { dir: fs.realpathSync(copy), shownDir: shownPath(given) }
}

/** @param {string} target @param {string} place */
function link (target, place) {
  if (fs.existsSync(target) && !fs.existsSync(place)) fs.symlinkSync(target, place, 'junction')
}

/** @param {string} inner @param {string} outer */
function isInside (inner, outer) {
  const relative = path.relative(outer, inner)
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)
}
