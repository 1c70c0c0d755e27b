import path from 'node:path'
import { readHints, resolveLesson } from '../../lesson/index.js'
import { shownPath } from '../../shown-path.js'
import { readShownHints, saveShownHints } from '../../workspace/index.js'

/** @import { Given, Output } from '../main.js' */

export const options = {
  all: { type: /** @type {const} */ ('boolean') },
  again: { type: /** @type {const} */ ('boolean') }
}

export const maxPositionals = 1

export const usage = 'npm run hint lesson-N [-- --all | --again]'

export const help = `Show the next hint, from gentle to plain.
  --again   show the hint that you saw last once more
  --all     show every hint`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, stderr, env }) {
  const entry = await resolveLesson(positionals[0], { env })
  const hints = await readHints(entry, { width: Math.max(20, stdout.columns ?? 80) })
  const seen = Math.min(await readShownHints(entry), hints.length)
  const { first, last } = choose({ values, seen, count: hints.length })

  if (first > hints.length) {
    stdout.write(`You have seen all ${hints.length} hints of lesson ${entry.number} (${entry.id}).\n` +
      `Read them again: npm run hint lesson-${entry.number} -- --all\n` +
      `See one way to do it: ${shownPath(path.join(entry.solutionDir, 'README.md'))}\n`)
    return 0
  }
  for (let number = first; number <= last; number++) {
    stdout.write(`Hint ${number} of ${hints.length} · lesson ${entry.number} (${entry.id})\n\n${hints[number - 1]}\n\n`)
  }
  if (last < hints.length) stdout.write(`Still stuck? The next hint: npm run hint lesson-${entry.number}\n`)
  if (last > seen) await remember(entry, last, stderr)
  return 0
}

/**
 * @param {{ values: Record<string, any>, seen: number, count: number }} given
 * @returns {{ first: number, last: number }} numbers of hints, from 1; first is past the end when none is left
 */
function choose ({ values, seen, count }) {
  if (values.all) return { first: 1, last: count }
  const number = values.again ? Math.max(1, seen) : seen + 1
  return { first: number, last: number }
}

/** @param {Parameters<typeof saveShownHints>[0]} entry @param {number} shown @param {Output} stderr */
async function remember (entry, shown, stderr) {
  try {
    await saveShownHints(entry, shown)
  } catch (error) {
    // The hint is on the screen: that the workshop cannot take a note is no reason to fail.
    stderr.write(`This hint will be shown again next time. ${error.message}\n`)
  }
}
