import fs from 'node:fs'
import path from 'node:path'
import { reportsFolder } from './profile-files.js'
import { tools } from './tools/index.js'

/**
 * The recordings of the learner's server and of the slow one, to be shown next to the code.
 *
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { CpuFigures } from './tools/cpu-tool.js'
 * @import { Finding } from './trace/trace-report.js'
 *
 * @typedef {{ findings: Finding[], summary: { loadMs: number } }} TraceFigures what is read of them here
 *
 * @typedef {object} ReadReport
 * @property {'mine' | 'slow'} server
 * @property {string} tool
 * @property {string} file the HTML
 * @property {Date} madeAt
 * @property {CpuFigures | null} cpu null: of another tool, or invalid
 * @property {TraceFigures | null} trace
 *
 * @param {Pick<LessonEntry, 'workspaceDir' | 'folder'>} entry
 * @returns {Promise<ReadReport[]>} the newest of each server and tool, the newest first
 */
export async function readReports (entry) {
  return Promise.all(newestReports(reportsFolder(entry)).map(async (report) => {
    const figures = report.tool === 'cpu' || report.tool === 'trace' ? await readFigures(report.file) : null
    return {
      ...report,
      cpu: report.tool === 'cpu' && isCpu(figures) ? figures : null,
      trace: report.tool === 'trace' && isTrace(figures) ? figures : null
    }
  }))
}

/** @param {string} dir @returns {Pick<ReadReport, 'server' | 'tool' | 'file' | 'madeAt'>[]} */
function newestReports (dir) {
  const names = fs.existsSync(dir) ? fs.readdirSync(dir) : []
  const found = names.flatMap((name) => {
    const [, server, tool] = /^(mine|slow)-([a-z]+)(?:-compared)?\.html$/.exec(name) ?? []
    if ((server !== 'mine' && server !== 'slow') || !Object.hasOwn(tools, tool)) return []
    const file = path.join(dir, name)
    return [{ server: /** @type {'mine' | 'slow'} */ (server), tool, file, madeAt: fs.statSync(file).mtime }]
  }).sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  return found.filter(({ server, tool }, at) =>
    found.findIndex((other) => other.server === server && other.tool === tool) === at)
}

/** The figures next to a report. @param {string} report @returns {Promise<any>} null: missing or invalid */
async function readFigures (report) {
  try {
    return JSON.parse(await fs.promises.readFile(report.replace(/\.html$/, '.json'), 'utf8'))
  } catch {
    return null
  }
}

/** Any program that can write to the workspace may have written it. @param {any} figures */
function isCpu (figures) {
  const isSide = (/** @type {any} */ side) => areStrings(side?.sentences) &&
    has(side.functions, ['name', 'place', 'owner', 'thread'], ['line', 'self', 'total', 'charged']) &&
    side.functions.every((/** @type {any} */ { lines = [] }) => has(lines, [], ['line', 'self']))
  return figures?.version === 2 && isSide(figures) && (figures.slow === null || isSide(figures.slow)) &&
    has(figures.sections, ['title'], [])
}

/** @param {any} list @param {string[]} texts @param {string[]} numbers names of what each has */
function has (list, texts, numbers) {
  return Array.isArray(list) && list.every((one) => areStrings(texts.map((name) => one?.[name])) &&
    numbers.every((name) => Number.isFinite(one[name])))
}

/** @param {any} list */
function areStrings (list) {
  return Array.isArray(list) && list.every((one) => typeof one === 'string')
}

/** @param {any} figures */
function isTrace (figures) {
  return has(figures?.findings, ['rule', 'text'], []) && Number.isFinite(figures.summary?.loadMs)
}
