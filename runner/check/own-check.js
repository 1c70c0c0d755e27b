import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TooBusy, WorkshopError } from '../shared/errors.js'
import { decide, newEvidence } from '../judge/index.js'
import { startingPointOf } from '../lesson/index.js'
import {
  markerNames, markerOf, newRunMarker, passedEnvironment, secondPatience, settleLate, stopTree, withSession
} from '../process/index.js'
import { createRandom } from '../shared/random.js'
import { isUnchanged } from './files.js'
import { namesOf, recordOf } from './record-of.js'
import { forecast, hasTime, timesFor } from './rounds.js'

/**
 * The check that a lesson brings with it, for a file that isn't a server. The lesson decides; the session, the reading
 * of foreign code and the record are the same as for a server.
 *
 * @import { Exported, LoadedLesson, OwnBench, OwnCheck, OwnClock } from '../lesson/index.js'
 * @import { Launch, Session } from '../process/index.js'
 * @import { Unfinished, FullOptions } from './context.js'
 * @import { ResultRecord } from '../judge/index.js'
 */

/**
 * @param {OwnCheck} check
 * @param {FullOptions} options
 * @returns {Promise<{ record: ResultRecord, unfinished: null }>}
 * @throws {WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function runOwnCheck (check, options) {
  const { entry, dir, budgetMs, speed, launch, onProgress, signal } = options
  const startedAt = new Date()
  onProgress({ type: 'phase', phase: 'start', text: `Reading the ${check.writes}` })
  return withSession(entry, { seed: options.seed, signal }, async (session) => {
    const folder = session.openSubmission(dir, entry.file)
    const unchanged = isUnchanged(entry, folder.dir)
    const known = { ...newEvidence(), unchanged, unmeasured: speed !== true }
    const names = namesOf(entry, dir)
    const { evidence, decision, rounds = [], load } = await check.grade({
      checks: check.checks,
      gates: entry.lesson.gates,
      session,
      random: createRandom(`${session.seed}/check`),
      read: () => readInTime(path.join(folder.dir, entry.file), check, { entry, session, launch }),
      evidence: known,
      // What everyone starts from needs no proof.
      speed: speed === true && !unchanged,
      clock: clockOf(entry, startedAt, budgetMs),
      names,
      onProgress
    }).catch((error) => {
      if (!(error instanceof TooBusy)) throw error
      const evidence = { ...known, unclear: error.message }
      return { evidence, decision: decide(evidence, names), rounds: [], load: undefined }
    })
    await session.stopAll()
    const outcome = { rounds: rounds.map((result) => ({ result })), load }
    const run = { entry, submission: folder.shownDir, seed: session.seed, startedAt }
    return { record: recordOf(run, { decision, evidence, outcome }), unfinished: null }
  })
}

/**
 * Servers that wait rather than work need no longer where the machine is slow.
 *
 * @param {LoadedLesson} entry
 * @param {Date} startedAt
 * @param {number} [budgetMs]
 * @returns {OwnClock}
 */
function clockOf ({ lesson }, startedAt, budgetMs) {
  const { wholeMs, extraMs } = timesFor(1)
  const softMs = budgetMs ?? wholeMs
  const hardMs = budgetMs ?? wholeMs + extraMs
  const elapsedMs = () => Date.now() - startedAt.getTime()
  return {
    softMs,
    hardMs,
    elapsedMs,
    allows: (cycleMs, gates) =>
      hasTime({ elapsedMs: elapsedMs(), cycleMs, softMs, hardMs, forecastMs: forecast(lesson, gates) })
  }
}

/**
 * Tries what a learner wrote once, by hand, without a verdict.
 *
 * @param {OwnCheck} check
 * @param {{ entry: LoadedLesson, dir: string, seed: string, longestMs: number, signal: AbortSignal }} options
 * @returns {Promise<OwnBench>}
 * @throws {WorkshopError} it can't be tried
 */
export function benchOwn (check, { entry, dir, seed, longestMs, signal }) {
  return withSession(entry, { seed, signal }, async (session) => {
    const folder = session.openSubmission(dir, entry.file)
    const shown = await check.bench({
      session,
      random: createRandom(seed),
      read: () => readInTime(path.join(folder.dir, entry.file), check, { entry, session }),
      longestMs
    })
    if (typeof shown === 'string') throw new WorkshopError(shown)
    return shown
  })
}

const usualMs = 5000

/**
 * What a learner's file exports. What takes too long is read once more, and then the file that everyone starts from.
 *
 * @param {string} file
 * @param {OwnCheck} check
 * @param {{ entry: LoadedLesson, session: Session, launch?: Launch }} on
 * @returns {Promise<Exported>}
 * @throws {TooBusy} that one wasn't read in time either
 */
async function readInTime (file, check, { entry, session, launch }) {
  const timeoutMs = usualMs * session.pace
  const read = async (/** @type {string} */ file, factor = 1) => {
    const { isLate = false, ...exported } = await readExport(file, check, session, {
      timeoutMs: factor * timeoutMs, launch
    })
    return { isLate, message: exported.problem ?? '', exported }
  }
  const first = await read(file)
  if (!first.isLate) return first.exported
  const { exported, message } = await settleLate({
    again: () => read(file, secondPatience),
    slow: () => read(path.join(startingPointOf(entry), entry.file))
  })
  return exported.problem === null ? exported : { value: null, problem: message }
}

/**
 * What a learner's file exports. It is foreign code, so it runs in a separate process, which is stopped with
 * everything that it has started.
 *
 * @param {string} file
 * @param {OwnCheck} check
 * @param {Session} session
 * @param {{ timeoutMs: number, launch?: Launch }} how launch: reads it in a sandbox
 * @returns {Promise<Exported & { isLate?: boolean }>}
 */
async function readExport (file, { writes }, { startHelper, guard, signal }, { timeoutMs, launch }) {
  const ownMarker = newRunMarker()
  const name = path.basename(file)
  const should = `it should only export a ${writes}.`
  const helper = await startHelper({
    file: fileURLToPath(new URL('export-reader.js', import.meta.url)),
    name: `The reader of ${name}`,
    env: { ...passedEnvironment(), [markerNames.run]: guard.runMarker, [markerNames.server]: ownMarker },
    through: launch && throughSandbox(launch, path.dirname(file)),
    isMuted: launch !== undefined
  }, 'ready', {})
  const proof = { noted: helper.entry ? [helper.entry] : [], markers: [markerOf('server', ownMarker)] }
  const late = new AbortController()
  try {
    const answer = await Promise.race([
      helper.ask('read', { url: pathToFileURL(file).href, name }),
      sleep(timeoutMs, {
        isLate: true,
        problem: `${name} was not read within ${Math.round(timeoutMs / 1000)} s: what does it wait for? ` +
        `I${should.slice(1)}`
      }, { signal: late.signal })
    ])
    const { value = null, problem, isLate = false } = answer ?? {}
    if (problem === null || typeof problem === 'string') return { value, problem, isLate }
    // The file can send messages in the reader's place.
    return { value: null, problem: `${name} tampers with the process that reads it: ${should}` }
  } catch {
    signal?.throwIfAborted()
    return { value: null, problem: `${name} ended the process that read it: ${should}` }
  } finally {
    late.abort()
    await stopTree({ child: helper.child, proof, graceMs: 0 })
    await helper.close()
  }
}

/**
 * The reader and what it imports are in the engine's folder, which holds no secrets.
 *
 * @param {Launch} launch
 * @param {string} dir of the learner's file
 * @returns {(command: string, flags: readonly string[]) => [command: string, flags: string[]]}
 */
function throughSandbox (launch, dir) {
  const dataDir = path.join(launch.disks.yours, 'reader', 'data')
  fs.mkdirSync(dataDir, { recursive: true })
  const reads = [fileURLToPath(new URL('..', import.meta.url))]
  return (command, flags) => {
    const wrapped = launch.wrap({ command, args: [...flags], env: {} }, { dir, dataDir, reads })
    return [wrapped.command, wrapped.args]
  }
}
