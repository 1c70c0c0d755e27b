import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { loadLesson, readHints, resolveLesson, startingPointOf } from '../../lesson/index.js'
import { diffText, markdownText } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { notYet, readProgress, readTree } from '../../workspace/index.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Flag, Given } from '../say.js'
 */

/** @type {Record<string, Flag>} */
export const options = { anyway: { type: 'boolean' } }

export const maxPositionals = 2

export const usage = 'npm run diff lesson-N [slow|solution] [-- --anyway]'

export const help = `Show what you've changed, line by line.

  slow       against the slow server; without either, against what you started
             from, which is the same except in lesson 5
  solution   from yours to the reference solution, once you've passed the lesson
  --anyway   compare with the solution before that`

/** @param {Given} given */
export async function run ({ values, positionals: [name, other], stdout, env }) {
  const entry = await loadLesson(await resolveLesson(name, { env }))
  const say = (/** @type {string} */ sentence) => {
    stdout.write(`${markdownText(sentence, { stream: stdout, dir: entry.dir })}\n`)
    return 0
  }
  const reference = folderOf(entry, other)
  const refusal = other !== 'solution' || values.anyway
    ? null
    : notYet(entry, await readProgress(entry), {
      command: `npm run diff lesson-${entry.number} solution`,
      hints: (await readHints(entry)).length
    })
  if (refusal !== null) return say(refusal)

  const mine = { dir: entry.workspaceDir, files: await readTree(entry.workspaceDir, { first: entry.file }) }
  const place = shownPath(path.join(mine.dir, entry.file))
  if (mine.files.size === 0) {
    const check = `npm run check lesson-${entry.number}`
    return say(`You don’t have a copy yet: \`${check}\` makes it, in \`${shownPath(mine.dir)}\`.`)
  }
  const theirs = { dir: reference, files: await readTree(reference, { first: entry.file }) }
  // The write-up isn't part of the server.
  if (other === 'solution') theirs.files.delete('README.md')
  const [before, after] = other === 'solution' ? [mine, theirs] : [theirs, mine]
  const text = await diffText(before, after, { stream: stdout })
  if (text === null) {
    return say(other === 'solution'
      ? `Yours and the solution are the same, file by file: \`${place}\`.`
      : `You haven’t changed anything yet. Your file is \`${place}\`.`)
  }
  stdout.write(`${text}\n`)
  return 0
}

/** @param {LoadedLesson} entry @param {string | undefined} other */
function folderOf (entry, other) {
  if (other === undefined || (other === 'slow' && entry.lesson.kind === 'load plan')) return startingPointOf(entry)
  if (other === 'slow') return entry.slowDir
  if (other === 'solution') return entry.solutionDir
  throw new WorkshopError(`“${other}” is neither slow nor solution: ${usage}`)
}
