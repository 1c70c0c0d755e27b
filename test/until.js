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
