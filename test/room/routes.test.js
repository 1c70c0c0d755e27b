import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { openTestRoom } from './open.js'

const folder = new URL('../../runner/room/server/routes/', import.meta.url)
/** Where the routes of a file are, and what the request carries that they answer. */
const files = /** @type {const} */ ([
  ['instructor.js', '/api/class', 'secret'],
  ['learners.js', '/api', 'token'],
  ['public.js', '/api/rooms', 'code'],
  ['pages.js', '', 'code']
])
/** These admit every client: pages without data, drawings of lessons, and the door, whose code is in the body. */
const open = ['GET /class', 'GET /class/slides', 'GET /pictures/:lesson/:name', 'POST /api/seats']

/** Every route that the room has. */
function routes () {
  return files.flatMap(([file, start, needs]) => {
    const source = fs.readFileSync(new URL(file, folder), 'utf8')
    return [...source.matchAll(/\b(?:api|pages)\.(get|post|put|patch|delete)\('([^']+)'/g)].map(([, method, end]) =>
      ({ method: method.toUpperCase(), path: (start + end).replace(/\/$/, ''), needs }))
  })
}

test('every route answers those who may use it, and refuses the others: no token, a wrong one, a learner, one who left',
  async (t) => {
    const { ask, join, code, secret } = await openTestRoom(t, { limits: { waitMs: 1, most: 1000 } })
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
