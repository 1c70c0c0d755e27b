import { stripVTControlCharacters } from 'node:util'
import { checkSyntax, isUnchanged, tryLoadPlan } from '../../check/index.js'
import { WorkshopError } from '../../errors.js'
import { grade, preview, stoppedSentence } from '../../grading/index.js'
import { benchOne } from '../../load/index.js'
import { inTurn } from '../../process/index.js'
import { runProfile } from '../../profiling/index.js'
import { newSeed } from '../../random.js'
import { formatNumber, marks } from '../../report/browser.js'
import { sayUnchanged } from '../../report/index.js'
import { readProgress, requireUnfinished } from '../../workspace/index.js'
import { longerSeconds } from '../longer.js'
import { profileTools } from './job-options.js'

/**
 * What a job of each kind does.
 *
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { ByHand } from '../../load/index.js'
 * @import { JobKind } from '../../process/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { JobOptions } from './job-options.js'
 *
 * @typedef {object} Given
 * @property {LoadedLesson} entry
 * @property {string} dir the learner's copy
 * @property {() => void} onStart its turn has come
 * @property {(event: CheckProgress) => void} onProgress
 * @property {(sentence: string) => void} say
 * @property {AbortSignal} signal
 * @property {number} [seconds] how long a check's rounds, a benchmark or a profile may take
 *
 * @typedef {Given & JobOptions} HandlerGiven
 *
 * @typedef {{ message: string, isStopped?: boolean, record?: ResultRecord, result?: unknown }} Done isStopped: it was
 *   aborted, and the verdict stays as it is
 *
 * @typedef {Record<JobKind, (given: HandlerGiven) => Promise<Done>>} Handlers
 */

/** How long a benchmark and a profile take, s. */
const benchSeconds = 5
const profileSeconds = 3

const where = 'in the browser'

/** @type {Handlers} */
export const handlers = {
  async check ({ entry, dir, more = false, seconds, say, ...given }) {
    const earlier = more ? await requireUnfinished(entry, dir) : undefined
    const { last } = await readProgress(entry)
    const { record, said, isStopped } = await grade({
      ...given,
      entry,
      dir,
      where,
      isKept: true,
      earlier,
      budgetMs: inMs(earlier && last ? longerSeconds(last) : seconds),
      onWait: say
    })
    const stopped = isStopped ? [stoppedSentence(entry.number, true)] : []
    return { message: [...stopped, ...said].join(' '), isStopped, record }
  },

  async preview ({ say, ...given }) {
    const { record, isUnchanged } = await preview({ ...given, where, onWait: say })
    return { message: isUnchanged ? sayUnchanged(record.gates[0], marks) : '', record }
  },

  async bench (given) {
    const { seconds = benchSeconds } = given
    return measure('bench', given, async ({ entry, dir, load: loadName, connections, signal }) => {
      const options = { entry, dir, seed: newSeed(), signal }
      if (entry.lesson.kind === 'load plan') {
        const result = await tryLoadPlan({ ...options, longestMs: seconds * 1000 })
        return { message: result.problems[0] ?? `All ${result.answers} answers were right.`, result }
      }
      const result = withoutColour(await benchOne({ ...options, loadName, connections, seconds }))
      return { message: sayBench(result), result }
    })
  },

  async profile (given) {
    return measure('profile', given, async (asked) => {
      const { entry, dir, server, tool = profileTools[0], load, compare, say, signal } = asked
      const isSlow = server === 'slow'
      const { sections } = await runProfile({
        tool,
        entry,
        dir,
        which: isSlow ? 'the slow server' : 'your server',
        stem: server,
        loadName: load,
        compare: tool === 'cpu' && !isSlow && (compare || !isUnchanged(entry, dir)),
        all: true,
        seconds: asked.seconds ?? profileSeconds,
        say,
        signal
      })
      return { message: await sayProfile(sections, entry), result: { sections } }
    })
  }
}

/** @param {number} [seconds] */
function inMs (seconds) {
  return seconds && 1000 * seconds
}

/** @param {ByHand} result */
function sayBench ({ figures: { latency }, answers, rate, problems }) {
  const [shownRate, p99] = [rate, latency.p99].map((figure) => formatNumber(figure, marks.none))
  return `${shownRate} requests/s, p99 ${p99} ms. ${problems[0] ?? `All ${answers} answers were right.`}`
}

/** A profile mustn't give the answer of a prediction away. @param {Section[]} sections @param {LoadedLesson} entry */
async function sayProfile (sections, entry) {
  if ((await readProgress(entry)).prediction === null) {
    return 'It’s recorded. Write your prediction down, and the profile answers it.'
  }
  // Compared, the first section is the slow server's.
  return (sections.find(({ title }) => title === 'Reading' || title === 'Yours') ?? sections[0])?.text?.[0] ?? ''
}

/**
 * Jobs without a record, one at a time.
 *
 * @param {JobKind} kind
 * @param {HandlerGiven} given
 * @param {(given: HandlerGiven) => Promise<Done>} act
 * @throws {WorkshopError} the server has a syntax error, reported without waiting for a turn
 */
async function measure (kind, given, act) {
  const { entry, dir, onStart, say, signal } = given
  const broken = given.server === 'slow' ? null : await checkSyntax({ entry, dir, signal })
  if (broken !== null) throw new WorkshopError(broken.reason)
  const done = await inTurn({ about: { kind, entry, dir }, where, tell: say, signal }, async () => {
    onStart()
    return act(given)
  })
  signal.throwIfAborted()
  return done
}

/** autocannon looks at our terminal. @template {{ table: string, counts: string }} T @param {T} given @returns {T} */
function withoutColour (given) {
  const { table, counts } = given
  return { ...given, table: stripVTControlCharacters(table), counts: stripVTControlCharacters(counts) }
}
