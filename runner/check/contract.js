import { checksOf, runContract } from '../contract/index.js'
import { testModel } from './model-test.js'

/**
 * @import { ContractResult, Evidence } from '../judge/index.js'
 * @import { Server } from '../session/index.js'
 * @import { Context } from './context.js'
 */

/**
 * Every check of the contract. Those that fail are asked of the slow server, too: what that is not known to fail, and
 * fails, is the workshop's fault.
 *
 * @param {Context} context
 * @param {{ yours: Server, compare: boolean }} options compare: false: check only yours
 * @returns {Promise<{ baselineFailures: string[], results: ContractResult[] }>} baselineFailures: sentences
 */
export async function testContract (context, { yours, compare }) {
  const { lesson, session, submission, random, onProgress } = context
  const { data, signal } = session
  const checks = checksOf(lesson, 'before')
  const [results, ofSequence] = await Promise.all([
    runContract({
      checks,
      when: 'before',
      server: yours,
      startAnother: (options) => session.start('yours', submission, options),
      random,
      data,
      onResult: (result, done, total) => onProgress({ type: 'check', result, done, total }),
      signal
    }),
    testModel(context)
  ])
  const failed = new Set(results.filter(({ status }) => status === 'fail').map(({ name }) => name))
  const doubtful = compare ? checks.filter(({ name }) => failed.has(name)) : []
  return {
    baselineFailures: [
      ...await failuresOfBaseline(context, doubtful),
      ...(ofSequence.fault === null ? [] : [ofSequence.fault])
    ],
    results: [...ofSequence.results, ...results]
  }
}

/**
 * @param {Context} context
 * @param {import('../contract/index.js').Check[]} checks
 * @returns {Promise<string[]>} sentences
 */
async function failuresOfBaseline ({ lesson, session, random }, checks) {
  const { baseline, data, signal } = session
  const known = new Set(lesson.knownToFail?.map(({ check }) => check))
  const unknown = checks.filter(({ name }) => !known.has(name))
  if (unknown.length === 0) return []
  const { server, failure } = await session.start('baseline', baseline)
  if (failure !== null) return [failure]
  const results = await runContract({
    checks: unknown,
    when: 'before',
    server,
    startAnother: (options) => session.start('baseline', baseline, options),
    random,
    data,
    signal
  })
  await session.stop(server)
  return results.filter(({ status }) => status === 'fail').map(({ name, message }) => `it ${name}: ${message}`)
}

/**
 * The checks that run during a load, again and again.
 *
 * @param {Context} context
 * @param {{ server: Server, label: string, evidence: Evidence, running: () => boolean }} given label: of the random
 *   numbers
 */
export async function testDuringLoad ({ lesson, session, random }, { server, label, evidence, running }) {
  const checks = checksOf(lesson, 'during')
  const { data, signal } = session
  while (checks.length > 0 && running()) {
    const own = random.fork(label)
    const results = await runContract({ checks, when: 'during', server, random: own, data, signal })
    const failed = results.filter(({ status }) => status === 'fail')
    if (server.role === 'yours') evidence.contract.push(...failed)
    else evidence.baselineFailures.push(...failed.map((check) => `it ${check.name}: ${check.message}`))
    if (failed.length > 0) return
  }
}

/**
 * The contract of a submission once more, after the load.
 *
 * @param {Context} context
 * @param {Server} server
 * @param {Evidence} evidence
 */
export async function testAfterLoad ({ lesson, session, submission, random, phase }, server, evidence) {
  phase('after', 'Checking the answers once more, after the load')
  const results = await runContract({
    checks: checksOf(lesson, 'after'),
    when: 'after',
    server,
    startAnother: (options) => session.start('yours', submission, options),
    random,
    data: session.data,
    signal: session.signal
  })
  evidence.contract.push(...results)
  if (server.hasExited()) evidence.crash = `Your server ${server.howItEnded()} after the load.`
}
