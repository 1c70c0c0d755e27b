import { histogramOf, mean } from '../judge/index.js'

/** @import { SliceFigures } from '../judge/index.js' */

/**
 * Pure.
 *
 * The rate counts from the first request to the very last answer. Counting from the first answer would give a server
 * that answers in bursts its first burst for free; cutting the slice off while requests are in flight would take from
 * a server that works on several at once the work it has half done.
 *
 * @param {object} slice
 * @param {number} slice.startedAt ms
 * @param {readonly number[]} slice.receivedAt ms, in the order of arrival
 * @param {readonly number[]} slice.latencies ms, of the same answers
 * @param {number} slice.connections
 * @returns {SliceFigures}
 */
export function sliceFigures ({ startedAt, receivedAt, latencies, connections }) {
  const answers = receivedAt.length
  const distribution = histogramOf(latencies)
  if (answers === 0) {
    return { answers, elapsedMs: 0, rate: 0, latencies: distribution, degradation: null, littlesLaw: null }
  }
  const elapsedMs = receivedAt[answers - 1] - startedAt
  const rate = answers / elapsedMs * 1000
  return {
    answers,
    elapsedMs,
    rate,
    latencies: distribution,
    degradation: degradationOf(startedAt, receivedAt),
    // The ends of a slice hold requests that are still in flight; only a long slice obeys the law.
    littlesLaw: answers >= 10 * connections ? rate * mean(latencies) / 1000 / connections : null
  }
}

/** @param {number} startedAt @param {readonly number[]} receivedAt */
function degradationOf (startedAt, receivedAt) {
  const third = Math.floor(receivedAt.length / 3)
  if (third < 5) return null
  const first = receivedAt[third - 1] - startedAt
  const last = receivedAt[receivedAt.length - 1] - receivedAt[receivedAt.length - 1 - third]
  return last / first
}
