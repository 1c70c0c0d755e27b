import autocannon from 'autocannon'
import { WorkshopError } from '../errors.js'
import { openFaultControl, withOneServer } from '../process/index.js'
import { createRandom } from '../random.js'
import { runClosedLoop } from './closed-loop.js'
import { createVerifier } from './verify.js'

/**
 * @import { Item, LoadedLesson } from '../lesson/index.js'
 * @import { StartOptions } from '../process/index.js'
 *
 * @typedef {Record<string, number>} Stats by autocannon's names: `p50`, `average`, `max`
 * @typedef {{ latency: Stats, requests: Stats, bytes: Stats }} Figures ms, and those of each second
 *
 * @typedef {object} ByHand
 * @property {string} table autocannon's own
 * @property {Figures} figures the same for a narrow one
 * @property {string} counts the lines below both
 * @property {number} answers
 * @property {number} rate answers/s; autocannon's average also counts a last second that is nearly empty
 * @property {number} wrong
 * @property {string[]} problems
 */

/**
 * Starts one of a lesson's servers and loads it as a person would by hand.
 *
 * @param {object} options
 * @param {LoadedLesson} options.entry
 * @param {string} options.dir the folder with server.js
 * @param {string} [options.loadName] default: the lesson's first
 * @param {number} [options.connections] default: those of the load
 * @param {number} options.seconds
 * @param {string} options.seed
 * @param {(given: { loadName: string, connections: number, seconds: number }) => void} [options.onStart]
 * @param {AbortSignal} options.signal
 * @returns {Promise<ByHand>}
 * @throws {WorkshopError} the server does not start
 */
export function benchOne ({ entry, dir, seed, signal, onStart, ...given }) {
  const { lesson } = entry
  const { loadName = Object.keys(lesson.loads)[0], seconds } = given
  const load = lesson.loads[loadName]
  const { connections = load.connections } = given
  return withOneServer({ entry, dir, seed, signal }, async ({ server: { port }, session: { data } }) => {
    const next = load.stream({ random: createRandom(`${seed}/bench`), data, model: lesson.model?.({ data }) })
    onStart?.({ loadName, connections, seconds })
    return benchByHand({ port, connections, seconds, next, signal })
  })
}

/**
 * A load test as a person would run it by hand: autocannon for some seconds, and its own table. The answers are
 * verified all the same, because the table would not tell.
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {number} options.connections
 * @param {number} options.seconds
 * @param {() => Item} options.next
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<ByHand>}
 */
async function benchByHand ({ port, connections, seconds, next, signal }) {
  const verifier = createVerifier()
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let answers = 0
  const { broken, result } = await runClosedLoop({
    port,
    connections,
    next,
    sampleMs: 1000,
    onAnswer: (answer) => {
      answers++
      verifier.take(answer)
      return performance.now() < endsAt && !signal?.aborted
    }
  })
  const rate = answers / ((performance.now() - startedAt) / 1000)
  const { wrong, problems } = verifier.finish()
  return {
    table: autocannon.printResult(result, {}).trim(),
    figures: { latency: result.latency, requests: result.requests, bytes: result.throughput },
    counts: autocannon.printResult(result, /** @type {any} */ ({ verbose: false })).trim(),
    answers,
    rate,
    wrong,
    problems: [broken, ...problems].filter((problem) => problem !== null).map(({ message }) => message)
  }
}

/**
 * @typedef {object} Serving
 * @property {string} origin `http://127.0.0.1:40123`
 * @property {string} dataDir
 * @property {Item} example a request of the lesson's first load
 * @property {{ service: string, control: string } | null} upstream addresses: of the service that it calls, and of what
 *   makes that go wrong
 */

/**
 * Starts one of a lesson's servers for use by hand, until it's aborted.
 *
 * @param {object} given
 * @param {LoadedLesson} given.entry
 * @param {string} given.dir the folder with server.js
 * @param {string} given.seed
 * @param {StartOptions} [given.start]
 * @param {AbortSignal} given.signal
 * @param {(serving: Serving) => void} onStart
 * @returns {Promise<void>}
 * @throws {WorkshopError} it doesn't start, or ends by itself
 */
export function serveOne ({ entry, dir, seed, start, signal }, onStart) {
  return withOneServer({ entry, dir, seed, start, signal }, async ({ server, session: { data } }) => {
    const load = Object.values(entry.lesson.loads)[0]
    const model = entry.lesson.model?.({ data })
    const control = server.upstream && await openFaultControl(server.upstream)
    onStart({
      origin: server.origin,
      dataDir: server.dataDir,
      example: load.stream({ random: createRandom(seed), data, model })(),
      upstream: server.upstream && control ? { service: server.upstream.url, control: control.url } : null
    })
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    if (!signal.aborted) await Promise.race([server.exited, aborted])
    control?.close()
    if (!signal.aborted) throw new WorkshopError(`The server ${server.howItEnded()}.`)
  })
}
