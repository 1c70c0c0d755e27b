import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestRoom, report } from './open.js'

test('who has the code gets a seat and a token, and reports with it', async (t) => {
  const { code, ask, secret } = await openTestRoom(t)
  const typed = ` ${code.toUpperCase().replace('-', '')} `
  const { status, json } = await ask('POST', '/api/seats', { code: typed, name: 'Ada' })
  assert.equal(status, 201)
  assert.match(json.token, /^[\w-]{22}$/)
  assert.deepEqual({ name: json.name, nickname: json.nickname, isOnBoard: json.isOnBoard },
    { name: 'Ada', nickname: null, isOnBoard: false })
  const ids = json.room.lessons.map((/** @type {any} */ { id }) => id)
  assert.deepEqual(ids, ['sync-login', 'in-memory-json', 'overload'])
  const first = report()
  const answer = await ask('POST', '/api/seat/reports', first, json.token)
  assert.deepEqual({ status: answer.status, isNew: answer.json.isNew }, { status: 202, isNew: true })
  const again = await ask('POST', '/api/seat/reports', first, json.token)
  assert.deepEqual({ status: again.status, isNew: again.json.isNew }, { status: 202, isNew: false })
  const { seats } = (await ask('GET', '/api/class', undefined, secret)).json
  assert.equal(seats.length, 1)
  const { state, attempts, ratio } = seats[0].lessons['in-memory-json']
  assert.deepEqual({ state, attempts, ratio }, { state: 'pass', attempts: 1, ratio: 6.139 })
})

test('what is not a report is refused with a reason, and fields that do not belong to one are dropped', async (t) => {
  const { ask, join, secret } = await openTestRoom(t)
  const { token } = await join()
  const right = report()
  for (const [body, status, sentence] of /** @type {const} */ ([
    ['{', 400, /makes no sense/],
    [{ ...right, id: 'x' }, 400, /needs an id/],
    [{ ...right, sentAt: 'now' }, 400, /needs the times/],
    [report({ startedAt: '1970-01-01T00:00:00.000Z' }), 400, /needs the times/],
    [{ ...right, record: null }, 400, /isn’t the record of a check: it is not of type object/],
    [{ ...right, record: { ...right.record, verdict: 'best' } }, 400, /of a check: verdict is not one of pass, /],
    [{ ...right, record: { ...right.record, gates: [{}] } }, 400, /of a check: gates\[0\]\.name is missing/],
    [report({ lesson: { id: 'another', number: 1, title: '' } }), 400, /doesn’t have that lesson/],
    [{ ...right, more: 'x'.repeat(70_000) }, 413, /64 kB/]
  ])) {
    const answer = await ask('POST', '/api/seat/reports', body, token)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.json.error, sentence)
  }
  const output = [{ server: 'yours', text: 'my secret source' }]
  assert.equal((await ask('POST', '/api/seat/reports', report({ output, source: 'my secret' }), token)).status, 202)
  assert.doesNotMatch((await ask('GET', '/api/class/export.json', undefined, secret)).text, /my secret/)
})

test('a seat that asks all the time is held back, and the others are not', async (t) => {
  const { ask, join } = await openTestRoom(t)
  const [{ token }, { token: other }] = [await join(), await join('Grace')]
  const statuses = []
  for (let at = 0; at < 230; at++) statuses.push((await ask('GET', '/api/seat', undefined, token)).status)
  assert.equal(statuses[0], 200)
  assert.ok(statuses.includes(429))
  assert.equal((await ask('GET', '/api/seat', undefined, other)).status, 200)
  assert.equal((await ask('DELETE', '/api/seat', undefined, token)).status, 200, 'to leave is never too often')
})

test('of many wrong codes at once most are refused unread, and learners with the right one get in', async (t) => {
  const { ask, join, code } = await openTestRoom(t, { guesses: { waitMs: 3000, most: 20 } })
  const guesses = Promise.all(Array.from({ length: 40 }, async (_, at) => {
    const { status } = at % 2 === 0
      ? await ask('POST', '/api/seats', { code: `aaaa-${at}`, name: 'Eve' })
      : await ask('GET', `/api/rooms/bbbb-${at}`)
    return status
  }))
  assert.equal((await join('Ada')).name, 'Ada')
  assert.equal((await ask('GET', `/api/rooms/${code}`)).status, 200)
  assert.deepEqual([...new Set(await guesses)].sort(), [403, 429])
  assert.equal((await join('Grace')).name, 'Grace')
})
