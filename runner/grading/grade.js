import { checkSyntax, isUnchanged, runCheck } from '../check/index.js'
import { WorkshopError } from '../shared/errors.js'
import { inTurn } from '../process/index.js'
import { keepLoops } from '../profiling/index.js'
import { reportCheck } from '../seat/index.js'
import { keepOrDrop, saveResult } from '../workspace/index.js'

/**
 * The graded check, the same for the terminal, the browser and the watch: wait for the turn, check, save; then report.
 *
 * @import { Unfinished } from '../check/index.js'
 * @import { CheckProgress, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 *
 * @typedef {object} GradeOnly
 * @property {boolean} isKept save the result, to be reported to the room: for the learner's own copy
 * @property {Unfinished} [earlier] the inconclusive check to continue
 * @property {string} [seed] repeats the inputs of an earlier run
 * @property {boolean} [speed] false: only whether every answer is right
 * @property {number} [budgetMs] how long the rounds may take
 *
 * @typedef {object} Graded
 * @property {ResultRecord} record
 * @property {string[]} said sentences for the learner: what could not be saved
 * @property {() => Promise<string[]>} report to the room, for what it says: to be called in any case, once the learner
 *   has the verdict, since a room may take its time
 * @property {boolean} isStopped aborted after its verdict, which is kept
 */

/**
 * @param {TurnOptions & GradeOnly} options
 * @returns {Promise<Graded>}
 * @throws {WorkshopError} there is nothing to grade, or nowhere to work; or the signal's reason, where it aborts before
 *   the verdict
 */
export async function grade (options) {
  const { entry, dir, where, isKept, earlier, budgetMs, speed, signal } = options
  const { onWait, onStart = () => {}, onProgress } = options
  const seed = earlier?.seed ?? options.seed
  const graded = async (/** @type {ResultRecord} */ record, isStopped = false) => ({
    record,
    said: isKept ? await saved(entry, record) : [],
    isStopped,
    report: async () => isKept ? reportCheck(entry, record, { send: !isStopped }) : []
  })
  const broken = await checkSyntax({ entry, dir, seed, signal })
  if (broken !== null) return graded(broken)
  return inTurn({ about: { kind: 'check', entry, dir }, where, tell: onWait, signal }, async (publish) => {
    onStart()
    const tell = toBoth(publish, onProgress)
    const given = { entry, dir, seed, speed, earlier, budgetMs, eventLoop: isKept, onProgress: tell, signal }
    const { record, unfinished, loops } = await runCheck(given)
    // A picture that can't be kept is no reason to keep no verdict.
    if (loops) await keepLoops(entry, loops).catch(() => {})
    const kept = await graded(record, signal.aborted)
    if (isKept) await keepOrDrop(entry, dir, unfinished)
    publish({ type: 'record', record })
    return kept
  })
}

/** @param {((event: CheckProgress) => void)[]} listeners @returns {TurnOptions['onProgress']} */
const toBoth = (...listeners) => (event) => listeners.forEach((listener) => listener(event))

/**
 * What to say about a check that was stopped. Pure.
 *
 * @param {number} number of the lesson
 * @param {boolean} wasKept its verdict had been reached, and was saved
 */
export function stoppedSentence (number, wasKept) {
  const what = wasKept ? 'the verdict above was kept' : `no result of lesson ${number} was written`
  return `Stopped. Nothing is left running, and ${what}.`
}

/**
 * A verdict that cannot be saved is still a verdict.
 *
 * @param {LoadedLesson} entry
 * @param {ResultRecord} record
 * @returns {Promise<string[]>} what to tell the learner
 */
async function saved (entry, record) {
  try {
    await saveResult(entry, record)
    return []
  } catch (error) {
    if (!(error instanceof WorkshopError)) throw error
    return [`This result was not saved: ${error.message}`]
  }
}

/**
 * @typedef {object} Preview
 * @property {ResultRecord} record
 * @property {number} durationMs without the wait for the turn
 * @property {boolean} isUnchanged the code is still what learners start from
 */

/**
 * A preview of a learner's server in a few seconds: one round, and whether every answer is right. It decides nothing,
 * and nothing is saved.
 *
 * @param {TurnOptions} options
 * @returns {Promise<Preview>}
 */
export async function preview ({ entry, dir, where, onWait, onStart = () => {}, onProgress, signal }) {
  const askedAt = performance.now()
  const broken = await checkSyntax({ entry, dir, signal })
  if (broken !== null) return { record: broken, durationMs: performance.now() - askedAt, isUnchanged: false }
  return inTurn({ about: { kind: 'preview', entry, dir }, where, tell: onWait, signal }, async (publish) => {
    onStart()
    const startedAt = performance.now()
    const wasUnchanged = isUnchanged(entry, dir)
    const tell = toBoth(publish, onProgress)
    const { record } = await runCheck({ entry, dir, speed: 'preview', onProgress: tell, signal })
    publish({ type: 'record', record })
    const durationMs = performance.now() - startedAt
    return { record, durationMs, isUnchanged: wasUnchanged && isUnchanged(entry, dir) }
  })
}

/**
 * @typedef {object} TurnOptions of a measurement that waits for its turn
 * @property {LoadedLesson} entry
 * @property {string} dir the folder to measure
 * @property {string} [where] where it runs, as those that wait for it see it
 * @property {(sentence: string) => (() => void) | void} onWait called if it has to wait; the function that it returns
 *   is called when the wait is over
 * @property {() => void} [onStart] called when its turn has come
 * @property {(event: CheckProgress) => void} onProgress
 * @property {AbortSignal} signal
 */
