import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { openDatabase } from '../../classroom/room/database.js'
import { presenceOf } from '../../classroom/room/presence.js'
import { openTestRoom, report } from './open.js'

const minute = 60_000

test('who is here: what they do while that is fresh, when they were seen, and away after half an hour', () => {
  const now = 100 * minute
  /** @param {number} ago minutes @param {any} [differences] of the sign */
  const at = (ago, differences) => {
    const seenAt = now - ago * minute
    const sign = { at: seenAt, state: 'reading', lesson: 'a', lookedAt: 0, ...differences }
    return presenceOf(seenAt, differences === null ? undefined : sign, now)
  }
  assert.deepEqual(at(0), { state: 'reading', lesson: 'a', minutes: 0 })
  assert.deepEqual(at(1, { state: 'checking' }), { state: 'checking', lesson: 'a', minutes: 1 })
  assert.equal(at(1, { lookedAt: now - 2 * minute }).state, 'looking', 'they change code between two looks')
  assert.equal(at(1, { lookedAt: now - 4 * minute }).state, 'reading')
  assert.deepEqual(at(5), { state: null, lesson: null, minutes: 5 })
  assert.deepEqual(at(5, null), { state: null, lesson: null, minutes: 5 })
  assert.deepEqual(at(31), { state: 'away', lesson: null, minutes: 31 })
})

test('a poll says what its learner does, and nothing else; the room keeps it in memory alone', async (t) => {
  let now = Date.UTC(2026, 0, 31, 9)
  const first = await openTestRoom(t, { now: () => now })
  const { token } = await first.join()
  const seatIn = async ({ ask, secret } = first) => (await ask('GET', '/api/class', undefined, secret)).json.seats[0]
  const poll = (/** @type {string} */ query, { ask } = first) => ask('GET', `/api/seat${query}`, undefined, token)
  await poll('')
  assert.deepEqual((await seatIn()).presence, { state: null, lesson: null, minutes: 0 })
  await poll('?lesson=in-memory-json&state=checking')
  assert.deepEqual((await seatIn()).presence, { state: 'checking', lesson: 'in-memory-json', minutes: 0 })
  now += minute
  await poll('?lesson=in-memory-json&state=reading')
  assert.equal((await seatIn()).presence.state, 'looking')
  for (const evil of ['?lesson=x&state=hacking', '?lesson[]=a&state[]=reading', '?state=__proto__&lesson=__proto__']) {
    assert.equal((await poll(evil)).status, 200)
    assert.deepEqual((await seatIn()).presence, { state: null, lesson: null, minutes: 0 })
  }
  now += 5 * minute
  assert.deepEqual((await seatIn()).presence, { state: null, lesson: null, minutes: 5 })
  await first.close()
  now += 26 * minute
  const second = await openTestRoom(t, { dir: first.dir, env: first.env, now: () => now })
  // Its last report is not known to be later than its joining.
  assert.equal((await seatIn(second)).presence.state, 'away')
  await poll('?state=reading', second)
  assert.equal((await seatIn(second)).presence.state, 'reading')
})

test('hands are up in their order, lowered by both sides, and gone with their seat', async (t) => {
  let now = Date.UTC(2026, 0, 31, 9)
  const { ask, join, secret, code } = await openTestRoom(t, { now: () => now })
  const [ada, grace] = [(await join()).token, (await join('Grace')).token]
  const hands = async () => (await ask('GET', '/api/class', undefined, secret)).json.hands
  const isUp = async (/** @type {string} */ token) =>
    (await ask('GET', '/api/seat', undefined, token)).json.room.isHandUp
  assert.equal((await ask('PUT', '/api/seat/hand', {}, '')).status, 401)
  assert.equal((await ask('PUT', '/api/seat/hand', { lesson: 'overload' }, grace)).json.room.isHandUp, true)
  now += 6 * minute
  await ask('PUT', '/api/seat/hand', { lesson: '<script>' }, ada)
  await ask('PUT', '/api/seat/hand', { lesson: 'in-memory-json' }, grace)
  assert.deepEqual(await hands(), [
    { seat: 2, lesson: 'in-memory-json', minutes: 6 }, { seat: 1, lesson: null, minutes: 0 }
  ])
  const { text } = await ask('GET', `/api/rooms/${code}/projector`)
  assert.doesNotMatch(text, /hand/i)
  assert.equal((await ask('DELETE', '/api/class/seats/2/hand', undefined, ada)).status, 401)
  assert.equal((await ask('DELETE', '/api/class/seats/2/hand', undefined, secret)).status, 200)
  assert.deepEqual([await isUp(grace), await isUp(ada)], [false, true])
  assert.equal((await ask('DELETE', '/api/class/seats/2/hand', undefined, secret)).status, 404)
  assert.equal((await ask('DELETE', '/api/seat/hand', undefined, ada)).json.room.isHandUp, false)
  await ask('PUT', '/api/seat/hand', {}, ada)
  await ask('DELETE', '/api/class/seats/1', undefined, secret)
  assert.deepEqual(await hands(), [])
})

test('the class’s lesson and a break have a clock, and end by themselves', async (t) => {
  let now = Date.UTC(2026, 0, 31, 9)
  const { ask, join, secret, code } = await openTestRoom(t, { now: () => now })
  const { token } = await join()
  const set = async (/** @type {unknown} */ body) => ask('PATCH', '/api/class', body, secret)
  const heard = async () => {
    const { current, timer } = (await ask('GET', '/api/seat', undefined, token)).json.room
    return { current, timer }
  }
  const until = '2026-01-31T09:40:00.000Z'
  await set({ current: { lesson: 'in-memory-json', minutes: 40 } })
  assert.deepEqual((await heard()).current, { lesson: 'in-memory-json', minutes: 40, minutesLeft: 40, until })
  now += 14.5 * minute
  await set({ timer: { text: 'Break\u202e', minutes: 20 } })
  assert.deepEqual(await heard(), {
    current: { lesson: 'in-memory-json', minutes: 40, minutesLeft: 26, until },
    timer: { text: 'Break', minutes: 20, minutesLeft: 20, until: '2026-01-31T09:34:30.000Z' }
  })
  const { text } = await ask('GET', `/${code}/projector`)
  assert.match(text, /Break until \d\d:34<\/strong>[^]*20 of 20 min left/)
  assert.doesNotMatch(text, /Now: lesson/)
  now += 20 * minute
  assert.deepEqual((await heard()).timer, null)
  await set({ timer: null })
  assert.match((await ask('GET', `/${code}/projector`)).text, /Now: lesson 3,[^]*6 of 40 min left/)
  now += 5.5 * minute
  assert.deepEqual(await heard(), { current: null, timer: null })
  await set({ timer: { text: 'Break', minutes: 20 } })
  await set({ timer: null })
  assert.equal((await heard()).timer, null)
  for (const timer of [{ text: '', minutes: 5 }, { text: 'Break', minutes: 0 }, { text: 5, minutes: 5 }, 5]) {
    const { status, json } = await set({ timer })
    assert.deepEqual([status, /needs a text/.test(json.error)], [400, true])
  }
})

test('predictions are dots without names, next to what was measured, and gone with their seat', async (t) => {
  const { ask, join, secret, code, dir, close } = await openTestRoom(t)
  /** @type {string[]} */
  const tokens = []
  for (const name of ['Ada', 'Grace', 'Linus']) tokens.push((await join(name)).token)
  const lesson = 'in-memory-json'
  const predict = async (/** @type {number} */ at, /** @type {unknown} */ ratio, of = lesson) =>
    ask('PUT', '/api/seat/prediction', { lesson: of, ratio }, tokens[at])
  const wall = async () => (await ask('GET', `/api/rooms/${code}/projector`)).json.predicted
  assert.equal((await predict(0, 5)).json.room.prediction, null, 'there is no current lesson')
  await ask('PATCH', '/api/class', { current: { lesson, minutes: 40 } }, secret)
  assert.deepEqual((await predict(1, 8)).json.room.prediction, { lesson, gate: 'rate', ratio: 8, isOpen: true })
  await predict(1, 9)
  assert.equal(await wall(), null, 'each would know whose is whose')
  await predict(2, 2.5)
  assert.deepEqual(await wall(), { ratios: [2.5, 5, 9], measured: null })
  for (const ratio of ['5', null, -1, 0, 1e9, {}]) assert.equal((await predict(0, ratio)).status, 400, String(ratio))
  assert.equal((await predict(0, 5, '__proto__')).status, 400)
  for (const token of tokens) await ask('POST', '/api/seat/reports', report(), token)
  assert.deepEqual((await wall()).measured, { ratio: 6.139, of: 3 })
  assert.match((await predict(0, 6)).json.error, /comes before that/)
  assert.equal((await ask('GET', '/api/seat', undefined, tokens[0])).json.room.prediction.isOpen, false)
  assert.match((await ask('GET', `/${code}/projector`)).text, /<h2>What we predicted<[^]*3 predictions from 2\.5×/)
  await ask('DELETE', '/api/class/seats/3', undefined, secret)
  assert.equal(await wall(), null)
  await ask('DELETE', '/api/seat', undefined, tokens[1])
  await close()
  const database = await openDatabase(path.join(dir, 'room.sqlite'))
  const kept = database.prepare('SELECT seat, lesson, ratio FROM predictions').raw().all()
  database.close()
  assert.deepEqual(kept, [[1, lesson, 5]])
})
