import { stripVTControlCharacters } from 'node:util'
import { checkSyntax, isUnchanged, tryLoadPlan } from '../../check/index.js'
import { WorkshopError } from '../../errors.js'
import { grade, preview, stoppedSentence } from '../../grading/index.js'
import { benchOne } from '../../load/index.js'
import { runProfile } from '../../profiling/index.js'
import { newSeed } from '../../random.js'
import { sayUnchanged, unicodeMarks } from '../../report/index.js'
import { inTurn } from '../../system/index.js'
import { requireUnfinished } from '../../workspace/index.js'

/**
 * What a job of each kind does.
 *
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { JobKind } from '../../system/index.js'
 *
 * @typedef {object} HandlerGiven
 * @property {LoadedLesson} entry
 * @property {string} dir the learner's copy
 * @property {string} [tool] of a profile
 * @property {boolean} [more] go on with the rounds of the last check
 * @property {() => void} onStart its turn has come
 * @property {(event: CheckProgress) => void} onProgress
 * @property {(sentence: string) => void} say
 * @property {AbortSignal} signal
 *
 * @typedef {{ message: string, isStopped?: boolean, record?: ResultRecord, result?: unknown }} Done isStopped: it was
 *   aborted, and what is known stands
 */

/** How long a look at the figures by hand takes, and a profile, s. */
const benchSeconds = 5
const profileSeconds = 3

/** What a profile may be made with here: where the time goes, and what grows. The first is the default. */
export const profileTools = ['cpu', 'trace']

const where = 'in the browser'

/** @type {Record<JobKind, (given: HandlerGiven) => Promise<Done>>} */
export const handlers = {
  async check ({ entry, dir, more = false, say, ...given }) {
    const earlier = more ? await requireUnfinished(entry, dir) : undefined
    const { record, said, isStopped } = await grade({
      ...given,
      entry,
      dir,
      where,
      isKept: true,
      earlier,
      onWait: say
    })
    const stopped = isStopped ? [stoppedSentence(entry.number, true)] : []
    return { message: [...stopped, ...said].join(' '), isStopped, record }
  },

  async preview ({ say, ...given }) {
    const { record, isUnchanged } = await preview({ ...given, where, onWait: say })
    return { message: isUnchanged ? sayUnchanged(record.gates[0], unicodeMarks) : '', record }
  },

  async bench (given) {
    return measure('bench', given, async ({ entry, dir, signal }) => {
      const options = { entry, dir, seed: newSeed(), signal }
      const result = entry.lesson.kind === 'load plan'
        ? await tryLoadPlan({ ...options, longestMs: benchSeconds * 1000 })
        : withoutColour(await benchOne({ ...options, seconds: benchSeconds }))
      return { message: result.problems[0] ?? `All ${result.answers} answers were right.`, result }
    })
  },

  async profile (given) {
    return measure('profile', given, async ({ entry, dir, tool = profileTools[0], say, signal }) => {
      const compare = tool === 'cpu' && !isUnchanged(entry, dir)
      const { sections } = await runProfile({
        tool,
        entry,
        dir,
        compare,
        all: true,
        seconds: profileSeconds,
        say,
        signal
      })
      return { message: '', result: { sections } }
    })
  }
}

/**
 * What makes no record, in turn.
 *
 * @param {JobKind} kind
 * @param {HandlerGiven} given
 * @param {(given: HandlerGiven) => Promise<Done>} act
 * @throws {WorkshopError} the server has a syntax error, which is told without waiting for a turn
 */
async function measure (kind, given, act) {
  const { entry, dir, onStart, say, signal } = given
  const broken = await checkSyntax({ entry, dir, signal })
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
