import path from 'node:path'
import { readText, sectionsIn } from '../lesson/index.js'

/**
 * The answers to the lessons' questions in *Fix it*, from their write-ups.
 *
 * @import { LessonEntry } from '../lesson/index.js'
 *
 * @param {readonly LessonEntry[]} entries
 * @returns {Promise<{ number: number, answers: string }[]>} answers: Markdown; lessons without any are left out
 */
export async function readKey (entries) {
  const all = await Promise.all(entries.map(async (entry) => {
    const text = await readText(path.join(entry.solutionDir, 'README.md'), entry).catch(() => '')
    const found = sectionsIn(text).find(({ title }) => title.startsWith('The questions'))
    return { number: entry.number, answers: (found?.text ?? '').replace(/^## .*\n/, '').trim() }
  }))
  return all.filter(({ answers }) => answers !== '')
}
