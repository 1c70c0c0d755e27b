import { findLessons, resolveLesson } from '../../runner/lesson/index.js'
import { inTurn, makeTemporary } from '../../runner/system/index.js'
import { readSubmissions } from './cases.js'
import { trySubmission } from './try-submission.js'

/**
 * @import { Given } from '../../runner/cli/types.js'
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { Submission } from './cases.js'
 */

export const options = { 'no-speed': { type: /** @type {const} */ ('boolean') } }

export const maxPositionals = 1
export const leastPositionals = 0

export const namesNoCommand = true

export const isForAuthors = true

export const usage = 'npm run check:submissions [-- lesson-N] [-- --no-speed] [--lessons DIR]'

export const help = `For authors: is every wrong submission refused for its reason, and every right one accepted?
Checks all that test/submissions has, of one lesson or of all, and says in a line each what came of it.

  --no-speed   leave out what only a gate or the load shows: some seconds each

Exit code: 0 all as they should be, 1 some are not, 3 it could not be done.`

/** @param {Given} given */
export async function run ({ values, positionals: [asked], stdout, stderr, env, signal }) {
  const entries = asked === undefined ? await findLessons({ env }) : [await resolveLesson(asked, { env })]
  const { dir, remove } = await makeTemporary()
  try {
    const about = 'a check of all submissions'
    const tell = (/** @type {string} */ sentence) => { stderr.write(`${sentence}\n`) }
    return await inTurn({ about, tell, signal }, async () => {
      const all = await readSubmissions(dir, entries)
      const tried = values['no-speed'] ? all.filter(isForAnswers) : all
      let faults = 0
      for (const submission of tried) {
        signal.throwIfAborted()
        const { isFault, line } = await tryOne(submission, { signal, speed: !values['no-speed'] })
        if (isFault) faults++
        stdout.write(`${line}\n`)
      }
      stdout.write(`\n${sumUp(tried.length, faults)}\n`)
      return faults > 0 ? 1 : 0
    })
  } finally {
    await remove()
  }
}

/** @param {Submission} submission is it right, or wrong by its answers without load? */
function isForAnswers ({ expected }) {
  return expected === null || (expected.refusedBy === 'contract' && !expected.underLoad)
}

/** @param {Submission} submission @param {{ signal: AbortSignal, speed: boolean }} options */
async function tryOne (submission, { signal, speed }) {
  const { title, skip, expected } = submission
  if (skip) return { isFault: false, line: `- ${title}: ${skip}` }
  const isRight = expected === null && !speed
  const { record, fault } = await trySubmission(submission, { signal, ...isRight && { ways: [{ speed: false }] } })
  return { isFault: fault !== null, line: lineOf(title, record, fault) }
}

/** Pure. @param {string} title @param {ResultRecord} record @param {string | null} fault */
export function lineOf (title, { verdict, reason, durationMs, seed }, fault) {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`
  return fault === null
    ? `✓ ${title}: ${verdict}, ${seconds}. ${reason}`
    : `✗ ${title}: ${fault.split('\n')[0]} (${verdict}, ${seconds}, seed ${seed})`
}

/** Pure. @param {number} count @param {number} faults */
export function sumUp (count, faults) {
  if (count === 0) return 'There are no submissions to try: docs/authors.md says how to write some.'
  const tried = `${count} ${count === 1 ? 'submission' : 'submissions'} tried`
  return faults === 0 ? `${tried}, all as they should be.` : `${tried}, ${faults} not as they should be.`
}
