import fs from 'node:fs'
import path from 'node:path'

/**
 * How long a check of each reference solution took on the project's machine; `npm run measure time -- --write` makes
 * the file.
 *
 * @param {string} root the workshop, or a lesson pack
 * @returns {{ pace: number, seconds: Record<string, number> } | null} pace: of that machine; seconds: by folder
 */
export function readTimes (root) {
  try {
    return JSON.parse(fs.readFileSync(timesFile(root), 'utf8'))
  } catch {
    return null
  }
}

/** @param {string} root */
export function timesFile (root) {
  return path.join(root, 'lessons', 'times.json')
}
