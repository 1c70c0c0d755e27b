import { WorkshopError } from '../errors.js'
import { nearest } from '../near.js'
import { findLessons } from './find.js'

/** @import { LessonEntry } from './find.js' */

/**
 * Finds a lesson by `lesson-3`, `3`, `03`, `03-in-memory-json` or `in-memory-json`, in any case, or by a path to one of
 * its folders, as the shell completes it.
 *
 * @param {string | undefined} name
 * @param {Parameters<typeof findLessons>[0]} [options]
 * @returns {Promise<LessonEntry>}
 * @throws {WorkshopError} no name, an unknown one (the message suggests others), or two lessons with this number
 */
export async function resolveLesson (name, options) {
  const entries = await findLessons(options)
  const asked = bare(name ?? '')
  if (asked === '') {
    throw new WorkshopError('Say which lesson, for example lesson-1: `npm run list` shows them all.')
  }
  const found = entries.filter((entry) => isNamed(entry, asked))
  if (found.length === 1) return found[0]
  if (found.length > 1) {
    const folders = found.map((entry) => entry.folder).join(' and ')
    throw new WorkshopError(`"${name}" could mean ${folders}: write the whole name of the folder.`)
  }
  throw new WorkshopError(`There is no lesson "${name}"${hintAt(asked, entries)} \`npm run list\` shows them all.`)
}

/** @param {string} name the last part of a path, without `lesson-` */
function bare (name) {
  const lastPart = name.trim().toLowerCase().split(/[\\/]/).filter(Boolean).at(-1) ?? ''
  return lastPart.replace(/^lessons?[-_ ]*(?=.)/, '')
}

/** @param {LessonEntry} entry @param {string} asked */
function isNamed (entry, asked) {
  return asked === entry.folder || asked === entry.id || (/^\d+$/.test(asked) && Number(asked) === entry.number)
}

/** @param {string} asked @param {LessonEntry[]} entries */
function hintAt (asked, entries) {
  // Understands "leson-3" as well.
  const [, word, digits] = /^(?:([a-z]+)[-_ ]*|-?)(\d+)$/.exec(asked) ?? []
  const isNumber = digits !== undefined && (word === undefined || nearest(word, ['lesson']).length > 0)
  const numbered = entries.filter((entry) => isNumber && isNamed(entry, digits))
  if (isNumber && numbered.length === 0) {
    return `: the lessons are ${entries[0].number} to ${entries[entries.length - 1].number}.`
  }
  // Without dashes, too, for "inmemory".
  const namesOf = new Map(entries.flatMap((entry) => [
    [entry.folder, entry], [entry.id, entry], [entry.id.replaceAll('-', ''), entry]
  ]))
  const near = isNumber
    ? numbered
    : nearest(asked, [...namesOf.keys()], { limit: 9 }).map((known) => namesOf.get(known))
  const suggestions = [...new Set(near)].slice(0, 3).map((entry) => `lesson-${entry?.number} (${entry?.id})`)
  return suggestions.length === 0 ? '.' : `: did you mean ${suggestions.join(' or ')}?`
}
