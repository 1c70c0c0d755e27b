import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import test from 'node:test'
import { openStore } from '../../runner/room/store/store.js'
import { signalChild } from '../../runner/system/index.js'
import { cli, runNode } from '../cli/run.js'
import { makeRepository } from '../lesson/fixture.js'
import { askRoom, openTestRoom } from '../room/open.js'
import { until } from '../until.js'
import { submissionOf } from './grading.js'
import { endChild, needsRedis, startProxy, startRedis } from './redis.js'

/** Whatever happens to Redis, to workers and to the room: as many results as submissions, and none twice. */

const learners = 10
const each = 20
const all = learners * each
const fakeWorker = new URL('fake-worker.js', import.meta.url)

/** A store that counts the results that it takes. @param {number[]} accepted ids @returns {typeof openStore} */
function countingStore (accepted) {
  return async (file) => {
    const store = await openStore(file, { leaseMs: 1500 })
    const { finish } = store.submissions
    store.submissions.finish = (held) => {
      const row = finish(held)
      if (row !== null) accepted.push(row.id)
      return row
    }
    return store
  }
}

/**
 * @param {import('node:test').TestContext} t
 * @param {{ url: string, workerSecret: string }} room
 * @param {string} redis
 */
function startWorker (t, { url, workerSecret }, redis) {
  const child = fork(fakeWorker, { env: { ...process.env, ROOM: url, SECRET: workerSecret, REDIS: redis } })
  const stop = () => endChild(child)
  t.after(stop)
  return { grading: () => once(child, 'message'), stop }
}

test('a worker killed, Redis restarted, flushed and cut off', needsRedis, async (t) => {
  const redis = await startRedis(t)
  const way = await startProxy(t, redis.port)
  /** @type {number[]} */
  const accepted = []
  const room = await openTestRoom(t, { redisUrl: way.url, tickMs: 300, open: countingStore(accepted) })
  const tokens = await Promise.all(Array.from({ length: learners }, async () => (await room.join()).token))
  let submitted = 0
  const submitSome = async () => {
    for (let at = 0; at < all / 4; at++) {
      const one = submissionOf(String(submitted))
      const { status } = await room.ask('POST', '/api/seat/submissions', one, tokens[submitted++ % learners])
      assert.equal(status, 202)
    }
  }
  const allDone = () => until(() => accepted.length >= submitted)
  const first = startWorker(t, room, way.url)
  const grading = first.grading()
  await submitSome()
  await grading
  await first.stop()
  for (let at = 0; at < 2; at++) startWorker(t, room, way.url)
  await allDone()
  await submitSome()
  await redis.restart()
  await allDone()
  await submitSome()
  await redis.flush()
  await allDone()
  way.cut()
  await submitSome()
  way.heal()
  await allDone()
  assert.deepEqual([...accepted].sort((a, b) => a - b), Array.from({ length: all }, (_, at) => at + 1))
  const { queue, seats } = (await room.ask('GET', '/api/class', undefined, room.secret)).json
  assert.deepEqual([queue.waiting, queue.stuck, queue.places], [0, 0, []])
  assert.deepEqual(seats.map((/** @type {any} */ { submissions }) => submissions.length), Array(learners).fill(each))
})

test('the room killed between taking submissions and announcing them', needsRedis, async (t) => {
  const redis = await startRedis(t)
  const way = await startProxy(t, redis.port)
  way.cut()
  const root = await makeRepository(t)
  const env = { ...process.env, MAKE_IT_FAST_LESSONS: root, REDIS_URL: way.url, NO_COLOR: '1' }
  const dir = path.join(root, 'class')
  let said = ''
  const { signal } = await runNode([cli, 'class', '--no-open', '--dir', dir], {
    env,
    started: (child) => child.stdout.on('data', async (text) => {
      const wasOpen = /Ctrl-C/.test(said)
      said += text
      if (wasOpen || !/Ctrl-C/.test(said)) return
      try {
        const [, url, code] = /Learners:\n {2}(http:\S+\/)(\S+)\n/.exec(said) ?? []
        const { token } = (await askRoom(url, 'POST', '/api/seats', { code, name: 'Ada' })).json
        for (let at = 0; at < each; at++) {
          await askRoom(url, 'POST', '/api/seat/submissions', submissionOf(String(at)), token)
        }
      } finally {
        signalChild(child, 'SIGKILL')
      }
    })
  })
  assert.equal(signal, 'SIGKILL')
  way.heal()
  /** @type {number[]} */
  const accepted = []
  const room = await openTestRoom(t, { dir, env, redisUrl: way.url, tickMs: 300, open: countingStore(accepted) })
  startWorker(t, room, way.url)
  await until(() => accepted.length >= each)
  assert.deepEqual([...accepted].sort((a, b) => a - b), Array.from({ length: each }, (_, at) => at + 1))
})
