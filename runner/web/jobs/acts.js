import { stripVTControlCharacters } from 'node:util'
import { checkSyntax, isUnchanged, runCheck, tryPlan } from '../../check/index.js'
import { WorkshopError } from '../../errors.js'
import { benchOne } from '../../load/index.js'
import { runProfile } from '../../profiling/index.js'
import { newSeed } from '../../random.js'
import { sayUnchanged, unicodeMarks } from '../../report/index.js'
import { reportCheck } from '../../seat/index.js'
import { keepOrDrop, requireUnfinished, saveResult } from '../../workspace/index.js'

/**
 * What a job of each kind does.
 *
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { JobKind } from '../../system/index.js'
 *
 * @typedef {object} ActGiven
 * @property {LoadedLesson} entry
 * @property {string} dir the learner's copy
 * @property {string} [tool] of a profile
 * @property {boolean} [more] go on with the rounds of the last check
 * @property {(event: CheckProgress) => void} onProgress
 * @property {(sentence: string) => void} say
 * @property {AbortSignal} signal
 *
 * @typedef {{ message: string, record?: ResultRecord, result?: unknown }} Done
 */

/** How long a look at the figures by hand takes, and a profile, s. */
const benchSeconds = 5
const profileSeconds = 3

/** What a profile may be made with here: where the time goes, and what grows. The first is the default. */
export const profileTools = ['cpu', 'trace']

/** @type {Record<JobKind, (given: ActGiven) => Promise<Done>>} */
export const acts = {
  async check ({ entry, dir, more = false, onProgress, signal }) {
    /** @type {ResultRecord | undefined} */
    let settled
    const keepSettled = (/** @type {CheckProgress} */ event) => {
      if (event.type === 'verdict') settled = event.record
      onProgress(event)
    }
    const earlier = more ? await requireUnfinished(entry, dir) : undefined
    /** @type {object | null} */
    let unfinished = null
    const onUnfinished = (/** @type {object} */ left) => { unfinished = left }
    const record = await runCheck({
      entry,
      dir,
      earlier,
      onProgress: keepSettled,
      onUnfinished,
      signal
    }).catch((error) => {
      if (signal.aborted && settled) return settled
      throw error
    })
    await keepOrDrop(entry, dir, unfinished)
    return keepAndReport(entry, record, signal)
  },

  async look ({ entry, dir, onProgress, signal }) {
    const unchanged = isUnchanged(entry, dir)
    const record = await runCheck({ entry, dir, speed: 'first', onProgress, signal })
    return { message: unchanged ? sayUnchanged(record.gates[0], unicodeMarks) : '', record }
  },

  async bench ({ entry, dir, signal }) {
    const given = { entry, dir, seed: newSeed(), signal }
    const result = entry.lesson.kind === 'load plan'
      ? await tryPlan({ ...given, longestMs: benchSeconds * 1000 })
      : withoutColour(await benchOne({ ...given, seconds: benchSeconds }))
    signal.throwIfAborted()
    return { message: result.problems[0] ?? `All ${result.answers} answers were right.`, result }
  },

  async profile ({ entry, dir, tool = profileTools[0], say, signal }) {
    const compare = tool === 'cpu' && !isUnchanged(entry, dir)
    const given = { tool, entry, dir, compare, all: true, seconds: profileSeconds, say, signal }
    const { sections } = await runProfile(given)
    signal.throwIfAborted()
    return { message: '', result: { sections } }
  }
}

/**
 * What needs no turn: a syntax error ends every job at once.
 *
 * @param {JobKind} kind
 * @param {Pick<ActGiven, 'entry' | 'dir' | 'signal'>} given
 * @returns {Promise<Done | null>} null where there is none
 * @throws {WorkshopError} there is one, and the job makes no record
 */
export async function actAtOnce (kind, { entry, dir, signal }) {
  const record = await checkSyntax({ entry, dir, signal })
  if (record === null) return null
  if (kind === 'check') return keepAndReport(entry, record, signal)
  if (kind === 'look') return { message: '', record }
  throw new WorkshopError(record.reason)
}

/** @param {LoadedLesson} entry @param {ResultRecord} record @param {AbortSignal} signal @returns {Promise<Done>} */
async function keepAndReport (entry, record, signal) {
  const said = [await keep(entry, record), ...await reportCheck(entry, record, { send: !signal.aborted })]
  return { message: said.filter((sentence) => sentence !== '').join(' '), record }
}

/** autocannon looks at our terminal. @template {{ table: string, counts: string }} T @param {T} given @returns {T} */
function withoutColour (given) {
  const { table, counts } = given
  return { ...given, table: stripVTControlCharacters(table), counts: stripVTControlCharacters(counts) }
}

/** A verdict that cannot be kept is still a verdict. @param {LoadedLesson} entry @param {ResultRecord} record */
async function keep (entry, record) {
  try {
    await saveResult(entry, record)
    return ''
  } catch (error) {
    if (!(error instanceof WorkshopError)) throw error
    return `This result was not saved: ${error.message}`
  }
}
