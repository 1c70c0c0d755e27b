import fs from 'node:fs/promises'
import path from 'node:path'
import { isRecord } from '../judge/index.js'
import { readJson, writeFileAtomic } from './files.js'

/**
 * What `compare` has found, kept for the pages: comparisons, and profiles of two.
 *
 * @import { WorkshopError } from '../errors.js'
 * @import { ResultRecord } from '../judge/index.js'
 *
 * @typedef {object} Comparison
 * @property {string} id the moment at which it began: 2026-01-31T09-05-00-000Z
 * @property {string} folder in which the command was run
 * @property {string} before what that server is called
 * @property {string} after
 *
 * @typedef {Comparison & { record: ResultRecord | null }} KeptComparison record: null: it's a profile
 */

const mostKept = 50
const ids = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** @param {Date} startedAt @returns {string} an id */
export function comparisonId (startedAt) {
  return startedAt.toISOString().replaceAll(/[:.]/g, '-')
}

/**
 * Keeps one, and removes the oldest of many.
 *
 * @param {string} workspace
 * @param {KeptComparison} comparison
 * @param {string} report HTML of a profile; empty: none
 * @throws {WorkshopError} the workspace cannot be written
 */
export async function keepComparison (workspace, comparison, report) {
  const folder = folderOf(workspace)
  if (report !== '') await writeFileAtomic(path.join(folder, `${comparison.id}.html`), report)
  await writeFileAtomic(path.join(folder, `${comparison.id}.json`), `${JSON.stringify(comparison, null, 2)}\n`)
  for (const id of (await idsIn(folder)).slice(mostKept)) {
    for (const ending of ['html', 'json']) await fs.rm(path.join(folder, `${id}.${ending}`), { force: true })
  }
}

/** @param {string} workspace @returns {Promise<KeptComparison[]>} the newest first; what makes no sense is left out */
export async function readComparisons (workspace) {
  const found = await idsIn(folderOf(workspace))
  return (await Promise.all(found.map((id) => readOne(workspace, id)))).filter((one) => one !== null)
}

/** @param {string} workspace @param {string} id @returns {string} the file of a profile */
export function comparisonReport (workspace, id) {
  return path.join(folderOf(workspace), `${id}.html`)
}

/** @param {string} workspace */
function folderOf (workspace) {
  return path.join(workspace, 'comparisons')
}

/** @param {string} folder */
async function idsIn (folder) {
  const names = await fs.readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
    .filter((id) => ids.test(id)).sort().reverse()
}

/** @param {string} workspace @param {string} id @returns {Promise<KeptComparison | null>} */
async function readOne (workspace, id) {
  const { value } = await readJson(path.join(folderOf(workspace), `${id}.json`))
  const { folder, before, after, record = null } = Object(value)
  const isKnown = [folder, before, after].every((text) => typeof text === 'string')
  return isKnown && (record === null || isRecord(record)) ? { id, folder, before, after, record } : null
}
