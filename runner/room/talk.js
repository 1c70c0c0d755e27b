import fs from 'node:fs/promises'
import path from 'node:path'
import { findPromises, loadLesson, readHints, readText } from '../lesson/index.js'
import { isInWorkshop, workshopRoot } from '../workshop.js'

/**
 * What an instructor can say to those who share a reason.
 *
 * @import { LessonEntry } from '../lesson/index.js'
 *
 * @typedef {object} Talk
 * @property {string | null} wants what the check or the gate wants, as the lesson says it; null: nobody has said it
 * @property {string} debrief Markdown: what to ask the room; may be empty
 * @property {string[]} hints Markdown
 */

/**
 * @param {LessonEntry} entry
 * @param {string} reason as `leadingReason` puts it
 * @returns {Promise<Talk>}
 */
export async function readTalk (entry, reason) {
  const [loaded, hints, debriefs] = await Promise.all([
    loadLesson(entry).catch(() => null),
    readHints(entry).catch(() => []),
    fs.readFile(path.join(workshopRoot, 'docs', 'teaching', 'debriefs.md'), 'utf8')
  ])
  if (loaded === null) return { wants: null, debrief: '', hints }
  const { lesson } = loaded
  const text = await readText(path.join(entry.dir, 'README.md'), entry).catch(() => '')
  const promise = [...findPromises(text, lesson)].find(([rule]) => reason === `wrong answer: “${rule}”`)?.[1]
  const gate = lesson.gates?.find(({ name }) => reason.endsWith(`: ${name}`))
  const debrief = isInWorkshop(entry.dir) ? debriefOf(debriefs, entry.number) : ''
  return { wants: promise ?? gate?.look ?? null, debrief, hints }
}

/** What to ask, and common mistakes. Pure. @param {string} debriefs @param {number} number of the lesson */
export function debriefOf (debriefs, number) {
  const own = debriefs.split(/^## /m).find((part) => part.startsWith(`${number} · `)) ?? ''
  const at = own.indexOf('**Ask.**')
  return at < 0 ? '' : own.slice(at).trim()
}
