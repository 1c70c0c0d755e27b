import assert from 'node:assert/strict'
import test from 'node:test'
import { createRandom } from '../../runner/random.js'
import { seed } from '../shard.js'
import { openTestRoom, report } from './open.js'

const requests = 400
const strange = [
  null, true, -1, 1e308, '', '\u0000\u202e', '__proto__', 'x'.repeat(70_000), [], [[]], {}, { length: 1e9 }, 'NaN'
]

test('whatever is sent is refused with a reason, and the room goes on', async (t) => {
  const random = createRandom(`${seed}/room`)
  const { ask, join, code, secret } = await openTestRoom(t, { limits: { waitMs: 1, most: 10 } })
  const { token } = await join()
  const places = [
    ['POST', '/api/seats'], ['PATCH', '/api/seat'], ['POST', '/api/seat/reports'], ['PATCH', '/api/class'],
    ['PATCH', '/api/class/seats/1'], ['DELETE', '/api/class/seats/x'], ['POST', '/api/class/import'],
    ['GET', '/api/rooms/%00'], ['GET', '/api/rooms/%E0%A4%A'], ['PUT', '/api/seat'], ['GET', '/%2e%2e/'], ['POST', '/']
  ]
  /** @type {Set<number>} */
  const seen = new Set()
  for (let at = 0; at < requests; at++) {
    const [method, place] = random.pick(places)
    const base = place.endsWith('reports') ? report() : { code, name: 'Eve', locked: [], reports: [] }
    const body = random.pick([() => mutated(base, random), () => cut(JSON.stringify(base), random), () => '[1'])()
    const { status, json, text } = await ask(method, place, body, random.pick([token, secret, 'wrong', '']))
    seen.add(status)
    assert.ok(status < 500, `${method} ${place} ${JSON.stringify(body)?.slice(0, 500)}: ${status} ${text}`)
    if (status >= 400) assert.ok(json === undefined || json.error.length > 10, text)
  }
  for (const status of [400, 401, 413]) assert.ok(seen.has(status), `${status} among ${[...seen]}`)
  const { token: another } = await join('Grace')
  assert.equal((await ask('POST', '/api/seat/reports', report(), another)).status, 202)
})

/**
 * Somewhere inside, something else.
 *
 * @param {any} value
 * @param {import('../../runner/random.js').Random} random
 * @returns {any}
 */
function mutated (value, random) {
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : []
  if (keys.length === 0 || random.next() < 0.2) return random.pick(strange)
  const key = random.pick(keys)
  const copy = Array.isArray(value) ? [...value] : { ...value }
  copy[key] = mutated(copy[key], random)
  return copy
}

/** @param {string} text @param {import('../../runner/random.js').Random} random */
function cut (text, random) {
  return text.slice(0, random.int(0, text.length - 1))
}
