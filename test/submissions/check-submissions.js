import { findLessons, resolveLesson } from '../../runner/lesson/index.js'
import { inTurn, makeTemporary } from '../../runner/system/index.js'
import { ofShard } from '../shard.js'
import { withAnswers } from './answers.js'
import { isOfAnswers, ownServers, readSubmissions } from './cases.js'
import { trySubmission } from './in-full.js'

/**
 * @import { Given } from '../../runner/cli/types.js'
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { Submission } from './cases.js'
 *
 * @typedef {{ isFault: boolean, line: string }} Tried
 */

export const options = {
  'no-speed': { type: /** @type {const} */ ('boolean') },
  only: { type: /** @type {const} */ ('string') },
  shard: { type: /** @type {const} */ ('string') }
}

export const maxPositionals = 1
export const leastPositionals = 0

export const namesNoCommand = true

export const isForAuthors = true

export const usage =
  'npm run check:submissions [-- lesson-N] [-- --no-speed] [--only TEXT] [--shard 1/4] [--lessons DIR]'

export const help = `For authors: is every wrong submission refused for its reason, and every right one accepted?
Checks all that test/submissions has, of one lesson or of all, and says in a line each what came of it.

  --no-speed    try answers alone, in a few seconds each: leave out what only a gate or the load shows
  --only TEXT   those with that in their title
  --shard 1/4   every fourth of them

Exit code: 0 all as they should be, 1 some are not, 3 it could not be done.`

/** Checks of one lesson wait while those of the other work. */
const lessonsAtOnce = 2

/** @param {Given} given */
export async function run ({ values, positionals: [asked], stdout, stderr, env, signal }) {
  const entries = asked === undefined ? await findLessons({ env }) : [await resolveLesson(asked, { env })]
  const { dir, remove } = await makeTemporary()
  try {
    const about = 'a check of all submissions'
    const tell = (/** @type {string} */ sentence) => { stderr.write(`${sentence}\n`) }
    return await inTurn({ about, tell, signal }, async () => {
      const all = (await readSubmissions(dir, entries)).filter(({ title }) => title.includes(values.only ?? ''))
      const counts = { tried: 0, faults: 0 }
      const onTried = (/** @type {Tried} */ { isFault, line }) => {
        counts.tried++
        if (isFault) counts.faults++
        stdout.write(`${line}\n`)
      }
      const chosen = ofShard(values['no-speed'] ? all.filter(isOfAnswers) : all, values.shard ?? '1/1')
      await (values['no-speed'] ? tryAllAnswers : tryAllInFull)(chosen, { signal, onTried })
      stdout.write(`\n${sumUp(counts.tried, counts.faults)}\n`)
      return counts.faults > 0 ? 1 : 0
    })
  } finally {
    await remove()
  }
}

/**
 * By their answers alone, and with them the lesson's own servers.
 *
 * @param {Submission[]} submissions
 * @param {{ signal: AbortSignal, onTried: (tried: Tried) => void }} options
 */
async function tryAllAnswers (submissions, { signal, onTried }) {
  const entries = [...new Set(submissions.map(({ entry }) => entry))]
  await Promise.all(Array.from({ length: lessonsAtOnce }, async () => {
    for (let entry = entries.shift(); entry; entry = entries.shift()) {
      const own = entry.lesson.kind === 'load plan' ? [] : ownServers(entry)
      const tried = [...own, ...submissions.filter((one) => one.entry === entry)]
      await withAnswers(entry, { signal }, async (tryAnswers) => {
        for (const one of tried) {
          signal.throwIfAborted()
          onTried(await unlessTooOld(one, () =>
            timed(one.title, one.expected === null ? 'right' : 'refused', () => tryAnswers(one))))
        }
      })
    }
  }))
}

/**
 * @param {string} title
 * @param {string} asItShould what it is without a fault
 * @param {() => Promise<string | null>} act
 */
async function timed (title, asItShould, act) {
  const startedAt = performance.now()
  const fault = await act()
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  const said = fault === null ? `✓ ${title}: ${asItShould}, ${seconds}.` : `✗ ${title}: ${fault} (${seconds})`
  return { isFault: fault !== null, line: said }
}

/** @param {Submission[]} submissions @param {{ signal: AbortSignal, onTried: (tried: Tried) => void }} options */
async function tryAllInFull (submissions, { signal, onTried }) {
  for (const submission of submissions) {
    signal.throwIfAborted()
    onTried(await unlessTooOld(submission, async () => {
      const { record, fault } = await trySubmission(submission, { signal })
      return { isFault: fault !== null, line: lineOf(submission.title, record, fault) }
    }))
  }
}

/**
 * Some can't be tried with this version of Node.js.
 *
 * @param {{ title: string, skip?: string | false }} submission
 * @param {() => Promise<Tried>} act
 * @returns {Promise<Tried>}
 */
async function unlessTooOld ({ title, skip }, act) {
  return skip ? { isFault: false, line: `- ${title}: ${skip}` } : act()
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
