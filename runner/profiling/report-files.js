import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { writeFileAtomic } from '../workspace/index.js'

/**
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Section } from '../report/index.js'
 * @import { Target } from './under-load.js'
 */

/** The files that our tools write. Others aren't removed: a learner may have kept a report under another name. */
const ours = /^(\.html|\.json|\.txt|\.heapprofile|(\.\d+)?\.cpuprofile|\.(before|after)\.heapsnapshot)$/

/**
 * The folder of the reports on a lesson's servers.
 *
 * @param {Pick<LessonEntry, 'workspaceDir' | 'folder'>} entry
 */
export function reportsFolder ({ workspaceDir, folder }) {
  return path.join(path.dirname(workspaceDir), 'profiles', folder)
}

/**
 * The newest report of each tool on the learner's own server, and on the slow one.
 *
 * @param {Pick<LessonEntry, 'workspaceDir' | 'folder'>} entry
 * @returns {Report[]} the newest first
 *
 * @typedef {{ server: 'mine' | 'slow', tool: string, file: string, madeAt: Date }} Report
 */
export function newestReports (entry) {
  const dir = reportsFolder(entry)
  const names = fs.existsSync(dir) ? fs.readdirSync(dir) : []
  const found = names.flatMap((name) => {
    const [, server, tool] = /^(mine|slow)-([a-z]+)(?:-compared)?\.html$/.exec(name) ?? []
    const file = path.join(dir, name)
    if (server !== 'mine' && server !== 'slow') return []
    const madeAt = fs.statSync(file).mtime
    return /** @type {Report[]} */ ([{ server, tool, file, madeAt }])
  }).sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  return found.filter(({ server, tool }, at) =>
    found.findIndex((other) => other.server === server && other.tool === tool) === at)
}

/**
 * The figures that a tool wrote next to its report.
 *
 * @param {Report} report
 * @returns {Promise<any>} null: missing or invalid
 */
export async function readFigures ({ file }) {
  try {
    return JSON.parse(await fs.promises.readFile(file.replace(/\.html$/, '.json'), 'utf8'))
  } catch {
    return null
  }
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
  const prepare = () => {
    if (isClean) return
    fs.mkdirSync(folder, { recursive: true })
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const isOurs = entry.isFile() && entry.name.startsWith(stem) && ours.test(entry.name.slice(stem.length))
      if (isOurs) fs.rmSync(path.join(folder, entry.name), { force: true })
    }
    isClean = true
  }
  const name = (/** @type {string} */ ending) => {
    try {
      prepare()
    } catch (error) {
      throw notWritten(error)
    }
    return path.join(folder, `${stem}${ending}`)
  }
  return {
    dir: folder,
    name,
    write: async (ending, text) => {
      const file = name(ending)
      try {
        await writeFileAtomic(file, text)
      } catch (error) {
        throw notWritten(error)
      }
      return file
    }
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
 * @typedef {{ about: string, compares?: boolean, load: () => Promise<{ run: (given: ToolGiven) => Promise<ToolResult>
 *   }> }} Tool
 */
