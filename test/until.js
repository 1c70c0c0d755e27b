import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const usualMs = 20_000

/**
 * @param {() => unknown} condition what is waited for
 * @param {number} [mostMs] an error after so long without it; more where whole checks are waited for
 */
export async function until (condition, mostMs = usualMs) {
  for (const end = Date.now() + mostMs; !await condition();) {
    assert.ok(Date.now() < end, `not within ${mostMs / 1000} s: ${condition}`)
    await sleep(10)
  }
}

/**
 * What a measurement shows, a busy machine can hide: then it is measured again, in the next way. What must never be is
 * asserted each time, by `never`.
 *
 * @template T, Way
 * @param {readonly Way[]} ways to measure: from the quickest to the longest
 * @param {(way: Way) => Promise<T>} measure
 * @param {(seen: T) => void} shows throws where it does not
 * @param {(seen: T) => void} [never]
 * @returns {Promise<T>}
 */
export async function repeated (ways, measure, shows, never = () => {}) {
  for (const [index, way] of ways.entries()) {
    const seen = await measure(way)
    never(seen)
    try {
      shows(seen)
      return seen
    } catch (error) {
      if (index === ways.length - 1) throw error
    }
  }
  throw new Error('There is no way to measure.')
}
