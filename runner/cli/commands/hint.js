import { readHints, resolveLesson } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'
import { changeNotes, readProgress } from '../../workspace/index.js'
import { say } from '../say.js'

/**
 * @import { LessonEntry } from '../../lesson/index.js'
 * @import { Flag, Given, Output } from '../say.js'
 */

/** @type {Record<string, Flag>} */
export const options = {
  all: { type: 'boolean' },
  again: { type: 'boolean' }
}

export const maxPositionals = 1

export const usage = 'npm run hint lesson-N [-- --all | --again]'

export const help = `Show the next hint, from gentle to plain.
  --again   show the last hint once more
  --all     show every hint`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, stderr, env }) {
  const entry = await resolveLesson(positionals[0], { env })
  const hints = await readHints(entry)
  const { hints: shown, state } = await readProgress(entry)
  const seen = Math.min(shown, hints.length)
  const { first, last } = choose({ values, seen, count: hints.length })

  if (first > hints.length) {
    say(stdout, `You have seen all ${hints.length} hints of lesson ${entry.number} (${entry.id}).`)
    say(stdout, `Again: npm run hint lesson-${entry.number} -- --all`)
    say(stdout, `The solution: npm run solution lesson-${entry.number}${state === 'pass' ? '' : ' -- --anyway'}`)
    return 0
  }
  for (let number = first; number <= last; number++) {
    const text = markdownText(hints[number - 1], { stream: stdout, dir: entry.dir })
    say(stdout, `Hint ${number} of ${hints.length} · lesson ${entry.number} (${entry.id})`)
    stdout.write(`\n${text}\n\n`)
  }
  if (last < hints.length) say(stdout, `Still stuck? npm run hint lesson-${entry.number}`)
  if (last > seen) await remember(entry, last, stderr)
  return 0
}

/**
 * @param {{ values: Record<string, any>, seen: number, count: number }} given
 * @returns {{ first: number, last: number }} numbers of hints, from 1; first is past the end if none is left
 */
function choose ({ values, seen, count }) {
  if (values.all) return { first: 1, last: count }
  const number = values.again ? Math.max(1, seen) : seen + 1
  return { first: number, last: number }
}

/** @param {LessonEntry} entry @param {number} shown @param {Output} stderr */
async function remember (entry, shown, stderr) {
  try {
    await changeNotes(entry, () => ({ hints: shown }))
  } catch (error) {
    // The hint has been shown: a failed note is no reason to fail.
    stderr.write(`This hint will be shown again next time. ${error.message}\n`)
  }
}
