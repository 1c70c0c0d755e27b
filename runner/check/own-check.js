import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { WorkshopError } from '../shared/errors.js'
import { newEvidence } from '../judge/index.js'
import { markerNames, markerOf, newRunMarker, passedEnvironment, stopTree, withSession } from '../process/index.js'
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
    const { evidence, decision, rounds = [], load } = await check.grade({
      checks: check.checks,
      gates: entry.lesson.gates,
      session,
      random: createRandom(`${session.seed}/check`),
      read: () => readExport(path.join(folder.dir, entry.file), check, session, launch),
      evidence: { ...newEvidence(), unchanged, unmeasured: speed !== true },
      // What everyone starts from needs no proof.
      speed: speed === true && !unchanged,
      clock: clockOf(entry, startedAt, budgetMs),
      names: namesOf(entry, dir),
      onProgress
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
      read: () => readExport(path.join(folder.dir, entry.file), check, session),
      longestMs
    })
    if (typeof shown === 'string') throw new WorkshopError(shown)
    return shown
  })
}

const patienceMs = 5000

/**
 * What a learner's file exports. It is foreign code, so it runs in a separate process, which is stopped with
 * everything that it has started.
 *
 * @param {string} file
 * @param {OwnCheck} check
 * @param {Session} session
 * @param {Launch} [launch] reads it in a sandbox
 * @returns {Promise<Exported>}
 */
async function readExport (file, { writes }, { startHelper, guard, signal }, launch) {
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
      sleep(patienceMs, {
        problem: `${name} was not read within ${patienceMs / 1000} s: what does it wait for? ` +
        `I${should.slice(1)}`
      }, { signal: late.signal })
    ])
    const { value = null, problem } = answer ?? {}
    if (problem === null || typeof problem === 'string') return { value, problem }
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
