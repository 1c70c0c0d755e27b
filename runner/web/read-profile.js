import fs from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { oneOf, refuse } from '../http/index.js'
import { readReports, tools } from '../profiling/index.js'
import { shownPath } from '../shown-path.js'
import { readProgress, readTree } from '../workspace/index.js'
import { profileTools } from './jobs/job-options.js'
import { seenOf } from './prediction-feedback.js'

/**
 * What the profile page shows, as data.
 *
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { CpuFigures, ReadReport } from '../profiling/index.js'
 * @import { Prediction } from '../workspace/index.js'
 * @import { Seen } from './prediction-feedback.js'
 *
 * @typedef {object} ProfileData
 * @property {string} slug
 * @property {number} number
 * @property {string} title
 * @property {'server' | 'load plan'} kind
 * @property {string} tool whose report is shown
 * @property {{ tool: string, madeAt: string | null }[]} tabs madeAt: ISO 8601; null: none was made
 * @property {CpuFigures | null} cpu of the report that is shown
 * @property {string} file the one in which the lesson's work is done
 * @property {Source[]} sources the learner's own files, that one first
 * @property {Prediction | null} prediction
 * @property {Seen | null} seen null before there is a prediction
 *
 * @typedef {object} Source
 * @property {string} name relative to the copy, with slashes
 * @property {string} shown its path
 * @property {string} text
 * @property {string} editorUrl
 * @property {boolean} isNewer it changed after the report
 */

/** What runs or is included: neither data nor packages. */
export const isCode = /\.([cm]?[jt]s|json)$/

/**
 * @param {LoadedLesson} entry
 * @param {unknown} asked the tool, as it came
 * @returns {Promise<ProfileData>}
 */
export async function readProfile (entry, asked) {
  const reports = await readReports(entry)
  const tool = toolOf(asked, reports)
  const shown = reports.find((report) => report.tool === tool)
  const { prediction } = await readProgress(entry)
  const made = new Map(reports.map((report) => [report.tool, report.madeAt.toISOString()]))
  return {
    slug: entry.id,
    number: entry.number,
    title: entry.lesson.title,
    kind: entry.lesson.kind ?? 'server',
    tool,
    tabs: Object.keys(tools).filter((name) => made.has(name) || profileTools.includes(name))
      .sort((a, b) => Number(profileTools.includes(b)) - Number(profileTools.includes(a)))
      .map((name) => ({ tool: name, madeAt: made.get(name) ?? null })),
    cpu: shown?.cpu ?? null,
    file: entry.file,
    sources: await readSources(entry, shown),
    prediction,
    seen: prediction && seenIn(prediction, reports)
  }
}

/** @param {LoadedLesson} entry @param {unknown} asked @returns {Promise<ReadReport>} */
export async function readReport (entry, asked) {
  const reports = await readReports(entry)
  const wanted = toolOf(asked, reports)
  const found = reports.find(({ tool }) => tool === wanted)
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

/** @param {unknown} asked @param {ReadReport[]} reports the newest first @returns {string} */
function toolOf (asked, reports) {
  if (asked === undefined) return reports[0]?.tool ?? profileTools[0]
  const names = Object.keys(tools)
  return oneOf(asked, names, `A report is made by one of these tools: ${names.join(', ')}.`)
}

/** @param {ReadReport[]} reports */
function newestOf (reports) {
  return {
    cpu: reports.find(({ cpu }) => cpu !== null)?.cpu ?? null,
    trace: reports.find(({ trace }) => trace !== null)?.trace ?? null
  }
}

/** @param {LoadedLesson} entry @param {ReadReport | undefined} report @returns {Promise<Source[]>} */
async function readSources ({ workspaceDir, file: first }, report) {
  const files = await readTree(workspaceDir, { first })
  const sources = await Promise.all([...files].map(async ([name, { text }]) => {
    if (text === undefined || !isCode.test(name)) return []
    const file = path.join(workspaceDir, name)
    const changedAt = await fs.stat(file).then(({ mtime }) => mtime, () => null)
    const isNewer = report !== undefined && changedAt !== null && changedAt > report.madeAt
    return [{ name, shown: shownPath(file), text, editorUrl: editorUrl(file), isNewer }]
  }))
  return sources.flat()
}
