import assert from 'node:assert/strict'
import { momentsOf } from '../../runner/check/model-test.js'
import { runContract } from '../../runner/contract/index.js'
import { execute } from '../../runner/contract/model-test/execute.js'
import { firstMismatch } from '../../runner/contract/model-test/run-model-test.js'
import { createRandom } from '../../runner/random.js'

/**
 * The shortest way to a wrong answer, so that every submission can be tried in every run: no load, one request at a
 * time, and the same sequence for all of a lesson, which the slow server is asked once for several.
 *
 * @import { Execution } from '../../runner/contract/model-test/execute.js'
 * @import { Moment } from '../../runner/contract/model-test/operation.js'
 * @import { ContractResult } from '../../runner/judge/index.js'
 * @import { Check, Lesson } from '../../runner/lesson/index.js'
 * @import { Role, Server, ServerFolder, Session } from '../../runner/session/index.js'
 *
 * @typedef {(folder: string) => Promise<string | null>} FindMismatch what differs from the slow server's answers; null:
 *   nothing
 */

/** Answers that tell the time grow old. */
const longestMs = 15_000
/** The same in every run. */
const seed = 'wrong answers'

/** @param {Lesson} lesson @param {Session} session @returns {FindMismatch} */
export function compareWithBaseline (lesson, session) {
  const { operations, sequence } = lesson
  const quiet = { operations, sequence: { ...sequence, load: false } }
  const moments = momentsOf(quiet, session.data, createRandom(seed))
  let expectedAt = -Infinity
  /** @type {Execution} */
  let expected
  return async (folder) => {
    if (performance.now() - expectedAt > longestMs) {
      expectedAt = performance.now()
      expected = await executeOn(session, 'baseline', session.baseline, moments)
    }
    /** @type {ReturnType<typeof firstMismatch>} */
    let found = null
    // The first difference is enough, and is looked for now and then.
    const isEnough = (/** @type {Moment} */ moment, /** @type {Execution} */ so) => {
      const at = moments.indexOf(moment) + 1
      if (at % 10 === 0) found = firstMismatch(moments.slice(0, at), expected, so, session.data)
      return found !== null
    }
    const got = await executeOn(session, 'yours', session.openSubmission(folder), moments, isEnough)
    found ??= firstMismatch(moments, expected, got, session.data)
    return found && `${found.step.name}: ${found.difference.what}`
  }
}

/**
 * Does one of the checks fail? The first that does is enough.
 *
 * @param {Session} session
 * @param {string} folder
 * @param {Check[]} checks
 */
export async function failsOne (session, folder, checks) {
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
export async function runChecks (session, folder, checks, options) {
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
 * @param {(moment: Moment, so: Execution) => boolean} [isEnough]
 */
async function executeOn (session, role, place, moments, isEnough) {
  const same = async (/** @type {Server} */ server) => server
  const restart = async (/** @type {Server} */ server) => {
    await session.stop(server)
    return start(session, role, place, server.dataDir)
  }
  const server = await start(session, role, place)
  const played = await execute(moments, { server, inTurn: true, isEnough, events: { restart, load: same, rest: same } })
  await session.stop(played.server)
  return played
}

/** @param {Session} session @param {Role} role @param {ServerFolder} place @param {string} [dataDir] */
async function start (session, role, place, dataDir) {
  const { server, failure } = await session.start(role, place, { dataDir })
  return server ?? assert.fail(`it does not start: ${failure}`)
}
