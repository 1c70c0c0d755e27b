import { checksOf, runContract } from '../contract/index.js'

/**
 * @import { ContractResult } from '../judge/index.js'
 * @import { Server } from '../session/index.js'
 * @import { Context } from './check-server.js'
 */

/**
 * Every check of the contract, of both servers side by side. What the slow server is not known to fail, and fails, is the
 * workshop's fault.
 *
 * @param {Context} context
 * @param {{ baseline: Server | null, yours: Server }} servers baseline: null where only yours is to be checked
 * @returns {Promise<{ baselineFailures: string[], results: ContractResult[] }>} baselineFailures: sentences
 */
export async function checkContract ({ lesson, session, submission, random, onProgress }, { baseline, yours }) {
  const { slow, known, signal } = session
  const checks = checksOf(lesson, 'before')
  const knownToFail = new Set(lesson.knownToFail?.map(({ check }) => check))
  const shared = { when: /** @type {const} */ ('before'), random, data: known, signal }
  const [ofBaseline, results] = await Promise.all([
    baseline === null
      ? []
      : runContract({
        ...shared,
        checks: checks.filter(({ name }) => !knownToFail.has(name)),
        server: baseline,
        oracle: null,
        startAnother: () => session.start('baseline', slow)
      }),
    runContract({
      ...shared,
      checks,
      server: yours,
      oracle: () => session.startOracle(slow),
      startAnother: () => session.start('yours', submission),
      onResult: (result, done, total) => onProgress({ type: 'check', result, done, total })
    })
  ])
  const failed = ofBaseline.filter(({ status }) => status === 'fail')
  return { baselineFailures: failed.map(({ name, message }) => `it ${name}: ${message}`), results }
}
