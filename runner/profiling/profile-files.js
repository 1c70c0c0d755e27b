import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { writeFileAtomic } from '../workspace/index.js'

/**
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Section } from '../report/index.js'
 * @import { Target } from './under-load.js'
 */

/** The files that our tools write. Others aren't removed: a learner may have kept a report under another name. */
const ours = /^(\.html|\.json|\.txt|\.heapprofile|(\.\d+)?\.cpuprofile|\.(before|after)\.heapsnapshot)$/

/** The folder of the reports on a lesson's servers. @param {Pick<LessonEntry, 'workspaceDir' | 'folder'>} entry */
export function reportsFolder ({ workspaceDir, folder }) {
  return path.join(path.dirname(workspaceDir), 'profiles', folder)
}

/**
 * The files of one run of one tool: `workspace/profiles/02-leaking-listeners/mine-cpu.html`. An earlier run's
 * files of the same tool are removed when the new one starts to write.
 *
 * @typedef {object} ReportFiles
 * @property {string} dir
 * @property {(ending: string) => string} name path of the file with that ending: `.html`, `.2.cpuprofile`
 * @property {(ending: string, text: string) => Promise<string>} write atomically; resolves to the path
 *
 * @param {object} given
 * @param {string} given.folder of the lesson's profiles
 * @param {string} given.stem `mine-cpu`
 * @returns {ReportFiles}
 * @throws {WorkshopError} the folder can't be written
 */
export function reportFiles ({ folder, stem }) {
  const notWritten = (/** @type {any} */ error) => new WorkshopError(
    `The profile could not be written to ${folder} (${error.code ?? error.message}): make room there, or make the ` +
      'folder writable.',
    { cause: error }
  )
  let isClean = false
  const name = (/** @type {string} */ ending) => {
    try {
      if (!isClean) clean(folder, stem)
    } catch (error) {
      throw notWritten(error)
    }
    isClean = true
    return path.join(folder, `${stem}${ending}`)
  }
  const write = async (/** @type {string} */ ending, /** @type {string} */ text) => {
    const file = name(ending)
    await writeFileAtomic(file, text).catch((error) => { throw notWritten(error) })
    return file
  }
  return { dir: folder, name, write }
}

/** @param {string} folder @param {string} stem */
function clean (folder, stem) {
  fs.mkdirSync(folder, { recursive: true })
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const isOurs = entry.isFile() && entry.name.startsWith(stem) && ours.test(entry.name.slice(stem.length))
    if (isOurs) fs.rmSync(path.join(folder, entry.name), { force: true })
  }
}

/**
 * @typedef {object} ToolGiven
 * @property {Target} target
 * @property {string} which `slow`, `mine`, `solution` or a folder, as requested
 * @property {string} title `Lesson 2, your server`
 * @property {Target | null} compareWith with --compare: the slow server
 * @property {[string, string]} [names] names of the two, if they aren't a lesson's
 * @property {boolean} [all] also the tables with little to see
 * @property {number} seconds how long to record
 * @property {ReportFiles} files where to write
 * @property {(text: string) => void} say a line to the learner while it runs
 *
 * @typedef {object} ToolResult
 * @property {Section[]} sections the summary
 * @property {string | null} report the file to open, if any
 * @property {string[]} kept further files, for Chrome DevTools or other tools
 *
 * @typedef {object} Tool
 * @property {string} about
 * @property {boolean} [isForOwn] does it profile a server outside the lessons, too?
 * @property {() => Promise<{ run: (given: ToolGiven) => Promise<ToolResult> }>} load
 */
