import fs from 'node:fs/promises'
import path from 'node:path'
import { findPromises, loadLesson, readHints, readText } from '../lesson/index.js'
import { isInWorkshop, workshopRoot } from '../workshop.js'

/**
 * What an instructor can say to learners who share a reason.
 *
 * @import { LessonEntry } from '../lesson/index.js'
 *
 * @typedef {object} Talk
 * @property {string | null} wants what the check or the gate wants, as the lesson says it; null: not said
 * @property {string} mistakes Markdown: those in the debrief that end with this reason; may be empty
 * @property {string} debrief Markdown: what else to ask the room; may be empty
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
  if (loaded === null) return { wants: null, mistakes: '', debrief: '', hints }
  const { lesson } = loaded
  const text = await readText(path.join(entry.dir, 'README.md'), entry).catch(() => '')
  const promise = [...findPromises(text, lesson)].find(([rule]) => reason === `wrong answer: “${rule}”`)?.[1]
  const gate = lesson.gates?.find(({ name }) => reason.endsWith(`: ${name}`))
  return {
    wants: promise ?? gate?.look ?? null,
    ...debriefOf(isInWorkshop(entry.dir) ? debriefs : '', entry.number, reason),
    hints
  }
}

/**
 * What to ask. The common mistakes are those with the name of the check or gate, or all if none mention it. Pure.
 *
 * @param {string} debriefs
 * @param {number} number of the lesson
 * @param {string} reason
 * @returns {Pick<Talk, 'mistakes' | 'debrief'>}
 */
export function debriefOf (debriefs, number, reason) {
  const own = debriefs.split(/^## /m).find((part) => part.startsWith(`${number} · `)) ?? ''
  const [, ask = ''] = own.split(/(?=\*\*Ask\.\*\*)/)
  const [questions, mistakes = ''] = ask.split('**Common mistakes.**')
  const [, name = ''] = /(?:: “(.+)”|: (.+))$/.exec(reason)?.filter(Boolean) ?? []
  const named = mistakes.split(/^(?=- )/m).filter((one) => one.includes(`*${name}*`))
  return named.length > 0
    ? { mistakes: named.join('').trim(), debrief: questions.trim() }
    : { mistakes: '', debrief: ask.trim() }
}
