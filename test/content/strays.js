/**
 * What can only be seen of all lessons together. Pure.
 *
 * @import { Finding } from './rules.js'
 *
 * @param {string[]} lessons names of folders: `17-cold-start`
 * @param {Record<string, string[]>} others the folders below slow-servers, solutions and test/submissions
 * @returns {Finding[]}
 */
export function findStrays (lessons, others) {
  const twins = (/** @type {(folder: string) => string} */ keyOf, /** @type {string} */ what) => {
    return lessons.flatMap((folder) => {
      const first = lessons.find((other) => keyOf(other) === keyOf(folder))
      return first === folder ? [] : [{ place: `lessons/${folder}`, what: `has the ${what} of ${first}: rename it.` }]
    })
  }
  return [
    ...twins((folder) => String(Number.parseInt(folder, 10)), 'number'),
    ...twins((folder) => folder.replace(/^\d+-/, ''), 'name'),
    ...Object.entries(others).flatMap(([parent, folders]) => folders.filter((folder) => !lessons.includes(folder))
      .map((folder) => ({ place: `${parent}/${folder}`, what: 'belongs to no lesson: name it like one, or move it.' })))
  ]
}
