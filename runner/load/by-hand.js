import autocannon from 'autocannon'
import { runClosedLoop } from './closed-loop.js'
import { createVerifier } from './verify.js'

/**
 * @import { Item } from '../lesson/index.js'
 *
 * @typedef {Record<string, number>} Stats by autocannon's names: `p50`, `average`, `max`
 * @typedef {{ latency: Stats, requests: Stats, bytes: Stats }} Figures ms, and those of each second
 */

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
 * @returns {Promise<{ table: string, figures: Figures, counts: string, answers: number, wrong: number,
 *   problems: string[] }>} table: autocannon's own; figures: the same for a narrow one; counts: what stands below both
 */
export async function benchByHand ({ port, connections, seconds, next, signal }) {
  const verifier = createVerifier()
  const endsAt = performance.now() + seconds * 1000
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
  const { wrong, problems } = verifier.finish()
  return {
    table: autocannon.printResult(result, {}).trim(),
    figures: { latency: result.latency, requests: result.requests, bytes: result.throughput },
    counts: autocannon.printResult(result, /** @type {any} */ ({ verbose: false })).trim(),
    answers,
    wrong,
    problems: [broken, ...problems].filter((problem) => problem !== null).map(({ message }) => message)
  }
}
