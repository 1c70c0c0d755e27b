import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { newSeed } from '../shared/random.js'
import { reportFiles, reportsFolder } from './profile-files.js'
import { tools } from './tools/index.js'

/**
 * @import { LoopRecording } from '../inside/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 */

export { readReports } from './read-reports.js'
export { tools }

/**
 * @typedef {import('./tools/cpu-tool.js').CpuFigures} CpuFigures
 * @typedef {import('./profile-files.js').ToolResult} ToolResult
 * @typedef {import('./under-load.js').Target} Target
 * @typedef {import('./tools/cpu-tool.js').SeenFunction} SeenFunction
 * @typedef {import('./read-reports.js').ReadReport} ReadReport
 * @typedef {import('./read-reports.js').TraceFigures} TraceFigures
 */

/**
 * Profiles one of a lesson's servers with one tool.
 *
 * @param {object} given
 * @param {string} given.tool
 * @param {LoadedLesson} given.entry
 * @param {string} given.dir the folder with server.js
 * @param {string} [given.which] what to call it
 * @param {string} [given.stem] of the report's name
 * @param {string} [given.folder] for the report
 * @param {string} [given.loadName] default: the load in which the lesson's mechanism shows
 * @param {boolean} [given.compare]
 * @param {boolean} [given.all] also the tables with little to see
 * @param {number} given.seconds
 * @param {string} [given.seed]
 * @param {AbortSignal} given.signal
 * @param {(text: string) => void} given.say
 * @returns {Promise<ToolResult>}
 * @throws {WorkshopError}
 */
export async function runProfile ({
  tool: name,
  entry,
  dir,
  which = 'your server',
  stem = 'mine',
  folder = reportsFolder(entry),
  loadName = (name === 'loop' && entry.lesson.eventLoop?.load) || entry.lesson.mechanism?.load,
  compare = false,
  all = false,
  seconds,
  seed = newSeed(),
  signal,
  say
}) {
  if (entry.lesson.check !== undefined) {
    throw new WorkshopError(
      `Lesson ${entry.number} is about ${entry.file}, not about a server of yours: \`npm run bench ` +
        `lesson-${entry.number}\` shows what your ${entry.lesson.check.writes} shows.`
    )
  }
  requireTool(name, Object.keys(tools))
  if (compare && name !== 'cpu') throw new WorkshopError(`--compare goes with the tool cpu, not with ${name}.`)
  const { loads } = entry.lesson
  if (!Object.hasOwn(loads, loadName)) {
    throw new WorkshopError(
      `Lesson ${entry.number} has no load called ${loadName}; it has ${Object.keys(loads).join(', ')}.`
    )
  }
  const { run } = await tools[name].load()
  const target = { entry, dir, loadName, seed, signal }
  return run({
    target,
    which,
    title: `Lesson ${entry.number}, ${entry.lesson.title}: ${which}${compare ? ' compared with the slow one' : ''}`,
    compareWith: compare ? { ...target, dir: entry.slowDir } : null,
    all,
    seconds,
    files: reportFiles({ folder, stem: `${stem}-${compare ? `${name}-compared` : name}` }),
    say
  })
}

/** @param {string} name @param {string[]} names */
function requireTool (name, names) {
  if (!names.includes(name)) throw new WorkshopError(`There is no tool “${name}”; there are ${names.join(', ')}.`)
}

/**
 * Profiles one server outside the lessons with one tool.
 *
 * @param {object} given
 * @param {string} given.tool
 * @param {Target} given.target
 * @param {string} given.name of the server
 * @param {string} given.folder for the report
 * @param {boolean} [given.all] also the tables with little to see
 * @param {number} given.seconds
 * @param {(text: string) => void} given.say
 * @returns {Promise<ToolResult>}
 * @throws {WorkshopError}
 */
export async function profileOne ({ tool, target, name, folder, ...given }) {
  requireTool(tool, Object.keys(tools).filter((one) => tools[one].isForOwn))
  const { run } = await tools[tool].load()
  const files = reportFiles({ folder, stem: tool })
  return run({ target, which: name, title: name, compareWith: null, files, ...given })
}

/**
 * Keeps what a check recorded after its verdict, next to the learner's profiles.
 *
 * @param {LoadedLesson} entry
 * @param {LoopRecording[]} loops of the slow server and of the learner's
 */
export async function keepLoops (entry, loops) {
  const { writeLoops } = await import('./tools/loop.js')
  await writeLoops(reportFiles({ folder: reportsFolder(entry), stem: checkedLoop }), entry, loops)
}

/** Not among the profiles that a learner has made. */
const checkedLoop = 'checked-loop'

/** @param {LoadedLesson} entry @returns {{ file: string, madeAt: Date } | null} the page of the last check's loops */
export function keptLoops (entry) {
  const file = path.join(reportsFolder(entry), `${checkedLoop}.html`)
  const madeAt = fs.statSync(file, { throwIfNoEntry: false })?.mtime
  return madeAt === undefined ? null : { file, madeAt }
}

/**
 * CPU profiles of two servers outside the lessons, and what changed from one to the other.
 *
 * @param {object} given
 * @param {[Target, Target]} given.targets the original first
 * @param {[string, string]} given.names
 * @param {string} given.folder for the report
 * @param {number} given.seconds
 * @param {(text: string) => void} given.say
 * @returns {Promise<ToolResult>}
 * @throws {WorkshopError}
 */
export async function profileTwo ({ targets: [before, target], names, folder, seconds, say }) {
  const { run } = await tools.cpu.load()
  const title = `${names[1]}, compared with ${names[0]}`
  const files = reportFiles({ folder, stem: 'compared' })
  return run({ target, which: names[1], title, compareWith: before, names, seconds, files, say })
}
