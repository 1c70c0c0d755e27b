import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordOf } from '../../runner/check/index.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { newEvidence } from '../../runner/judge/index.js'
import {
  coreSpeed, cpuLimit, inTurn, makeTemporary, paceOf, passedEnvironment, spawnHelper
} from '../../runner/process/index.js'
import { newSeed } from '../../runner/shared/random.js'
import { shownPath } from '../../runner/shared/text.js'
import { startIn } from './bubblewrap.js'
import { hasRunOut, limits, removeGroups } from './groups.js'

/**
 * One submission, checked again by us: in a separate process, in a sandbox.
 *
 * @import { CheckProgress, ResultRecord } from '../../runner/judge/index.js'
 * @import { LoadedLesson } from '../../runner/lesson/index.js'
 * @import { Sandbox } from './bubblewrap.js'
 *
 * @typedef {object} RegradeOptions
 * @property {LoadedLesson} lesson
 * @property {string} dir the submission's folder
 * @property {string} [seed] repeats the inputs of an earlier run
 * @property {boolean} [speed] false: only whether every answer is right
 * @property {number} [budgetMs] how long the rounds may take
 * @property {Sandbox} sandbox of `probeSandbox`
 * @property {AbortSignal} signal
 * @property {(event: CheckProgress) => void} [onProgress]
 * @property {typeof usualTimes} [times]
 */

/** What a check may take on a machine like that of the lessons' targets, and its look at the answers, ms. */
const usualTimes = { wholeMs: 5 * 60_000, answersMs: 90_000 }
/** A slower machine gets so many times as long at most. */
const mostPace = 2.5
/** Where no group bounds its memory, V8 does, at the same. */
const memoryMib = limits.check.memoryBytes / 1024 ** 2
const execArgv = [`--max-old-space-size=${memoryMib}`]

/**
 * Waits for its turn, then checks the submission as `npm run check` does, without looking inside the servers. Whatever
 * the submission does, all that was started is stopped before this returns or throws. One that keeps the check from its
 * end fails.
 *
 * @param {RegradeOptions} options
 * @returns {Promise<{ record: ResultRecord, verified: boolean, unbounded: boolean }>} verified: it ran in a sandbox;
 *   unbounded: which bounded no memory
 * @throws {WorkshopError} there is nothing to grade, or the check broke; or the signal's reason
 */
export async function regrade ({ lesson: entry, dir, sandbox, signal, onProgress = () => {}, ...options }) {
  const { times, seed = newSeed(), ...given } = options
  if (!fs.lstatSync(path.join(dir, entry.file), { throwIfNoEntry: false })?.isFile()) {
    throw new WorkshopError(`There is no ${entry.file} in ${shownPath(dir)}, or it’s a link: hand in the file itself.`)
  }
  const tell = (/** @type {string} */ text) => onProgress({ type: 'phase', phase: 'start', text })
  // Functions, which the lesson has, can't go to another process.
  const { lesson: _, file, ...found } = entry
  const order = { entry: found, dir: path.resolve(dir), sandbox, seed, ...given }
  const record = await inTurn({ about: { kind: 'check', entry, dir }, tell, signal }, async () => {
    const startedAt = new Date()
    const outcome = await inSandbox(order, { signal, onProgress, times: times ?? timesHere() })
    if (typeof outcome !== 'string') return outcome
    const decision = { verdict: /** @type {const} */ ('fail'), reason: outcome, next }
    return recordOf({ entry, submission: '', seed, startedAt }, { decision, evidence: newEvidence() })
  })
  const verified = sandbox.kind !== 'none'
  const unbounded = verified && !sandbox.hierarchies.some(({ bounds }) => bounds.includes('memory'))
  return { record: { ...record, submission: shownPath(dir) }, verified, unbounded }
}

/** @returns {typeof usualTimes} that no honest check needs on this machine */
function timesHere () {
  const pace = Math.min(mostPace, paceOf(coreSpeed(), cpuLimit()))
  return { wholeMs: usualTimes.wholeMs * pace, answersMs: usualTimes.answersMs * pace }
}

const next = 'Run `npm run check`: it shows what the check was waiting for.'

/**
 * @param {{ sandbox: Sandbox } & Record<string, unknown>} order
 * @param {Required<Pick<RegradeOptions, 'signal' | 'onProgress' | 'times'>>} options
 * @returns {Promise<ResultRecord | string>} a sentence: how the submission kept the check from its end
 */
async function inSandbox (order, { signal, onProgress, times }) {
  const folder = await makeTemporary()
  const run = path.basename(folder.dir)
  const { kind, hierarchies } = order.sandbox
  const helper = spawnHelper({
    file: fileURLToPath(new URL('submission-process.js', import.meta.url)),
    name: 'The re-grading',
    env: { ...passedEnvironment(), TMPDIR: folder.dir },
    execArgv,
    through: kind === 'none' ? undefined : startIn(order.sandbox, run, folder.dir),
    signal
  })
  const clock = watchTime(times)
  helper.child.on('message', (/** @type {any} */ { progress }) => {
    if (!progress) return
    clock.see(progress)
    onProgress(progress)
  })
  try {
    const grading = helper.ask('grade', { ...order, run }, 2 * times.wholeMs)
    // Whoever is late gets no answer, and the helper's end rejects.
    grading.catch(() => {})
    const { record, problem, late } = await Promise.race([grading, clock.late])
    if (problem !== undefined) throw new WorkshopError(problem)
    return late ?? record
  } catch (error) {
    if (signal.aborted || error instanceof WorkshopError) throw error
    const { exitCode, signalCode } = helper.child
    if (hasRunOut(hierarchies, `${run}-0`) || outOfHeap.includes(signalCode ?? exitCode ?? 0)) return tooMuch
    throw new WorkshopError(`The submission got no verdict. ${error.message.split('\n')[0]}`, { cause: error })
  } finally {
    clock.stop()
    await helper.close()
    await removeGroups(hierarchies, run)
    await folder.remove()
  }
}

/** V8 ends a process whose heap is full with SIGABRT, of which bubblewrap makes an exit code. */
const outOfHeap = ['SIGABRT', 128 + 6]
const tooMuch = `The check needed more than ${memoryMib / 1024} GiB of memory for the answers of this server, ` +
  'and ended.'

/** @param {RegradeOptions['times'] & {}} times */
function watchTime ({ wholeMs, answersMs }) {
  let late = (/** @type {{ late: string }} */ _) => {}
  const whole = setTimeout(() => late({ late: `The check wasn’t over after ${inWords(wholeMs)}.` }), wholeMs)
  /** @type {NodeJS.Timeout | undefined} */
  let answers
  return {
    late: new Promise((/** @type {typeof late} */ resolve) => { late = resolve }),
    /** @param {CheckProgress} event */
    see: (event) => {
      if (event.type !== 'phase') return
      clearTimeout(answers)
      if (event.phase !== 'contract' && event.phase !== 'after') return
      const reason = `Checking the answers wasn’t over after ${inWords(answersMs)}.`
      answers = setTimeout(() => late({ late: reason }), answersMs)
    },
    stop: () => {
      clearTimeout(whole)
      clearTimeout(answers)
    }
  }
}

/** @param {number} ms */
function inWords (ms) {
  return ms < 180_000 ? `${Number((ms / 1000).toPrecision(3))} seconds` : `${Math.round(ms / 60_000)} minutes`
}
