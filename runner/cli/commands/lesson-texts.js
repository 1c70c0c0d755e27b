import path from 'node:path'
import { WorkshopError } from '../../shared/errors.js'
import {
  foldDetails, loadLesson, readHints, readText, resolveLesson, sectionsIn, startingPointOf
} from '../../lesson/index.js'
import { diffText, filesText, markdownText } from '../../report/index.js'
import { shownPath } from '../../shared/text.js'
import { changeNotes, notYet, readProgress, readTree } from '../../workspace/index.js'
import { flag, say } from '../say.js'

/**
 * The commands that show what a learner reads of a lesson, and compares.
 *
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Command } from '../say.js'
 */

/** @type {Command} */
export const read = {
  options: { answers: flag },
  maxPositionals: 2,
  usage: 'npm run read lesson-N [-- --answers [SECTION]]',
  help: `Read a lesson's text here in the terminal.
Answers are folded, so that you can think first.
  --answers     the whole text, with all answers
  --answers 2   section 2 alone, with its answers
It's the file README.md in the lesson's folder under lessons/.`,

  async run ({ values, positionals: [name, section], stdout, env }) {
    const entry = await resolveLesson(name, { env })
    const text = await readText(path.join(entry.dir, 'README.md'), entry)
    const command = `npm run read lesson-${entry.number} -- --answers`
    if (section !== undefined && !values.answers) {
      throw new WorkshopError(`One lesson at a time, got "${section}" as well. For one section: \`${command} 2\`.`)
    }
    const shown = section !== undefined
      ? sectionOf(text, section, command)
      : values.answers ? text : foldDetails(text, (number) => `${command} ${number}`.trimEnd())
    stdout.write(`${markdownText(shown, { stream: stdout, dir: entry.dir })}\n`)
    return 0
  }
}

/** @param {string} text @param {string} number as it was given @param {string} command */
function sectionOf (text, number, command) {
  const found = sectionsIn(text).filter(({ title }) => /^\d+\. /.test(title))
  const section = found.find(({ title }) => title.startsWith(`${number}. `))
  if (section) return section.text
  const names = found.map(({ title }) => title.replace(/^(\d+)\. (.*)$/, '$1 ($2)')).join(', ')
  throw new WorkshopError(`There is no section "${number}" here${names && `: there are ${names}`}. ` +
    `All answers: \`${command}\`.`)
}

/** @type {Command} */
export const hint = {
  options: { all: flag, again: flag },
  maxPositionals: 1,
  usage: 'npm run hint lesson-N [-- --all | --again]',
  help: `Show the next hint, from gentle to plain.
  --again   show the last hint once more
  --all     show every hint`,

  async run ({ values, positionals, stdout, stderr, env }) {
    const entry = await resolveLesson(positionals[0], { env })
    const hints = await readHints(entry)
    const { hints: shown, state } = await readProgress(entry)
    const seen = Math.min(shown, hints.length)
    const next = values.again ? Math.max(1, seen) : seen + 1
    const [first, last] = values.all ? [1, hints.length] : [next, next]
    if (first > hints.length) {
      say(stdout, `You have seen all ${hints.length} hints of lesson ${entry.number} (${entry.id}).`,
        `Again: npm run hint lesson-${entry.number} -- --all`,
        `The solution: npm run solution lesson-${entry.number}${state === 'pass' ? '' : ' -- --anyway'}`)
      return 0
    }
    for (let number = first; number <= last; number++) {
      say(stdout, `Hint ${number} of ${hints.length} · lesson ${entry.number} (${entry.id})`)
      stdout.write(`\n${markdownText(hints[number - 1], { stream: stdout, dir: entry.dir })}\n\n`)
    }
    if (last < hints.length) say(stdout, `Still stuck? npm run hint lesson-${entry.number}`)
    if (last > seen) {
      // The hint has been shown: a failed note is no reason to fail.
      await changeNotes(entry, () => ({ hints: last })).catch((error) => {
        stderr.write(`This hint will be shown again next time. ${error.message}\n`)
      })
    }
    return 0
  }
}

/** @type {Command} */
export const solution = {
  options: { anyway: flag },
  maxPositionals: 1,
  usage: 'npm run solution lesson-N [-- --anyway]',
  help: `Show the reference solution: its code, and why it's written that way.
You see it once you've passed the lesson.
  --anyway   show it before that`,

  async run ({ values, positionals, stdout, env }) {
    const entry = await loadLesson(await resolveLesson(positionals[0], { env }))
    const { solutionDir: dir } = entry
    const show = (/** @type {string} */ markdown) => {
      stdout.write(`${markdownText(markdown, { stream: stdout, dir })}\n`)
    }
    const refusal = await refusalOf(entry, `npm run solution lesson-${entry.number}`)
    if (refusal !== null && !values.anyway) {
      show(refusal)
      return 0
    }
    // A failure does no harm.
    if (refusal !== null) await changeNotes(entry, () => ({ solutionShown: new Date().toISOString() })).catch(() => {})
    const files = await readTree(dir, { first: entry.file })
    files.delete('README.md')
    const text = await readText(path.join(dir, 'README.md'), entry)
    stdout.write(`${filesText({ dir, files }, { stream: stdout })}\n\n`)
    const anyway = values.anyway ? ' -- --anyway' : ''
    show(`${text}\n\nCompare it with yours: \`npm run diff lesson-${entry.number} solution${anyway}\``)
    return 0
  }
}

/** @param {LoadedLesson} entry @param {string} command @returns {Promise<string | null>} null: the solution is shown */
async function refusalOf (entry, command) {
  return notYet(entry, await readProgress(entry), { command, hints: (await readHints(entry)).length })
}

/** @type {Command} */
export const diff = {
  options: { anyway: flag },
  maxPositionals: 2,
  usage: 'npm run diff lesson-N [slow|solution] [-- --anyway]',
  help: `Show what you've changed, line by line.

  slow       against the slow server; without either, against what you started
             from, which is the same except in lesson 5
  solution   from yours to the reference solution, once you've passed the lesson
  --anyway   compare with the solution before that`,

  async run ({ values, positionals: [name, other], stdout, env }) {
    const entry = await loadLesson(await resolveLesson(name, { env }))
    const show = (/** @type {string} */ sentence) => {
      stdout.write(`${markdownText(sentence, { stream: stdout, dir: entry.dir })}\n`)
      return 0
    }
    const reference = comparedWith(entry, other)
    const isSolution = other === 'solution'
    const refusal = !isSolution || values.anyway
      ? null
      : await refusalOf(entry, `npm run diff lesson-${entry.number} solution`)
    if (refusal !== null) return show(refusal)

    const mine = { dir: entry.workspaceDir, files: await readTree(entry.workspaceDir, { first: entry.file }) }
    const place = shownPath(path.join(mine.dir, entry.file))
    if (mine.files.size === 0) {
      const check = `npm run check lesson-${entry.number}`
      return show(`You don’t have a copy yet: \`${check}\` makes it, in \`${shownPath(mine.dir)}\`.`)
    }
    const theirs = { dir: reference, files: await readTree(reference, { first: entry.file }) }
    // The write-up isn't part of the server.
    if (isSolution) theirs.files.delete('README.md')
    const [before, after] = isSolution ? [mine, theirs] : [theirs, mine]
    const text = await diffText(before, after, { stream: stdout })
    if (text === null) {
      return show(isSolution
        ? `Yours and the solution are the same, file by file: \`${place}\`.`
        : `You haven’t changed anything yet. Your file is \`${place}\`.`)
    }
    stdout.write(`${text}\n`)
    return 0
  }
}

/** @param {LoadedLesson} entry @param {string | undefined} other @returns {string} a folder */
function comparedWith (entry, other) {
  if (other === undefined || (other === 'slow' && entry.lesson.check !== undefined)) return startingPointOf(entry)
  if (other === 'slow') return entry.slowDir
  if (other === 'solution') return entry.solutionDir
  throw new WorkshopError(`“${other}” is neither slow nor solution: ${diff.usage}`)
}
