import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordOf } from '../../runner/check/index.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { newEvidence } from '../../runner/judge/index.js'
import { inTurn, makeTemporary, passedEnvironment, spawnHelper } from '../../runner/process/index.js'
import { newSeed } from '../../runner/shared/random.js'
import { shownPath } from '../../runner/shared/text.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { startIn } from './bubblewrap.js'
import { hasRunOut, limits, removeGroups } from './groups.js'

/**
 * One submission, checked again by us: in a separate process, in a sandbox.
 *
 * @import { CheckProgress, ResultRecord } from '../../runner/judge/index.js'
 * @import { LoadedLesson } from '../../runner/lesson/index.js'
 * @import { Wait } from '../../runner/check/index.js'
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

/** What a check may take at most, with its usual rounds, and how long it may wait for a submission, ms … */
const usualTimes = { wholeMs: 115_000, waitMs: 45_000 }
/** … and so many times what it has waited for the slow server, which shows how slow this machine is now. */
const waitsPerSlow = 3
/** The longest that the rounds of a check take, unless it's told otherwise, ms. */
const usualRoundsMs = 70_000
const lookEveryMs = 250
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
  const { times = usualTimes, seed = newSeed(), ...given } = options
  if (!fs.lstatSync(path.join(dir, entry.file), { throwIfNoEntry: false })?.isFile()) {
    throw new WorkshopError(`There is no ${entry.file} in ${shownPath(dir)}, or it’s a link: hand in the file itself.`)
  }
  const tell = (/** @type {string} */ text) => onProgress({ type: 'phase', phase: 'start', text })
  // Functions, which the lesson has, can't go to another process.
  const { lesson: _, file, ...found } = entry
  const order = { entry: found, dir: path.resolve(dir), sandbox, seed, ...given }
  const record = await inTurn({ about: { kind: 'check', entry, dir }, tell, signal }, async () => {
    const startedAt = new Date()
    const { wholeMs, waitMs } = times
    const most = { wholeMs: wholeMs + Math.max(0, (order.budgetMs ?? 0) - usualRoundsMs), waitMs }
    const { record, ended } = await inSandbox(order, { signal, onProgress, times: most })
    if (record !== undefined) return record
    const decision = { verdict: /** @type {const} */ ('fail'), reason: '', next, ...ended }
    return recordOf({ entry, submission: '', seed, startedAt }, { decision, evidence: newEvidence() })
  })
  const verified = sandbox.kind !== 'none'
  const unbounded = verified && !sandbox.hierarchies.some(({ bounds }) => bounds.includes('memory'))
  return { record: { ...record, submission: shownPath(dir) }, verified, unbounded }
}

const next = 'Run `npm run check`: it shows what the check was waiting for.'
const nextOfInconclusive = 'Grade it again when the machine has less to do.'

/**
 * @param {{ sandbox: Sandbox } & Record<string, unknown>} order
 * @param {Required<Pick<RegradeOptions, 'signal' | 'onProgress' | 'times'>>} options
 * @returns {Promise<{ record?: ResultRecord, ended?: Ended }>} ended: without a record
 */
async function inSandbox (order, { signal, onProgress, times }) {
  const folder = await makeTemporary()
  const run = path.basename(folder.dir)
  const { kind, hierarchies } = order.sandbox
  const disks = { baseline: path.join(folder.dir, randomName()), yours: path.join(folder.dir, randomName()) }
  const helper = spawnHelper({
    file: fileURLToPath(new URL('submission-process.js', import.meta.url)),
    name: 'The re-grading',
    env: { ...passedEnvironment(), TMPDIR: folder.dir },
    execArgv,
    through: kind === 'none' ? undefined : startIn(order.sandbox, run, folder.dir, Object.values(disks)),
    signal
  })
  const clock = watchTime(times)
  helper.child.on('message', (/** @type {any} */ { progress, wait }) => {
    if (wait) clock.see(wait)
    if (progress) onProgress(progress)
  })
  try {
    const grading = helper.ask('grade', { ...order, run, disks }, 2 * times.wholeMs)
    // Whoever is late gets no answer, and the helper's end rejects.
    grading.catch(() => {})
    const { record, problem, ended } = await Promise.race([grading, clock.late])
    if (problem !== undefined) throw new WorkshopError(problem)
    return { record: record && withoutPlaces(record, folder.dir), ended }
  } catch (error) {
    if (signal.aborted || error instanceof WorkshopError) throw error
    const { exitCode, signalCode } = helper.child
    if (hasRunOut(hierarchies, `${run}-0`) || outOfHeap.includes(signalCode ?? exitCode ?? 0)) {
      return { ended: { reason: tooMuch } }
    }
    const said = withoutPlaces(error.message.split('\n')[0], folder.dir)
    throw new WorkshopError(`The submission got no verdict. ${said}`, { cause: error })
  } finally {
    clock.stop()
    await helper.close()
    await removeGroups(hierarchies, run)
    await folder.remove()
  }
}

/**
 * Where this machine keeps things is nobody's business. Pure.
 *
 * @template T
 * @param {T} data plain
 * @param {string} dir of the check
 * @returns {T}
 */
export function withoutPlaces (data, dir) {
  const text = [dir, workshopRoot].reduce((so, place) => so.replaceAll(`${place}/`, ''), JSON.stringify(data))
  return JSON.parse(text)
}

/** Which of the two a server is, is none of its business. */
function randomName () {
  return randomBytes(6).toString('hex')
}

/** V8 ends a process whose heap is full with SIGABRT, of which bubblewrap makes an exit code. */
const outOfHeap = ['SIGABRT', 128 + 6]
const tooMuch = `The check needed more than ${memoryMib / 1024} GiB of memory for the answers of this server, ` +
  'and ended.'

/**
 * What ends a check before its time. Slowness of this machine is nobody's fault, and so is never a fail.
 *
 * @typedef {{ verdict?: 'inconclusive', reason: string, next?: string }} Ended
 *
 * @param {RegradeOptions['times'] & {}} times
 */
function watchTime ({ wholeMs, waitMs }) {
  const startedAt = performance.now()
  const account = accountOfWaits()
  let end = (/** @type {{ ended: Ended }} */ _) => {}
  const late = new Promise((/** @type {typeof end} */ resolve) => { end = resolve })
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const [yoursMs, slowMs] = [account.of('yours', nowMs), account.of('baseline', nowMs)]
    const waited = `it waited ${inWords(yoursMs)} for your server, and ${inWords(slowMs)} for the slow one`
    if (yoursMs > mostWait({ slowMs, waitMs })) {
      end({ ended: { reason: `The check was ended: ${waited}.` } })
    } else if (nowMs - startedAt > wholeMs) {
      const reason = `The check wasn’t over after ${inWords(wholeMs)}: ${waited}.`
      end({ ended: { verdict: 'inconclusive', reason, next: nextOfInconclusive } })
    }
  }, lookEveryMs)
  return { late, see: account.see, stop: () => clearInterval(timer) }
}

/**
 * How long a check may wait for a submission in all: what makes both servers slow gives both more time. Pure.
 *
 * @param {{ slowMs: number, waitMs: number }} given slowMs: what it has waited for the slow server
 */
export function mostWait ({ slowMs, waitMs }) {
  return waitMs + waitsPerSlow * slowMs
}

/** What a check has waited for each of its servers: two waits at once count once. */
export function accountOfWaits () {
  const seats = { baseline: { open: 0, sinceMs: 0, ms: 0 }, yours: { open: 0, sinceMs: 0, ms: 0 } }
  const of = (/** @type {Wait['role']} */ role, nowMs = performance.now()) => {
    const { open, sinceMs, ms } = seats[role]
    return open > 0 ? ms + nowMs - sinceMs : ms
  }
  return {
    of,
    see: (/** @type {Wait} */ { role, isOver }, nowMs = performance.now()) => {
      const { open } = seats[role]
      seats[role] = { open: open + (isOver ? -1 : 1), sinceMs: nowMs, ms: of(role, nowMs) }
    }
  }
}

/** @param {number} ms */
function inWords (ms) {
  return `${Number((ms / 1000).toPrecision(3))} seconds`
}
