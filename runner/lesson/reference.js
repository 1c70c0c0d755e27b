import fs from 'node:fs'
import path from 'node:path'

/** @import { LessonEntry } from './find.js' */

/**
 * How much faster the reference solution was than the slow server on the project's machine: from the table in its
 * write-up, which `npm run measure lessons -- --write` makes.
 *
 * @param {Pick<LessonEntry, 'solutionDir'>} entry
 * @returns {Record<string, number>} ratio by gate; empty where nothing was measured
 */
export function referenceOf ({ solutionDir }) {
  try {
    const { rows } = measuredIn(fs.readFileSync(path.join(solutionDir, 'README.md'), 'utf8'))
    return Object.fromEntries(rows.map(({ gate, ratio }) => [gate, ratio]))
  } catch {
    return {}
  }
}

/**
 * @typedef {{ gate: string, slow: string, solution: string, ratio: number }} Measured figures with their unit
 *
 * @param {string} text of a write-up
 * @returns {{ rows: Measured[], where: string }} where: machine, version and date. Both may be empty
 */
export function measuredIn (text) {
  const [, measured = ''] = /<!-- measured -->([^]*?)<!-- \/measured -->/.exec(text) ?? []
  const rows = measured.matchAll(/^\| ([^|]+?) \| ([^|]+?) \| ([^|]+?) \| ([\d.]+)× \|$/gm)
  const [, where = ''] = /^Measured by the project: ([^]*?), the median/m.exec(measured) ?? []
  return {
    rows: [...rows].map(([, gate, slow, solution, ratio]) => ({ gate, slow, solution, ratio: Number(ratio) })),
    where
  }
}
