import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { openDatabase } from '../../classroom/room/database.js'
import { medianTime } from '../../classroom/room/presence.js'
import { readLessons } from '../../classroom/room/read-lessons.js'
import { openStore } from '../../classroom/room/store.js'
import { makeRepository } from '../lesson/fixture.js'
import { temporaryFolder } from '../temporary.js'
import { openTestRoom, report } from './open.js'

/** @import { Store } from '../../classroom/room/store.js' */

const marker = 'Marker3141'
const at = '2026-03-01T09:00:00.000Z'
const audit = { at, who: 'instructor', what: 'test', about: '' }

test('what is deleted or renamed is on the disk no more: not in the file, its log, or a backup', async (t) => {
  /** @type {Store | undefined} */
  let store
  const open = async (/** @type {string} */ file) => (store = await openStore(file))
  const { dir, ask, join, secret } = await openTestRoom(t, { open })
  const found = () => fs.readdirSync(dir).filter((name) => fs.readFileSync(path.join(dir, name)).includes(marker))
  const marked = report({ seed: marker })
  const { token } = await join(marker)
  await ask('POST', '/api/seat/reports', marked, token)
  store?.backUp()
  assert.ok(found().includes('backup-1.sqlite'), `${found()}`)
  await ask('DELETE', '/api/seat', undefined, token)
  assert.deepEqual(found(), [])
  await join(marker)
  await ask('PATCH', '/api/class/seats/2', { name: 'Ada' }, secret)
  assert.deepEqual(found(), [])
  const { token: third } = await join(marker)
  await ask('POST', '/api/seat/reports', marked, third)
  await ask('DELETE', '/api/class/seats/3', undefined, secret)
  assert.deepEqual(found(), [])
})

test('a damaged file is one sentence that names it and its last backup, which opens', async (t) => {
  const open = async (/** @type {string} */ file) => {
    const store = await openStore(file)
    return { ...store, close: () => { store.backUp(); store.backUp(); store.close() } }
  }
  const { dir, join, ask, close } = await openTestRoom(t, { open })
  const { token } = await join()
  for (let times = 0; times < 30; times++) await ask('POST', '/api/seat/reports', report(), token)
  await close()
  const file = path.join(dir, 'room.sqlite')
  const whole = fs.readFileSync(file)
  const damage = () => fs.writeFileSync(file, whole.fill(0xa5, 8192, 3 * 8192))
  damage()
  await assert.rejects(openTestRoom(t, { dir }), ({ message }) => {
    assert.match(message, /^The room in .+room\.sqlite is damaged \(SQLITE_CORRUPT\)\. Its last backup is .+-1\.sq/)
    return true
  })
  fs.renameSync(path.join(dir, 'backup-1.sqlite'), file)
  const again = await openTestRoom(t, { dir })
  const { seats: [seat] } = (await again.ask('GET', '/api/class', undefined, again.secret)).json
  assert.equal(seat.lessons['in-memory-json'].attempts, 30)
  await again.close()
  damage()
  for (const number of [1, 2]) fs.rmSync(path.join(dir, `backup-${number}.sqlite`), { force: true })
  await assert.rejects(openTestRoom(t, { dir }), /It has no backup: move it away/)
})

test('deleting works where nothing else can be kept', async (t) => {
  const file = path.join(temporaryFolder(t), 'room.sqlite')
  const store = await openStore(file, { mostPages: 60 })
  const seat = { name: 'Ada', nickname: null, isOnBoard: false, joinedAt: at, lastSeenAt: at, removedAt: null }
  const ids = [1, 2].map((number) => store.addSeat({ ...seat, tokenHash: String(number) }, audit))
  const times = { startedAt: at, sentAt: at, receivedAt: at }
  const settings = {
    code: 'x', secret: 'x', createdAt: at, port: 0, messages: [], isLobbyLocked: false, locked: [], revealed: []
  }
  const one = { seat: ids[0], ...times, record: 'x'.repeat(900) }
  const fill = () => { for (let id = 0; ; id++) store.addReports([{ ...one, id: String(id), source: 'reported' }]) }
  assert.throws(fill, { code: 'SQLITE_FULL' })
  // A deletion is logged, and that needs space, too.
  const long = { ...audit, about: 'x'.repeat(20_000) }
  store.deleteSeat(ids[1], settings, long)
  assert.deepEqual(store.readSeats().map(({ id }) => id), [ids[0]])
  store.emptySeats([{ ...seat, id: ids[0], removedAt: at }], settings, audit)
  assert.deepEqual(store.readReportsOf(ids[0]), [])
  assert.equal(fs.statSync(path.join(path.dirname(file), 'space-for-deleting')).size, 16 * 1024 * 1024)
  store.close()
})

test('one process has the file, and the disk has what it says that it has', async (t) => {
  const file = path.join(temporaryFolder(t), 'room.sqlite')
  const database = await openDatabase(file)
  await assert.rejects(openDatabase(file), /is open already: stop it there/)
  for (const pragma of ['fullfsync', 'checkpoint_fullfsync']) {
    assert.deepEqual(database.prepare(`PRAGMA ${pragma}`).raw().all(), [[1]])
  }
  database.close()
})

test('times are computed of however many reports', () => {
  const attempts = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => ({ at, verdict: 'pass' }))
  const lessons = /** @type {any} */ (new Map([['a', attempts(200_000)], ['b', attempts(1)]]))
  assert.equal(medianTime([{ id: 1, joinedAt: 0, seenAt: 0, lookedAt: 0, lessons }], 'b'), 0)
})

test('a lesson that ends the process that loads it is named as what keeps the room from opening', async (t) => {
  const root = await makeRepository(t, { 'lessons/03-in-memory-json/lesson.js': 'process.exit()\n' })
  const env = { ...process.env, MAKE_IT_FAST_LESSONS: root }
  await assert.rejects(openTestRoom(t, { env, read: readLessons }),
    /^WorkshopError: A lesson calls process\.exit\(\) while it loads/)
})
