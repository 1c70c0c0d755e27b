import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { openDatabase } from '../../classroom/room/database.js'
import { openStore } from '../../classroom/room/store.js'
import { makeRepository } from '../lesson/fixture.js'
import { openTestRoom, report } from './open.js'

test('a room that is opened again is as it was: code, secret, port, seats, reports, locks', async (t) => {
  const root = await makeRepository(t)
  const given = { dir: path.join(root, 'class'), env: { ...process.env, MAKE_IT_FAST_LESSONS: root } }
  const first = await openTestRoom(t, given)
  const { token } = await first.join('Ada', { board: true })
  await first.ask('POST', '/api/seat/reports', report(), token)
  await first.ask('PATCH', '/api/class', { locked: ['overload'] }, first.secret)
  await first.ask('POST', '/api/class/messages', { text: 'Hello' }, first.secret)
  await first.ask('PATCH', '/api/class', { current: { lesson: 'overload', minutes: 40 } }, first.secret)
  await first.ask('PUT', '/api/seat/prediction', { lesson: 'overload', ratio: 6.5 }, token)
  const before = (await first.ask('GET', '/api/class', undefined, first.secret)).json
  await assert.rejects(openTestRoom(t, given), /is open already/)
  await first.close()
  const second = await openTestRoom(t, given)
  assert.deepEqual([second.url, second.code, second.secret], [first.url, first.code, first.secret])
  assert.deepEqual((await second.ask('GET', '/api/class', undefined, second.secret)).json, before)
  assert.equal((await second.ask('GET', '/api/seat', undefined, token)).json.room.prediction.ratio, 6.5)
  assert.equal((await second.ask('POST', '/api/seat/reports', report(), token)).status, 202)
})

test('a disk that is full: what cannot be kept is refused with a reason, and the room goes on', async (t) => {
  let isFull = false
  const open = async (/** @type {string} */ file) => {
    const store = await openStore(file)
    const full = () => { throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }) }
    return new Proxy(store, {
      get: (target, name) => isFull && /^(add|save|delete|empty)/.test(String(name))
        ? full
        : Reflect.get(target, name)
    })
  }
  const { ask, join, secret } = await openTestRoom(t, { open })
  const { token } = await join()
  isFull = true
  const one = report()
  for (const [method, place, body, who] of /** @type {const} */ ([
    ['POST', '/api/seat/reports', one, token],
    ['PATCH', '/api/seat', { name: 'Grace' }, token],
    ['DELETE', '/api/seat', undefined, token],
    ['POST', '/api/class/messages', { text: 'x' }, secret],
    ['DELETE', '/api/class/seats/1', undefined, secret]
  ])) {
    const { status, json } = await ask(method, place, body, who)
    assert.equal(status, 507, place)
    assert.match(json.error, /couldn’t keep this, because its disk is full, or/)
  }
  const { messages, seats: [seat] } = (await ask('GET', '/api/class', undefined, secret)).json
  assert.deepEqual([messages, seat.name, seat.lessons], [[], 'Ada', {}])
  isFull = false
  assert.equal((await ask('POST', '/api/seat/reports', one, token)).json.isNew, true)
})

test('a room of another workshop, or what is no room, is one sentence', async (t) => {
  const root = await makeRepository(t)
  const [otherDir, noneDir] = ['other', 'none'].map((name) => path.join(root, name))
  for (const dir of [otherDir, noneDir]) fs.mkdirSync(dir)
  const database = await openDatabase(path.join(otherDir, 'room.sqlite'))
  database.exec('PRAGMA user_version = 99')
  database.close()
  const refusalIn = (/** @type {string} */ dir) => openTestRoom(t, { dir }).then(() => '', String)
  assert.equal(await refusalIn(otherDir), 'WorkshopError: This room was written by another version of the workshop: ' +
    'run `git pull` for a newer one, or name another folder with --dir.')
  fs.writeFileSync(path.join(noneDir, 'room.sqlite'), 'x'.repeat(5000))
  assert.match(await refusalIn(noneDir), /The room in .+ is damaged \(SQLITE_NOTADB\)\. It has no backup: move it away/)
})

test('no other user of the machine may read it', async (t) => {
  if (process.platform === 'win32') return t.skip('Windows has no such permissions')
  const { dir } = await openTestRoom(t)
  for (const name of fs.readdirSync(dir)) assert.equal(fs.statSync(path.join(dir, name)).mode & 0o077, 0, name)
})
