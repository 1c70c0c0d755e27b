import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { shownPath } from '../../shown-path.js'
import { isInWorkshop, workshopRoot } from '../../workshop.js'

const mostBytes = 50 * 1024 * 1024

/**
 * Makes a folder ready to be run: where it is, or as a copy.
 *
 * @param {string} dir the folder with server.js, or whatever `file` names
 * @param {{ root: string, scratch: string, file?: string }} folders root: of the lesson's workshop or pack; scratch: a
 *   folder for copies
 * @returns {{ dir: string, shownDir: string }} dir: where to run it; shownDir: what the learner calls it
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
