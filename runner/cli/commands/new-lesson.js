import fs from 'node:fs/promises'
import path from 'node:path'
import { lessonsBelow, lessonsRoot } from '../../lesson/index.js'
import { sectionsText } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { workshopRoot } from '../../workshop.js'
import { nameLesson, writeLesson } from '../../workspace/index.js'
import { trustPack } from '../trust-pack.js'

/**
 * @import { NewLesson } from '../../workspace/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { Flag, Given } from '../say.js'
 */

/** @type {Record<string, Flag>} */
export const options = { number: { type: 'string' } }

export const maxPositionals = 1

export const isForAuthors = true

export const usage = 'npm run new-lesson my-topic [-- --number N] [--lessons DIR]'

export const help = `For authors: write a small lesson that works at once, for you to turn into your own.
It changes no existing file.

  my-topic     what it's about: lower-case letters, digits and dashes
  --number N   default: the next one

With --lessons it goes into that folder, a lesson pack; a new or empty folder becomes one.
docs/authors.md says what belongs in each file.`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env }) {
  const root = lessonsRoot(env)
  const folders = (await lessonsBelow(root)).map(({ folder }) => folder)
  const lesson = nameLesson({ topic: positionals[0], number: values.number, folders })
  const before = await fs.readdir(root).catch(() => [])
  await writeLesson(lesson, root)
  // All that is in it then is ours.
  if (before.length === 0) await trustPack(root, env)
  stdout.write(`${sectionsText(nextSteps(lesson, root), { stream: stdout })}\n`)
  return 0
}

/** @param {NewLesson} lesson @param {string} root @returns {Section[]} */
function nextSteps ({ number, folder }, root) {
  const check = `npm run check lesson-${number}`
  return [
    { title: `Lesson ${number}`, text: [`It is in ${shownPath(root)}, and works as it is.`] },
    {
      title: 'Change',
      text: [
        `1. slow-servers/${folder}/server.js: slow for one reason`,
        `2. solutions/${folder}/server.js: the fix`,
        `3. lessons/${folder}/lesson.js: data, operations, loads, gates`,
        `4. lessons/${folder}/README.md: the text; it promises all that is checked`,
        `5. lessons/${folder}/hints.md: from gentle to plain`,
        `6. solutions/${folder}/README.md: the write-up`,
        `7. test/submissions/${folder}: right and wrong fixes, to try the check`
      ]
    },
    {
      title: 'Try it',
      text: [
        `passes: ${check} -- --server solutions`,
        `fails: ${check} -- --server slow-servers`,
        'says what is missing: npm run check:content'
      ]
    },
    { title: 'Read', text: [shownPath(path.join(workshopRoot, 'docs', 'authors.md'))] }
  ]
}
