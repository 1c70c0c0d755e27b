import { availableParallelism } from 'node:os'

/**
 * Were the passwords really hashed? A hash has a physical limit: nobody computes it in a fraction of its time, nor more
 * of them at a time than there are cores.
 *
 * @typedef {object} HashCount
 * @property {number[]} answeredAt when the last answers that cost a hash came, ms
 * @property {string} [tooMany] what is wrong when they were too many
 */

// Cores change their speed between two measurements: this much slack keeps an honest server safe.
const plausibleShare = 1 / 4
const capacityWindow = 32
const capacitySlack = 3

/**
 * @param {number} elapsedMs from sending the request to the end of its answer
 * @param {number} hashMs what one hash takes on this machine
 * @returns {string | undefined} what is wrong
 */
export function haste (elapsedMs, hashMs) {
  if (elapsedMs >= hashMs * plausibleShare) return undefined
  return `the answer came faster than its hash can be computed, after ${elapsedMs.toFixed(1)} ms, where one hash ` +
    `takes ${hashMs.toFixed(0)} ms: was this password hashed?`
}

/** @returns {HashCount} */
export function newHashCount () {
  return { answeredAt: [] }
}

/**
 * Whoever keeps passwords and sleeps for a while instead of hashing answers more requests than the cores could hash.
 * As many answers as there are connections may come at once, and as many were begun before the window.
 *
 * @param {HashCount} count
 * @param {{ hashMs: number, connections: number }} data
 * @param {number} receivedAt ms
 */
export function countHash (count, { hashMs, connections }, receivedAt) {
  const window = capacityWindow + 2 * connections
  count.answeredAt.push(receivedAt)
  if (count.answeredAt.length > window) count.answeredAt.shift()
  if (count.answeredAt.length < window) return
  const spanMs = receivedAt - count.answeredAt[0]
  const leastMs = capacityWindow * hashMs / (Math.min(availableParallelism(), connections) * capacitySlack)
  if (spanMs < leastMs) {
    count.tooMany = `${window} answers that cost a hash came within ${spanMs.toFixed(0)} ms, more than this machine ` +
      'can hash in that time: were these passwords hashed?'
  }
}

/** For `sourceHints`: what compares hashes in a way that takes longer the more bytes are right. */
export const comparesInUnequalTime = {
  pattern: new RegExp([
    /Buffer\.compare\(|\.equals\(/,
    /(hash|derived)\w*(\.toString\([^)]*\))?\s*[!=]==?(?!=|\s*(undefined|null))/,
    /[!=]==?\s*(\w+\.)?(hash|derived)/
  ].map(({ source }) => source).join('|'), 'i'),
  unless: /timingSafeEqual/,
  warning: 'The hashes seem to be compared with something other than crypto.timingSafeEqual: how long the comparison ' +
    'takes can tell how many bytes were right.'
}
