import { checksOf, runContract } from '../contract/index.js'
import { checkSequence } from './sequence.js'

/**
 * @import { ContractResult, Evidence } from '../judge/index.js'
 * @import { Server } from '../session/index.js'
 * @import { Context } from './check-server.js'
 */

/**
 * Every check of the contract, of both servers side by side. What the slow server is not known to fail, and fails, is
 * the workshop's fault.
 *
 * @param {Context} context
 * @param {{ baseline: Server | null, yours: Server }} servers baseline: null where only yours is to be checked
 * @returns {Promise<{ baselineFailures: string[], results: ContractResult[] }>} baselineFailures: sentences
 */
export async function checkContract (context, { baseline, yours }) {
  const { lesson, session, submission, random, onProgress } = context
  const { slow, data, signal } = session
  const checks = checksOf(lesson, 'before')
  const knownToFail = new Set(lesson.knownToFail?.map(({ check }) => check))
  const shared = { when: /** @type {const} */ ('before'), random, data, signal }
  const [ofBaseline, results, ofSequence] = await Promise.all([
    baseline === null
      ? []
      : runContract({
        ...shared,
        checks: checks.filter(({ name }) => !knownToFail.has(name)),
        server: baseline,
        startMirror: null,
        startAnother: (options) => session.start('baseline', slow, options)
      }),
    runContract({
      ...shared,
      checks,
      server: yours,
      startMirror: () => session.startMirror(slow),
      startAnother: (options) => session.start('yours', submission, options),
      onResult: (result, done, total) => onProgress({ type: 'check', result, done, total })
    }),
    checkSequence(context)
  ])
  const failed = ofBaseline.filter(({ status }) => status === 'fail')
  return {
    baselineFailures: [
      ...failed.map(({ name, message }) => `it ${name}: ${message}`),
      ...(ofSequence.fault === null ? [] : [ofSequence.fault])
    ],
    results: [...ofSequence.results, ...results]
  }
}

/**
 * The checks that run beside a load, again and again while it runs.
 *
 * @param {Context} context
 * @param {{ server: Server, label: string, evidence: Evidence, running: () => boolean }} given label: of the random
 *   numbers
 */
export async function checkBeside ({ lesson, session, random }, { server, label, evidence, running }) {
  const checks = checksOf(lesson, 'during')
  const { data, signal } = session
  while (checks.length > 0 && running()) {
    const own = random.fork(label)
    const results = await runContract({ checks, when: 'during', server, startMirror: null, random: own, data, signal })
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
export async function checkAfterwards ({ lesson, session, submission, random, phase }, server, evidence) {
  phase('after', 'Checking the answers once more, after the load')
  const results = await runContract({
    checks: checksOf(lesson, 'after'),
    when: 'after',
    server,
    startMirror: null,
    startAnother: (options) => session.start('yours', submission, options),
    random,
    data: session.data,
    signal: session.signal
  })
  evidence.contract.push(...results)
  if (server.hasExited()) evidence.crash = `Your server ${server.howItEnded()} after the load.`
}
