import { findLessons, resolveLesson } from '../../runner/lesson/index.js'
import { inTurn, makeTemporary } from '../../runner/process/index.js'
import { ofShard } from '../shard.js'
import { withAnswers } from './answers.js'
import { isOfAnswers, ownServers, readSubmissions } from './cases.js'
import { trySubmission } from './in-full.js'

/**
 * @import { Given } from '../../runner/cli/say.js'
 * @import { ResultRecord } from '../../runner/judge/index.js'
 * @import { Submission } from './cases.js'
 *
 * @typedef {Pick<Submission, 'title' | 'entry' | 'folder' | 'skip' | 'expected'> & { knownToFail?: string[] }} Case
 * @typedef {{ title: string, isFault: boolean, line: string }} Tried
 *
 * @typedef {object} Options
 * @property {AbortSignal} signal
 * @property {(tried: Tried) => void} onTried
 * @property {(line: string) => void} note
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
      const submissions = await readSubmissions(dir, entries)
      const all = (values['no-speed'] ? withOwnServers(submissions.filter(isOfAnswers)) : submissions)
        .filter(({ title }) => title.includes(values.only ?? ''))
      /** @type {Tried[]} */
      const tried = []
      const note = (/** @type {string} */ line) => { stdout.write(`${line}\n`) }
      const onTried = (/** @type {Tried} */ one) => {
        tried.push(one)
        note(one.line)
      }
      const chosen = ofShard(all, values.shard ?? '1/1')
      await (values['no-speed'] ? tryAllAnswers : tryAllInFull)(chosen, { signal, onTried, note })
      note(`\n${sumUp(tried, values['no-speed'] ? ' --no-speed' : '')}`)
      return tried.some(({ isFault }) => isFault) ? 1 : 0
    })
  } finally {
    await remove()
  }
}

/** @param {Submission[]} submissions @returns {Case[]} before those of each lesson its own two servers */
function withOwnServers (submissions) {
  return entriesOf(submissions).flatMap((entry) => {
    const servers = entry.lesson.check !== undefined ? [] : ownServers(entry)
    return [
      ...servers.map((own) => ({ ...own, entry, skip: /** @type {const} */ (false) })),
      ...submissions.filter((one) => one.entry === entry)
    ]
  })
}

/** @template {Pick<Case, 'entry'>} T @param {T[]} cases */
function entriesOf (cases) {
  return [...new Set(cases.map(({ entry }) => entry))]
}

/**
 * By their answers alone. Some checks look at the clock, and another lesson's work can hold up what they time: what
 * isn't as it should be is tried once more, alone, and only that counts.
 *
 * @param {Case[]} cases
 * @param {Options} options
 */
async function tryAllAnswers (cases, { signal, onTried, note }) {
  /** @type {Case[]} */
  const again = []
  const tryLesson = async (/** @type {Case[]} */ some, /** @type {(one: Case, tried: Tried) => void} */ use) => {
    await withAnswers(some[0].entry, { signal }, async (tryAnswers) => {
      for (const one of some) {
        signal.throwIfAborted()
        use(one, await unlessTooOld(one, () =>
          timed(one.title, one.expected === null ? 'right' : 'refused', () => tryAnswers(one))))
      }
    })
  }
  const lessons = byLesson(cases)
  await Promise.all(Array.from({ length: lessonsAtOnce }, async () => {
    for (let some = lessons.shift(); some; some = lessons.shift()) {
      await tryLesson(some, (one, tried) => {
        if (!tried.isFault) return onTried(tried)
        again.push(one)
        note(`${tried.line.replace('✗', '?')} It’s tried again at the end, alone.`)
      })
    }
  }))
  for (const some of byLesson(again)) await tryLesson(some, (_, tried) => onTried(tried))
}

/** @param {Case[]} cases */
function byLesson (cases) {
  return entriesOf(cases).map((entry) => cases.filter((one) => one.entry === entry))
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
  return { title, isFault: fault !== null, line: said }
}

/** @param {Case[]} submissions @param {Options} options */
async function tryAllInFull (submissions, { signal, onTried }) {
  for (const submission of submissions) {
    signal.throwIfAborted()
    onTried(await unlessTooOld(submission, async () => {
      const { record, fault } = await trySubmission(submission, { signal })
      const { title } = submission
      return { title, isFault: fault !== null, line: lineOf(title, record, fault) }
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
  return skip ? { title, isFault: false, line: `- ${title}: ${skip}` } : act()
}

/** Pure. @param {string} title @param {ResultRecord} record @param {string | null} fault */
export function lineOf (title, { verdict, reason, durationMs, seed }, fault) {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`
  return fault === null
    ? `✓ ${title}: ${verdict}, ${seconds}. ${reason}`
    : `✗ ${title}: ${fault.split('\n')[0]} (${verdict}, ${seconds}, seed ${seed})`
}

/**
 * A count; what isn't as it should be once more, since its line may be far above; and how to try that again. Pure.
 *
 * @param {Tried[]} tried
 * @param {string} [flags] of the command
 */
export function sumUp (tried, flags = '') {
  if (tried.length === 0) return 'There are no submissions to try: docs/authors.md says how to write some.'
  const count = `${tried.length} ${tried.length === 1 ? 'submission' : 'submissions'} tried`
  const faults = tried.filter(({ isFault }) => isFault)
  if (faults.length === 0) return `${count}, all as they should be.`
  return [
    ...faults.map(({ line }) => line),
    '',
    'Try one again, with the same seed:',
    ...faults.map(({ title }) => `  npm run check:submissions --${flags} --only "${title}"`),
    '',
    `${count}, ${faults.length} not as they should be.`
  ].join('\n')
}
