import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { createAdmission } from '../../classroom/room/entrance.js'
import { createInbox, readOne } from '../../classroom/room/inbox.js'
import { createRoom } from '../../classroom/room/room-state.js'
import { join, leave } from '../../classroom/room/seats.js'
import { openStore } from '../../classroom/room/store.js'
import { temporaryFolder } from '../temporary.js'
import { openTestRoom, report } from './open.js'

/** @import { Store } from '../../classroom/room/store.js' */

test('the door lets many in at once, then a few each second; a class of 500 is in within minutes', () => {
  let now = 0
  const door = createAdmission({ most: 60, perSecond: 2, perAddress: 1000 }, () => now)
  const canJoin = () => {
    try {
      door.admit('10.0.0.1')
      return true
    } catch (error) {
      assert.equal(error.status, 429)
      return false
    }
  }
  let joined = 0
  for (; joined < 500; now += 100) while (canJoin() && joined < 500) joined++
  assert.ok(now < 4 * 60_000, `${now} ms`)
  assert.ok(now > 3 * 60_000, `${now} ms: one learner may not take them at once`)
})

test('one address has so many seats, even when it leaves them, until the instructor lets more in', async (t) => {
  const { join, ask, secret } = await openTestRoom(t, { admissionLimits: { most: 60, perSecond: 0, perAddress: 3 } })
  for (const name of ['Ada', 'Grace', 'Linus']) {
    const { token } = await join(name)
    await ask('DELETE', '/api/seat', undefined, token)
  }
  assert.match((await join('Eve')).error, /3 seats were taken from your network address: ask the instructor/)
  const { crowded: [{ address, joined }] } = (await ask('GET', '/api/class', undefined, secret)).json
  assert.deepEqual([address, joined], ['127.0.0.1', 3])
  assert.equal((await ask('POST', '/api/class/admit', { address: '10.0.0.1' }, secret)).status, 400)
  assert.deepEqual((await ask('POST', '/api/class/admit', { address }, secret)).json.crowded, [])
  assert.equal((await join('Eve')).name, 'Eve')
  const { text } = await ask('GET', '/api/class/export.json', undefined, secret)
  assert.doesNotMatch(text, /127\.0\.0\.1/)
})

test('a room has as many seats as the instructor wants', async (t) => {
  const { join } = await openTestRoom(t, { mostSeats: 2 })
  const [{ status = 201 }, , third] = [await join(), await join('Grace'), await join('Linus')]
  assert.equal(status, 201)
  assert.match(third.error, /is full: it has 2 seats/)
})

test('seats that joined after a moment and never reported go at once, and come back within a minute', async (t) => {
  let now = Date.parse('2026-03-01T09:00:00.000Z')
  const { join, ask, secret } = await openTestRoom(t, { now: () => now })
  const namesNow = async () => (await ask('GET', '/api/class', undefined, secret)).json.seats
    .map((/** @type {any} */ { name }) => name)
  await join('Ada')
  const after = new Date(now).toISOString()
  now += 1000
  const [{ token: grace }, { token: eve }] = [await join('Grace'), await join('Eve', { nickname: 'moth', board: true })]
  await join('Eve')
  await ask('POST', '/api/seat/reports', report(), grace)
  assert.match((await ask('POST', '/api/class/sweep', { after: 'noon' }, secret)).json.error, /after which moment/)
  assert.deepEqual((await ask('POST', '/api/class/sweep', { after }, secret)).json, { removed: 2, said: '' })
  assert.deepEqual(await namesNow(), ['Ada', 'Grace'])
  assert.equal((await ask('GET', '/api/class', undefined, secret)).json.swept, 2)
  assert.equal((await ask('GET', '/api/seat', undefined, eve)).status, 410)
  await join('eve')
  assert.deepEqual((await ask('DELETE', '/api/class/sweep', undefined, secret)).json, { back: 2 })
  assert.deepEqual(await namesNow(), ['Ada', 'Grace', 'Eve 2', 'Eve 2 2', 'eve'])
  const { nickname, isOnBoard } = (await ask('GET', '/api/seat', undefined, eve)).json
  assert.deepEqual({ nickname, isOnBoard }, { nickname: 'moth', isOnBoard: true })
  await ask('POST', '/api/class/sweep', { after }, secret)
  now += 61_000
  assert.equal((await ask('GET', '/api/class', undefined, secret)).json.swept, 0)
  assert.equal((await ask('DELETE', '/api/class/sweep', undefined, secret)).status, 409)
})

test('a seat keeps so many reports of so many bytes, and a record is not endlessly long', async (t) => {
  const { join, ask, secret } = await openTestRoom(t)
  const { token } = await join()
  const name = 'x'.repeat(490)
  const long = (/** @type {number} */ count) => report({
    contract: Array.from({ length: count }, () => ({ name, when: 'before', status: 'pass', message: '' }))
  })
  const refused = await ask('POST', '/api/seat/reports', long(70), token)
  assert.deepEqual([refused.status, refused.json.error], [413, 'That record is too long: 32 kB is the limit.'])
  assert.equal((await ask('POST', '/api/seat/reports', long(50), token)).status, 202)
  const imported = async (/** @type {string} */ key, /** @type {any[]} */ list) => {
    const reports = list.map(({ id, record }) => ({ id, record }))
    const file = { format: 'make-it-fast-export', version: 1, key: key.repeat(64), name: 'Grace', reports }
    return (await ask('POST', '/api/class/import', file, secret)).json
  }
  assert.equal((await imported('a', Array.from({ length: 1000 }, () => report()))).added, 1000)
  const { added, refused: [why] } = await imported('a', [report()])
  assert.equal(added, 0)
  assert.match(why, /keeps 1000 reports and 8 MB of each seat/)
  let kept = 0
  for (let files = 0; files < 2; files++) {
    kept += (await imported('b', Array.from({ length: 250 }, () => long(55)))).added
  }
  assert.ok(kept > 200 && kept < 300, `${kept} of 28 kB each`)
})

test('reports that come together are one commit, and each gets its own answer', async (t) => {
  const store = await openStore(path.join(temporaryFolder(t), 'room.sqlite'))
  t.after(store.close)
  /** @type {number[]} */
  const commits = []
  /** @type {Store['addReports']} */
  const addReports = (reports) => { commits.push(reports.length); return store.addReports(reports) }
  const { id, number, title } = report().record.lesson
  const empty = { tiers: [], checks: [], gates: [], leading: null }
  const room = createRoom({ store: { ...store, addReports }, lessons: [{ id, number, title, ...empty }] })
  const put = createInbox(room)
  /** @param {import('../../classroom/room/room-state.js').LiveSeat} seat @param {object} one */
  const add = async (seat, one) => put(readOne(room, seat, one, 'reported'))
  const [ada, grace] = ['Ada', 'Grace'].map((name) => join(room, { name }, '').seat)
  const twice = report()
  const answers = [report(), twice, twice].map((one) => add(ada, one))
  const late = add(grace, report()).catch(({ status }) => status)
  leave(room, grace)
  assert.deepEqual(await Promise.all(answers), [true, true, false])
  assert.equal(await late, 401)
  assert.deepEqual(commits, [3])
  assert.equal(store.readReportsOf(ada.id).length, 2)
})

test('everything is downloaded piece by piece, and what a seat changes again and again is noted once', async (t) => {
  const { join, ask, secret } = await openTestRoom(t)
  const { token } = await join()
  for (const name of ['Grace', 'Linus', 'Ada']) await ask('PATCH', '/api/seat', { name }, token)
  await ask('PATCH', '/api/class/seats/1', { name: 'Ada' }, secret)
  const empty = await ask('GET', '/api/class/export.json', undefined, secret)
  assert.deepEqual(empty.json.reports, [])
  assert.deepEqual(empty.json.audit.filter((/** @type {any} */ { what }) => what === 'change seat')
    .map((/** @type {any} */ { who }) => who), ['seat 1', 'instructor'])
  for (let at = 0; at < 5; at++) await ask('POST', '/api/seat/reports', report(), token)
  const all = await ask('GET', '/api/class/export.json', undefined, secret)
  assert.equal(all.headers['content-length'], undefined)
  assert.match(String(all.headers['content-disposition']), /class-.*\.json/)
  assert.equal(all.json.reports.length, 5)
  assert.ok(!('kept' in all.json.seats[0]) && !('tokenHash' in all.json.seats[0]))
})
