import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const mostMs = 20_000

/** @param {() => unknown} condition what is waited for; an error after 20 s without it */
export async function until (condition) {
  for (const end = Date.now() + mostMs; !await condition();) {
    assert.ok(Date.now() < end, `not within ${mostMs / 1000} s: ${condition}`)
    await sleep(10)
  }
}
