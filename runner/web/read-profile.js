import fs from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { oneOf, refuse } from '../http/index.js'
import { readReports, tools } from '../profiling/index.js'
import { shownPath } from '../shared/text.js'
import { readProgress, readTree } from '../workspace/index.js'
import { profileTools, readServer } from './job-handlers.js'
import { seenOf } from './prediction-feedback.js'

/**
 * The data of the profile page.
 *
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { ReadReport } from '../profiling/index.js'
 * @import { Prediction } from '../workspace/index.js'
 *
 * @typedef {Awaited<ReturnType<typeof readProfile>>} ProfileData server and tool: whose report is shown, and by what it
 *   was made; tabs: of all reports, with madeAt in ISO 8601, or null where none was made; cpu: figures of the report
 *   shown; file: the one in which the lesson's work is done; sources: that server's files, that one first; seen: null
 *   before there is a prediction
 *
 * @typedef {object} Source
 * @property {string} name relative to the server's folder, with slashes
 * @property {string} shown its path
 * @property {string} text
 * @property {string | null} editorUrl null: it isn't the learner's to change
 * @property {boolean} isNewer it changed after the report
 */

/** The tools with a button come first. */
const order = [...new Set([...profileTools, ...Object.keys(tools)])]

/** Files that run or are included: neither data nor packages. */
export const isCode = /\.([cm]?[jt]s|json)$/

/**
 * @typedef {{ server?: unknown, tool?: unknown }} Asked as it came; nothing: the newest
 *
 * @param {LoadedLesson} entry
 * @param {Asked} asked
 */
export async function readProfile (entry, asked) {
  const reports = await readReports(entry)
  const { server, tool } = wantedOf(asked, reports)
  const shown = reports.find((report) => report.server === server && report.tool === tool)
  const { prediction } = await readProgress(entry)
  const none = profileTools.filter((one) => !reports.some(({ server, tool }) => server === 'mine' && tool === one))
  return {
    slug: entry.id,
    number: entry.number,
    title: entry.lesson.title,
    kind: entry.lesson.check?.writes ?? 'server',
    server,
    tool,
    tabs: [
      ...none.map((tool) => ({ server: /** @type {const} */ ('mine'), tool, madeAt: null })),
      ...reports.map(({ server, tool, madeAt }) => ({ server, tool, madeAt: madeAt.toISOString() }))
    ].sort((a, b) => a.server.localeCompare(b.server) || order.indexOf(a.tool) - order.indexOf(b.tool)),
    cpu: shown?.cpu ?? null,
    file: entry.file,
    sources: await readSources(entry, server, shown),
    prediction,
    seen: prediction && seenIn(prediction, reports)
  }
}

/** @param {LoadedLesson} entry @param {Asked} asked @returns {Promise<ReadReport>} */
export async function readReport (entry, asked) {
  const reports = await readReports(entry)
  const wanted = wantedOf(asked, reports)
  const found = reports.find(({ server, tool }) => server === wanted.server && tool === wanted.tool)
  if (found === undefined) throw refuse(404, 'There’s no such profile yet.')
  return found
}

/** @param {Prediction} prediction @param {ReadReport[]} reports the newest first */
export function seenIn (prediction, reports) {
  return seenOf(prediction, newestOf(reports))
}

/** For VS Code. @param {string} file */
export function editorUrl (file) {
  return `vscode://file${pathToFileURL(file).pathname}`
}

/**
 * @param {Asked} asked
 * @param {ReadReport[]} reports the newest first
 * @returns {Pick<ReadReport, 'server' | 'tool'>}
 */
function wantedOf ({ server, tool }, reports) {
  if (server === undefined && tool === undefined && reports.length > 0) return reports[0]
  return {
    server: readServer({ server }).server ?? 'mine',
    tool: oneOf(tool ?? profileTools[0], order, `A report is made by one of these tools: ${order.join(', ')}.`)
  }
}

/** The learner's own, and before there are any, the slow server's. @param {ReadReport[]} reports the newest first */
function newestOf (reports) {
  const own = reports.filter(({ server }) => server === 'mine')
  const found = own.length > 0 ? own : reports
  return {
    cpu: found.find(({ cpu }) => cpu !== null)?.cpu ?? null,
    trace: found.find(({ trace }) => trace !== null)?.trace ?? null,
    server: own.length > 0 ? 'yours' : 'the slow server'
  }
}

/** @param {LoadedLesson} entry @param {'mine' | 'slow'} server @param {ReadReport | undefined} report */
async function readSources ({ workspaceDir, slowDir, file: first }, server, report) {
  const isOwn = server === 'mine'
  const dir = isOwn ? workspaceDir : slowDir
  const files = await readTree(dir, { first })
  const sources = await Promise.all([...files].map(async ([name, { text }]) => {
    if (text === undefined || !isCode.test(name)) return []
    const file = path.join(dir, name)
    const changedAt = await fs.stat(file).then(({ mtime }) => mtime, () => null)
    const isNewer = isOwn && report !== undefined && changedAt !== null && changedAt > report.madeAt
    return [{ name, shown: shownPath(file), text, editorUrl: isOwn ? editorUrl(file) : null, isNewer }]
  }))
  return sources.flat()
}
