import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRandom } from '../catalogue/index.js'
import { checksOf, runContract } from '../contract/index.js'
import { startGenerator } from '../load/index.js'
import { contradictions, decide, newEvidence, runRounds, seeMechanism } from '../judge/index.js'
import { describeMachine } from '../machine/index.js'
import { openSubmission } from '../server/index.js'
import { startUpstream } from '../upstream/index.js'
import { changedSince } from './changed-since.js'
import { createCrew } from './crew.js'
import { lookInside, lookMs } from './look-inside.js'
import { prepareRun } from './prepare.js'
import { runProfileCheck } from './run-profile-check.js'
import { newSeed } from './seed.js'
import { sourceWarnings } from './source-hints.js'

/**
 * @typedef {import('../judge/record.js').ResultRecord} ResultRecord
 * @typedef {import('../judge/record.js').CheckProgress} CheckProgress
 * @typedef {import('../judge/record.js').ContractResult} ContractResult
 */

/** A learner should not wait longer than this for a verdict, whatever it is. */
const wholeMs = 28_000
/** … but rounds get at least this much. */
const leastRoundsMs = 8000

/**
 * One check from beginning to end: contract, rounds of load, gates, verdict. Whatever happens, everything that it
 * started is stopped and everything temporary is removed before it returns or throws.
 *
 * @typedef {object} CheckOptions
 * @property {import('../catalogue/load.js').LoadedLesson} entry
 * @property {string} dir the folder with the submission's server.js
 * @property {string} [seed] repeats the inputs of an earlier run
 * @property {number} [budgetMs] how long the rounds may take; by default what is left of 28 s
 * @property {boolean} [look] look inside both servers afterwards, for the mechanism and the next step (default true)
 * @property {(event: CheckProgress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 *
 * @param {CheckOptions} options
 * @returns {Promise<ResultRecord>}
 * @throws {import('../errors.js').WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function runCheck ({ entry, dir, seed = newSeed(), budgetMs, look = true, onProgress = () => {}, signal }) {
  if (entry.lesson.kind === 'profile') return runProfileCheck({ entry, dir, seed, wholeMs: budgetMs, onProgress, signal })
  const startedAt = new Date()
  // It would open our inspector to everybody on this machine.
  process.on('SIGUSR1', ignore)
  const { lesson } = entry
  const cores = os.availableParallelism()
  const phase = (/** @type {import('../judge/record.js').PhaseEvent['phase']} */ name, /** @type {string} */ text) => onProgress({ type: 'phase', phase: name, text })
  phase('start', 'Starting both servers')
  const prepared = await prepareRun(lesson, seed)
  const { guard } = prepared
  /** @type {import('../load/index.js').Generator | undefined} */
  let generator
  /** @type {import('../upstream/index.js').UpstreamProcess | null} */
  let upstream = null
  const crew = createCrew({ prepared, upstream: () => upstream, inspect: Object.values(lesson.loads).some(({ batches }) => batches !== undefined), signal })
  try {
    const submission = openSubmission(dir, { root: entry.root, scratch: prepared.scratch })
    const slow = { dir: entry.slowDir, shownDir: path.relative(entry.root, entry.slowDir) }
    const random = createRandom(`${seed}/contract`)
    const evidence = newEvidence()
    const warnings = sourceWarnings(lesson, submission.dir)
    /** @type {import('../judge/rounds.js').RoundsOutcome | null} */
    let outcome = null
    let output = ''
    /** @type {import('../judge/mechanism.js').Sides} */
    let samples = { baseline: null, yours: null }

    const module = pathToFileURL(path.join(entry.dir, 'lesson.js')).href
    generator = await startGenerator({ module, known: prepared.known, seed, guard, signal })
    if (lesson.upstream) upstream = await startUpstream({ module, known: prepared.known, seed, guard, signal })
    const [baseline, yours] = await Promise.all([crew.start('baseline', slow), crew.start('yours', submission)])
    if (baseline.failure !== null) evidence.baselineFailures.push(baseline.failure)
    if (yours.failure !== null) {
      evidence.startFailure = yours.failure
      output = yours.output
    }

    if (baseline.server && yours.server) {
      phase('contract', 'Checking that every answer is right')
      const contractStartedAt = Date.now()
      await checkContract({ lesson, baseline: baseline.server, yours: yours.server, crew, slow, submission, random, known: prepared.known, evidence, onProgress, signal })
      output = yours.server.output()
      evidence.crash = endOf(yours.server)
      await Promise.all([crew.stop(baseline.server), crew.stop(yours.server)])

      if (evidence.crash === null && isClean(evidence)) {
        // The contract is checked once more afterwards, and takes about as long again.
        const left = wholeMs - (Date.now() - startedAt.getTime()) - (Date.now() - contractStartedAt) - (look ? lookMs : 0)
        outcome = await runRounds({ lesson, cores, crew, generator, slow, submission, budgetMs: budgetMs ?? Math.max(leastRoundsMs, left), random, known: prepared.known, onProgress, phase, signal })
        Object.assign(evidence, outcome.evidence, { contract: [...evidence.contract, ...outcome.evidence.contract] })
        output = outcome.output || output
        if (look && isSound(evidence)) {
          phase('look', 'Looking inside both servers')
          samples = await lookInside({ lesson, crew, generator, slow, submission, signal }).catch((error) => {
            if (signal?.aborted) throw error
            // It is evidence beside the verdict: where there is none, the verdict stands all the same.
            return samples
          })
          evidence.place = samples.yours?.place ?? null
        }
      }
    }
    await crew.stopAll()
    const changed = whatChanged(entry, startedAt, { thorough: decide(evidence).verdict === 'pass' })
    if (changed !== null) evidence.baselineFailures.push(`${path.relative(entry.root, changed)} was changed while the check ran.`)
    warnings.push(...crew.warnings())
    const decision = decide(evidence)
    const mechanism = outcome && seeMechanism(lesson, samples, outcome.cpuPerRequest)
    if (decision.verdict === 'pass') warnings.push(...contradictions(mechanism))
    /** @type {ResultRecord} */
    const record = {
      version: 1,
      lesson: { id: lesson.id, number: entry.number, title: lesson.title },
      submission: submission.shownDir,
      ...decision,
      contract: evidence.contract,
      gates: evidence.gates,
      rounds: outcome?.rounds ?? [],
      load: outcome?.load ?? { requests: 0, errors: 0, non2xx: 0, mismatches: 0, disturbedRounds: 0, generatorBusy: null, problems: [] },
      mechanism,
      waterfall: outcome?.waterfall ?? null,
      warnings,
      output: decision.verdict === 'fail' && output !== '' && needsOutput(evidence) ? [{ server: 'yours', text: output }] : [],
      machine: describeMachine({ steal: outcome?.steal ?? null }),
      seed,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime()
    }
    onProgress({ type: 'result', record })
    return record
  } finally {
    await crew.stopAll()
    await Promise.all([generator?.close(), upstream?.close()])
    await prepared.clean()
    process.off('SIGUSR1', ignore)
  }
}

function ignore () {}

/**
 * Was the slow server itself written to, or a package that it may use? A server that knows where they are could make
 * the slow one slower.
 *
 * @param {import('../catalogue/load.js').LoadedLesson} entry @param {Date} startedAt
 * @param {{ thorough: boolean }} options thorough: the packages too, which are thousands of files
 */
function whatChanged (entry, startedAt, { thorough }) {
  const folders = [entry.slowDir, entry.dir, ...thorough ? packagesOf(entry.root) : []]
  return folders.map((folder) => changedSince(folder, startedAt.getTime())).find((changed) => changed !== null) ?? null
}

/**
 * Both servers, check by check: first the slow one, whose failure would be the workshop's, then the submission.
 *
 * @param {{
 *   lesson: import('../catalogue/lesson.js').Lesson, baseline: import('../server/start.js').Server,
 *   yours: import('../server/start.js').Server, crew: import('./crew.js').Crew, slow: { dir: string, shownDir: string },
 *   submission: { dir: string, shownDir: string },
 *   random: import('../catalogue/lesson.js').Random, known: any, evidence: import('../judge/verdict.js').Evidence,
 *   onProgress: (event: CheckProgress) => void, signal?: AbortSignal
 * }} given
 */
async function checkContract ({ lesson, baseline, yours, crew, slow, submission, random, known, evidence, onProgress, signal }) {
  const checks = checksOf(lesson, 'before')
  const knownToFail = new Set(lesson.knownToFail?.map(({ check }) => check))
  const shared = { when: /** @type {const} */ ('before'), random, data: known, signal }
  const [ofBaseline, ofYours] = await Promise.all([
    runContract({ ...shared, checks: checks.filter(({ name }) => !knownToFail.has(name)), server: baseline, oracle: null, startAnother: () => crew.start('baseline', slow) }),
    runContract({
      ...shared,
      checks,
      server: yours,
      oracle: () => crew.startOracle(slow),
      startAnother: () => crew.start('yours', submission),
      onResult: (result, done, total) => onProgress({ type: 'check', result, done, total })
    })
  ])
  evidence.baselineFailures.push(...ofBaseline.filter(({ status }) => status === 'fail').map(({ name, message }) => `it ${name}: ${message}`))
  evidence.contract.push(...ofYours)
}

/** @param {import('../server/start.js').Server} server */
export function endOf (server) {
  return server.hasExited() ? `Your server ${server.howItEnded()} while it was being graded.` : null
}

/** @param {import('../judge/verdict.js').Evidence} evidence */
function isClean ({ contract, baselineFailures }) {
  return baselineFailures.length === 0 && contract.every(({ status }) => status === 'pass')
}

/** Is speed what is left to speak of? @param {import('../judge/verdict.js').Evidence} evidence */
function isSound (evidence) {
  const { startFailure, crash, problems, meddling, baselineProblems } = evidence
  return startFailure === null && crash === null && meddling === null && problems.length === 0 && baselineProblems.length === 0 && isClean(evidence)
}

/** @param {import('../judge/verdict.js').Evidence} evidence */
function needsOutput ({ startFailure, crash, contract, problems }) {
  return startFailure !== null || crash !== null || problems.length > 0 || contract.some(({ status }) => status === 'fail')
}

/** The folders of the packages that learners have too: those of the workshop's own development are tens of thousands of files. @param {string} root */
function packagesOf (root) {
  try {
    const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'node_modules', '.package-lock.json'), 'utf8'))
    return Object.keys(packages).filter((place) => !packages[place].dev && place.lastIndexOf('node_modules/') === 0).map((place) => path.join(root, place)).filter((place) => fs.existsSync(place))
  } catch {
    // A root without packages of its own is one of the tests'.
    return []
  }
}
