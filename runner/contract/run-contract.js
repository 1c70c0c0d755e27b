import { PortTaken } from '../errors.js'
import { ContractError } from './answer.js'
import { createOthers } from './another.js'
import { timeFor } from './client.js'
import { createGiven } from './given.js'

/**
 * @import { ContractResult } from '../judge/index.js'
 * @import { Random } from '../random.js'
 * @import { Check } from './check.js'
 * @import { Server } from '../session/index.js'
 * @import { StartAnother } from './another.js'
 * @import { Given } from './given.js'
 */

/**
 * Runs a lesson's checks against one server, one after the other but for those that are apart, and says what each
 * found.
 *
 * @param {object} options
 * @param {Check[]} options.checks those of the lesson that belong to `when`
 * @param {'before' | 'during' | 'after'} options.when
 * @param {Server} options.server the server under test
 * @param {StartAnother} [options.startAnother] one more server of the same kind
 * @param {Random} options.random
 * @param {any} options.data
 * @param {(result: ContractResult, done: number, total: number) => void} [options.onResult]
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<ContractResult[]>}
 */
export async function runContract ({
  checks,
  when,
  server,
  startAnother = cannotStart,
  random,
  data,
  onResult,
  signal
}) {
  /** @type {Map<Check, ContractResult>} */
  const results = new Map()
  const runHere = async (/** @type {Check} */ check) => {
    signal?.throwIfAborted()
    const others = createOthers(startAnother)
    const given = createGiven({
      origin: server.origin,
      time: timeFor(server),
      random: random.fork(`${when}/${check.name}`),
      data,
      dataDir: server.dataDir,
      isBaseline: server.role === 'baseline',
      cpuMs: async () => (await server.use())?.cpuMs ?? NaN,
      another: others.another,
      upstream: server.upstream
    })
    const message = await runOne(check, given, server)
      .catch((error) => {
        signal?.throwIfAborted()
        throw error
      })
      .finally(others.stopAll)
    signal?.throwIfAborted()
    /** @type {ContractResult} */
    const result = { name: check.name, when, status: message === '' ? 'pass' : 'fail', message }
    results.set(check, result)
    onResult?.(result, results.size, checks.length)
  }
  const inTurn = async () => {
    for (const check of checks.filter(({ apart }) => !apart)) {
      await runHere(check)
      // A server that has ended fails every further check for the same reason.
      if (server.hasExited()) break
    }
  }
  // All are waited for, so that none goes on behind what is thrown.
  const done = await Promise.allSettled([inTurn(), ...checks.filter(({ apart }) => apart).map(runHere)])
  for (const one of done) if (one.status === 'rejected') throw one.reason
  return checks.flatMap((check) => results.get(check) ?? [])
}

/**
 * @param {Check} check
 * @param {Given} given
 * @param {Server} server
 */
async function runOne (check, given, server) {
  try {
    await check.run(given)
    return ''
  } catch (error) {
    if (error instanceof PortTaken) throw error
    if (server.hasExited()) return `the server ${server.howItEnded()}`
    if (error instanceof ContractError) return error.message
    // The same check passes on the slow server, so it was this answer that it could not read.
    return `an answer doesn’t have the shape that it should have (${error.message}${lineOf(error)})`
  }
}

/** Where a check of the lesson failed: `, contract.js:12`. @param {Error} error */
function lineOf ({ stack = '' }) {
  const [, line] = /[\\/]lessons[\\/].*?([^\\/]+\.js:\d+)/.exec(stack) ?? []
  return line === undefined ? '' : `, ${line}`
}

/** @param {{ contract: Check[] }} lesson @param {'before' | 'during' | 'after'} when */
export function checksOf (lesson, when) {
  return lesson.contract.filter((check) => (check.when ?? ['before', 'after']).includes(when))
}

/** @returns {Promise<never>} */
async function cannotStart () {
  throw new Error('no further server can be started here')
}
