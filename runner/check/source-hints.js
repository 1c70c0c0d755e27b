import fs from 'node:fs'
import path from 'node:path'

/** @import { Lesson } from '../lesson/index.js' */

/**
 * Patterns in the submission's source that a test from outside cannot see. They warn; they never decide.
 *
 * @param {Lesson} lesson
 * @param {string} dir
 * @returns {string[]}
 */
export function sourceWarnings ({ sourceHints = [] }, dir) {
  if (sourceHints.length === 0) return []
  const source = fs.readdirSync(dir)
    .filter((name) => /\.[cm]?[jt]s$/.test(name))
    .map((name) => fs.readFileSync(path.join(dir, name), 'utf8'))
    .join('\n')
  return sourceHints
    .filter(({ pattern, unless }) => pattern.test(source) && !unless?.test(source))
    .map(({ warning }) => warning)
}
