import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../../shared/errors.js'
import { lessonsBelow, lessonsRoot, workspaceRoot } from '../../lesson/index.js'
import { sectionsText } from '../../report/index.js'
import { shownPath } from '../../shared/text.js'
import { workshopRoot } from '../../shared/workshop.js'
import { nameLesson, readJson, writeFileAtomic, writeLesson } from '../../workspace/index.js'
import { ask, say, text } from '../say.js'

/**
 * Lessons of one's own: a new one, and whether those in a pack are trusted.
 *
 * @import { Section } from '../../report/index.js'
 * @import { NewLesson } from '../../workspace/index.js'
 * @import { Command, Given } from '../say.js'
 */

/** @type {Command} */
export const newLesson = {
  options: { number: text },
  maxPositionals: 1,
  isForAuthors: true,
  usage: 'npm run new-lesson my-topic [-- --number N] [--lessons DIR]',
  help: `For authors: write a small lesson that works at once, for you to turn into your own.
It changes no existing file.

  my-topic     what it's about: lower-case letters, digits and dashes
  --number N   default: the next one

With --lessons it goes into that folder, a lesson pack; a new or empty folder becomes one.
docs/authors.md says what belongs in each file.`,

  async run ({ values, positionals, stdout, env }) {
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

/**
 * Before a lesson pack is used for the first time: its lessons are programs. The answer is kept next to the workshop's
 * own workspace, where a pack can't supply it.
 *
 * @param {string} dir as `--lessons` names it
 * @param {Pick<Given, 'env' | 'stdout' | 'signal'> & { isTrusted: boolean }} given isTrusted: `--trust` was given
 * @throws {WorkshopError} the user declines, or can't be asked
 */
export async function requireTrust (dir, { env, stdout, signal, isTrusted }) {
  const pack = await fs.realpath(dir).catch(() => null)
  if (pack === null || pack === await fs.realpath(workshopRoot)) return
  const packs = await trustedPacks(env)
  if (packs.includes(pack)) return
  if (!isTrusted) {
    const unasked = `The lessons in ${pack} are programs that run with your rights, and you can’t be asked here: ` +
      '--trust says that you trust who wrote them.'
    if (process.stdin.isTTY) {
      say(stdout, `The lessons in ${pack} are programs. Commands run their lesson.js, slow servers and solutions ` +
        'with your rights: use them only if you trust who wrote them.')
    }
    if (!await ask('Run them?', { stdout, signal, unasked })) {
      throw new WorkshopError(`Nothing of ${pack} was run: leave out --lessons to use the workshop’s own lessons.`)
    }
  }
  await trustPack(pack, env)
}

/** Remembers a yes. @param {string} dir of a pack @param {NodeJS.ProcessEnv} env */
async function trustPack (dir, env) {
  const packs = new Set([...await trustedPacks(env), await fs.realpath(dir)])
  await writeFileAtomic(fileOf(env), `${JSON.stringify({ version: 1, packs: [...packs] }, null, 2)}\n`)
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<string[]>} */
async function trustedPacks (env) {
  const { value } = await readJson(fileOf(env))
  return Array.isArray(value?.packs) ? value.packs : []
}

/** @param {NodeJS.ProcessEnv} env */
function fileOf (env) {
  return path.join(workspaceRoot(env, workshopRoot), 'trusted-packs.json')
}
