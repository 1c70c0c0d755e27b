import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../../runner/shared/errors.js'
import { findLessons, lessonsRoot, loadLesson, readText, resolveLesson } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { checkCode } from './check-code.js'
import { findAll } from './find-all.js'
import { findPromises, wordsByRule } from './promises.js'

/**
 * @import { Flag, Given } from '../../runner/cli/say.js'
 * @import { LessonEntry } from '../../runner/lesson/index.js'
 * @import { Finding } from './rules.js'
 */

/** @type {Record<string, Flag>} */
export const options = { promises: { type: 'boolean' } }

export const maxPositionals = 1
export const leastPositionals = 0

export const namesNoCommand = true

export const isForAuthors = true

export const usage = 'npm run check:content [-- --promises [lesson-N]] [--lessons DIR]'

export const help = `For authors: what do the lessons and their texts lack?
Looks at parts, form, answers, promises, links, commands, code, targets and hints;
of a pack also at lint and types (install the workshop with npm ci for that);
starts no server. What a lesson “could” do is a proposal and no fault.

With --promises: writes which words of the text promise each rule into promises.json,
which a failed check quotes. Read them once: where they promise something else, lesson.js
names the right ones in \`promised\`.

Exit code: 0 nothing, 1 something is missing, 3 it could not be done.`

/** @param {Given} given */
export async function run ({ values, positionals: [name], stdout, env }) {
  if (name !== undefined && !values.promises) {
    throw new WorkshopError(`check:content looks at all lessons: leave out "${name}", or say --promises ${name}.`)
  }
  const entries = name === undefined ? await findLessons({ env }) : [await resolveLesson(name, { env })]
  if (values.promises) {
    const shown = await Promise.all(entries.map(writePromises))
    stdout.write(shown.map(({ text }) => text).join(''))
    return shown.some(({ isWhole }) => !isWhole) ? 1 : 0
  }
  const root = lessonsRoot(env)
  const { findings: ofContent, proposals } = await findAll(entries, root)
  // The workshop's own code has `npm run lint` and `npm run types`.
  const findings = [...ofContent, ...root === workshopRoot ? [] : await checkCode(root)]
  const count = `${entries.length} ${entries.length === 1 ? 'lesson' : 'lessons'}`
  if (proposals.length > 0) stdout.write(`${linesOf(proposals)}\n\n`)
  if (findings.length === 0) {
    stdout.write(`${count}, nothing missing.\n`)
    return 0
  }
  stdout.write(`${linesOf(findings)}\n\n${count}, ${findings.length} to fix.\n`)
  return 1
}

/** @param {LessonEntry} entry @returns {Promise<{ text: string, isWhole: boolean }>} each rule with its words */
async function writePromises (entry) {
  const { lesson } = await loadLesson(entry)
  const text = await readText(path.join(entry.dir, 'README.md'), entry)
  const promises = findPromises(text, lesson)
  const words = wordsByRule(text, lesson)
  const file = path.join(entry.dir, 'promises.json')
  if (Object.keys(words).length > 0) await fs.writeFile(file, `${JSON.stringify(words, null, 2)}\n`)
  const lines = [...promises].map(([rule, words]) => {
    const how = lesson.promised?.[rule] === undefined ? 'found' : 'promised'
    return `  ${rule}\n    ${words === null ? 'nothing found' : `${how}: ${words}`}\n`
  })
  return { text: `${entry.folder}\n${lines.join('')}`, isWhole: ![...promises.values()].includes(null) }
}

/** @param {Finding[]} findings */
function linesOf (findings) {
  return findings.map(({ place, what }) => `${place}: ${what}`).join('\n')
}
