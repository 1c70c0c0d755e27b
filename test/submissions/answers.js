import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { momentsOf, testModel } from '../../runner/check/contract.js'
import { runCheck } from '../../runner/check/index.js'
import { execute } from '../../runner/contract/execute.js'
import { checksOf, runContract } from '../../runner/contract/index.js'
import { firstMismatch } from '../../runner/contract/run-model-test.js'
import { startGenerator } from '../../runner/load/index.js'
import { withSession } from '../../runner/process/index.js'
import { createRandom, sizedSeed } from '../../runner/shared/random.js'

/**
 * The shortest way to a wrong answer: no load, nothing measured, and one session for all of a lesson’s submissions, so
 * that its data is made once. A sequence is sent one request after the other, and the slow server’s answers serve for
 * several submissions.
 *
 * @import { Execution } from '../../runner/contract/execute.js'
 * @import { Moment } from '../../runner/contract/operation.js'
 * @import { ContractResult } from '../../runner/judge/index.js'
 * @import { Check, LoadedLesson } from '../../runner/lesson/index.js'
 * @import { Role, Server, ServerFolder, Session } from '../../runner/process/index.js'
 * @import { Submission } from './cases.js'
 *
 * @typedef {Pick<Submission, 'title' | 'folder' | 'expected'> & { knownToFail?: string[] }} Tried
 * @typedef {(submission: Tried) => Promise<string | null>} TryAnswers what isn't as it should be; null: nothing
 *
 * @typedef {object} AnswersOptions
 * @property {boolean} [inTurn] send a sequence alone, one request after the other: no check, since some look at the
 *   clock, and nothing at the same moment. The result doesn't depend on what else the machine does
 * @property {AbortSignal} [signal]
 */

/** Answers that tell the time grow old. */
const longestMs = 15_000
/** The same in every run. */
const seed = 'wrong, all of them'
/** The smallest data that a check takes, on every machine. */
const size = 0.4
/** Where nothing is timed, hashes may cost less, … */
const untimedSize = 0.1
/** … and these steps are enough. */
const mostInTurn = 100
/** A busy machine can hide what a check measures, and what only requests in flight at the same moment show. */
const attempts = 3
/** No answer is wrong for being late here. */
const patience = 20

/**
 * @template T
 * @param {LoadedLesson} entry
 * @param {AnswersOptions} options
 * @param {(tryAnswers: TryAnswers) => Promise<T>} use
 * @returns {Promise<T>}
 */
export function withAnswers (entry, { inTurn = false, signal }, use) {
  if (entry.lesson.check !== undefined) return use((submission) => tryPlan(entry, submission, signal))
  const seed = sizedSeed(entry.folder, inTurn ? untimedSize : size)
  return withSession(entry, { seed, patience, signal }, (session) => {
    const findMismatch = compareWithBaseline(entry, session, { inTurn })
    /** @type {ReturnType<typeof startGenerator> | undefined} */
    let generator
    const failsAtOnce = async (/** @type {Tried} */ { title, folder }, /** @type {number} */ attempt) => {
      const { contract = [] } = await testModel({
        lesson: entry.lesson,
        session,
        submission: session.openSubmission(folder),
        random: createRandom(`${title} ${attempt}`),
        cores: availableParallelism(),
        getGenerator: () => (generator ??= startGenerator(session)),
        onProgress: () => {},
        phase: () => {}
      }, { shrinkMs: 0 })
      return contract.find(({ status }) => status === 'fail') ?? null
    }
    return use(({ expected, ...given }) => expected === null
      ? problemOfRight(given)
      : problemOfWrong({ ...given, named: expected.named }))

    /** @param {Pick<Tried, 'title' | 'folder' | 'knownToFail'>} right */
    async function problemOfRight (right) {
      const { folder, knownToFail = [] } = right
      const differs = await findMismatch(folder, { inFull: true })
      if (differs !== null) return `it should be right, but: ${differs}`
      if (inTurn) return null
      const checks = checksOf(entry.lesson, 'before').filter(({ name }) => !knownToFail.includes(name))
      const failed = (await runChecks(session, folder, checks)).find(({ status }) => status === 'fail')
      if (failed) return `it should be right, but fails “${failed.name}”: ${failed.message}`
      const atOnce = await failsAtOnce({ ...right, expected: null }, 1)
      return atOnce && `it should be right, but fails “${atOnce.name}”: ${atOnce.message}`
    }

    /** @param {{ title: string, folder: string, named: string[] | null }} wrong */
    async function problemOfWrong ({ title, folder, named }) {
      const isWanted = (/** @type {string} */ name) => !inTurn && (named?.includes(name) ?? true)
      const checks = checksOf(entry.lesson, 'before').filter(({ name }) => isWanted(name))
      const fails = async () => checks.length > 0 && failsOne(session, folder, checks)
      const differs = async () => await findMismatch(folder) !== null
      // The check that is there for it is the shorter way.
      const [first, second] = named === null ? [differs, fails] : [fails, differs]
      for (let attempt = 1; attempt <= (inTurn ? 1 : attempts); attempt++) {
        if (await first() || await second()) return null
        if (!inTurn && await failsAtOnce({ title, folder, expected: null }, attempt) !== null) return null
      }
      return 'it should be refused, but no check and no sequence refuses it'
    }
  })
}

/** @param {LoadedLesson} entry @param {Tried} plan @param {AbortSignal} [signal] */
async function tryPlan (entry, { title, folder, expected }, signal) {
  const { record: { contract, reason } } = await runCheck({ entry, dir: folder, speed: false, seed: title, signal })
  const failed = contract.filter(({ status }) => status === 'fail').map(({ name }) => name)
  if (expected === null) return failed.length === 0 ? null : `it should be right, but: ${reason}`
  const isNamed = failed.some((name) => expected.named?.includes(name) ?? true)
  return isNamed ? null : `it should be refused by ${expected.named?.join(' or ') ?? 'a check'}, but: ${reason}`
}

/**
 * @param {LoadedLesson} entry
 * @param {Session} session
 * @param {{ inTurn: boolean }} options
 * @returns {(folder: string, options?: { inFull?: boolean }) => Promise<string | null>} inFull: look for a difference
 *   only when everything has been asked
 */
function compareWithBaseline ({ lesson: { operations, sequence = {} } }, session, { inTurn }) {
  const steps = Math.min(sequence.steps ?? mostInTurn, mostInTurn)
  const quiet = { operations, sequence: { ...sequence, ...inTurn ? { steps } : {}, load: false } }
  const moments = momentsOf(quiet, session.data, createRandom(seed))
  // How fast the machine is has no say in what is sent.
  const keptMs = inTurn ? Infinity : longestMs
  let expectedAt = -Infinity
  /** @type {Execution} */
  let expected
  return async (folder, { inFull = false } = {}) => {
    if (performance.now() - expectedAt >= keptMs) {
      expectedAt = performance.now()
      expected = await executeOn(session, 'baseline', session.baseline, moments)
    }
    /** @type {ReturnType<typeof firstMismatch>} */
    let found = null
    // The first difference is enough, and is looked for now and then.
    const onMoment = (/** @type {Moment} */ moment, /** @type {Execution} */ so) => {
      const at = moments.indexOf(moment) + 1
      if (!inFull && at % 10 === 0) found = firstMismatch(moments.slice(0, at), expected, so, session.data)
      return found !== null
    }
    const got = await executeOn(session, 'yours', session.openSubmission(folder), moments, onMoment)
    found ??= firstMismatch(moments, expected, got, session.data)
    if (found === null) return null
    const { what, expected: wanted, got: given } = found.difference
    return `${found.step.name} differs in ${what}: expected ${wanted}, got ${given}`
  }
}

/**
 * Does one of the checks fail? The first that does is enough.
 *
 * @param {Session} session
 * @param {string} folder
 * @param {Check[]} checks
 */
async function failsOne (session, folder, checks) {
  const found = new AbortController()
  const onResult = (/** @type {ContractResult} */ { status }) => { if (status === 'fail') found.abort() }
  try {
    await runChecks(session, folder, checks, { onResult, signal: found.signal })
  } catch (error) {
    if (!found.signal.aborted) throw error
  }
  return found.signal.aborted
}

/**
 * @param {Session} session
 * @param {string} folder
 * @param {Check[]} checks
 * @param {Pick<Parameters<typeof runContract>[0], 'onResult' | 'signal'>} [options]
 * @returns {Promise<ContractResult[]>}
 */
async function runChecks (session, folder, checks, options) {
  const place = session.openSubmission(folder)
  const server = await start(session, 'yours', place)
  return runContract({
    ...options,
    checks,
    when: 'before',
    server,
    startAnother: (another) => session.start('yours', place, another),
    random: createRandom(seed),
    data: session.data
  }).finally(() => session.stop(server))
}

/**
 * @param {Session} session
 * @param {Role} role
 * @param {ServerFolder} place
 * @param {Moment[]} moments
 * @param {(moment: Moment, so: Execution) => boolean} [onMoment]
 */
async function executeOn (session, role, place, moments, onMoment) {
  const same = async (/** @type {Server} */ server) => server
  const restart = async (/** @type {Server} */ server) => {
    await session.stop(server)
    return start(session, role, place, server.dataDir)
  }
  const server = await start(session, role, place)
  const events = { restart, load: same, rest: same, pause: same }
  const played = await execute(moments, { server, inTurn: true, onMoment, events })
  await session.stop(played.server)
  return played
}

/** @param {Session} session @param {Role} role @param {ServerFolder} place @param {string} [dataDir] */
async function start (session, role, place, dataDir) {
  const { server, failure } = await session.start(role, place, { dataDir })
  return server ?? assert.fail(`it does not start: ${failure}`)
}
