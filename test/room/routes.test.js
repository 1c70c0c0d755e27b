import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { createRandom } from '../../runner/shared/random.js'
import { seed } from '../shard.js'
import { openTestRoom, report } from './open.js'

const source = fs.readFileSync(new URL('../../classroom/room/room-routes.js', import.meta.url), 'utf8')
/** Where the routes of a group are, and what the request carries that they answer. */
const groups = /** @type {const} */ ({
  learnerRoutes: ['/api', 'token'],
  pageRoutes: ['', 'code'],
  publicRoutes: ['/api/rooms', 'code'],
  instructorRoutes: ['/api/class', 'secret']
})
/** These admit every client: pages without data, and the door, whose code is in the body. */
const open = ['GET /class', 'POST /api/seats']

/** Every route that the room has. */
function routes () {
  const [, ...parts] = source.split(/^export function (?=\w+Routes )/m)
  assert.equal(parts.length, Object.keys(groups).length)
  return parts.flatMap((part) => {
    const [start, needs] = groups[/** @type {keyof typeof groups} */ (part.split(' ')[0])]
    const found = [...part.matchAll(/'(GET|POST|PUT|PATCH|DELETE) ([^']+)'|\bpages\.get\('([^']+)'/g)]
    return found.map(([, method = 'GET', end, page]) =>
      ({ method, path: (start + (end ?? page)).replace(/\/$/, ''), needs }))
  })
}

test('every route answers those who may use it, and refuses the others: no token, a wrong one, a learner, one who left',
  async (t) => {
    const { ask, join, code, secret } = await openTestRoom(t, { guesses: { waitMs: 1, most: 1000 } })
    const [{ token }, { token: left }] = [await join('Ada'), await join('Grace')]
    await ask('DELETE', '/api/seat', undefined, left)
    const wrong = 'x'.repeat(22)
    const all = routes()
    assert.ok(all.length > 25, `${all.length} routes`)
    for (const { method, path, needs } of all) {
      const name = `${method} ${path}`
      const body = method === 'GET' ? undefined : {}
      const statusOf = async (/** @type {string} */ own, /** @type {string} */ bearer) =>
        (await ask(method, path.replace(':code', own).replace(':id', '7'), body, bearer)).status
      if (open.includes(name)) {
        assert.ok(await statusOf(code, '') !== 401, name)
        continue
      }
      if (needs === 'code') {
        for (const one of ['', token, secret]) assert.equal(await statusOf('aaaa-aaaa', one), 403, name)
        if (!path.endsWith('/events')) assert.equal(await statusOf(code, ''), 200, name)
        continue
      }
      const others = [left, wrong, code, '', needs === 'secret' ? token : secret]
      for (const one of others) assert.equal(await statusOf(code, one), 401, `${name}, ${others.indexOf(one)}`)
    }
    assert.deepEqual((await ask('GET', '/api/class', undefined, secret)).json.seats.map(
      (/** @type {any} */ seat) => seat.name), ['Ada'])
  })

const requests = 200
const strange = [
  null, true, -1, 1e308, '', '\u0000\u202e', '__proto__', 'x'.repeat(70_000), [], [[]], {}, { length: 1e9 }, 'NaN'
]

test('whatever is sent is refused with a reason, and the room goes on', async (t) => {
  const random = createRandom(`${seed}/room`)
  const { ask, join, code, secret } = await openTestRoom(t, { guesses: { waitMs: 1, most: 10 } })
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
 * @param {import('../../runner/shared/random.js').Random} random
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

/** @param {string} text @param {import('../../runner/shared/random.js').Random} random */
function cut (text, random) {
  return text.slice(0, random.int(0, text.length - 1))
}
