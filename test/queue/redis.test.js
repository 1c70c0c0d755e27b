import assert from 'node:assert/strict'
import test from 'node:test'
import { createWorker, followRedis, gradeHere, readRedisUrl } from '../../classroom/queue/index.js'
import { openTestRoom } from '../room/open.js'
import { until } from '../until.js'
import { gradedAs, submissionOf } from './grading.js'
import { needsRedis, say, startProxy, startRedis } from './redis.js'

/** A room, Redis and workers in this process; what happens when one of them is killed is in killed.load.test.js. */

const redisTimes = { tickMs: 200, cutMs: 600 }

/**
 * A room with a learner, and all that it says.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} redisUrl
 * @param {Partial<Parameters<typeof openTestRoom>[1]>} [more]
 */
async function openWithAda (t, redisUrl, more) {
  /** @type {string[]} */
  const said = []
  const room = await openTestRoom(t, {
    redisUrl, redisTimes, tickMs: 200, say: (sentence) => { said.push(sentence) }, ...more
  })
  const { token } = await room.join()
  const view = async () => (await room.ask('GET', '/api/class', undefined, room.secret)).json
  return {
    ...room,
    said,
    token,
    submit: async (/** @type {string} */ text, /** @type {string} */ lesson = 'in-memory-json') =>
      assert.equal((await room.ask('POST', '/api/seat/submissions', submissionOf(text, lesson), token)).status, 202),
    queue: async () => (await view()).queue,
    states: async () => (await view()).seats[0].submissions.map((/** @type {any} */ { state, worker }) =>
      `${state} ${worker}`).reverse()
  }
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} url
 * @param {Partial<Parameters<typeof createWorker>[0]> & { name?: string }} [how]
 */
function startWorker (t, url, { name = 'far', ...how } = {}) {
  const controller = new AbortController()
  const { signal } = controller
  const grade = async (/** @type {{ lesson: string }} */ { lesson }) => gradedAs(lesson)
  const worker = createWorker({ about: { worker: name, machine: '', fitness: '' }, grade, signal, ...how })
  const times = { lockMs: 2000, stalledMs: 200 }
  const running = followRedis({ url, worker, signal, onFault: () => {}, times })
  const stop = async () => {
    controller.abort()
    await running
  }
  t.after(stop)
  return { stop }
}

/** Until it's told to stop. @type {(task: unknown, signal: AbortSignal) => Promise<any>} */
const hang = (_, signal) =>
  new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

test('a worker elsewhere grades what a room has, one learner after the other', needsRedis, async (t) => {
  const { port } = await startRedis(t)
  const url = `redis://127.0.0.1:${port}`
  const room = await openWithAda(t, url)
  const { token: grace } = await room.join('Grace')
  for (const text of ['1', '2', '3']) await room.submit(text)
  await room.ask('POST', '/api/seat/submissions', submissionOf('4'), grace)
  /** @type {string[]} */
  const order = []
  startWorker(t, url, {
    grade: async ({ files: [{ text }], lesson }) => {
      order.push(text)
      return gradedAs(lesson)
    }
  })
  await until(async () => (await room.queue()).places.length === 0)
  assert.deepEqual(order, ['1', '4', '2', '3'])
  assert.deepEqual(await room.states(), ['done far', 'done far', 'done far'])
  await until(async () => (await say(port, 'KEYS bull:*-1-1-*')).startsWith('*0'))
})

test('a worker that stops gives its job back; one that is at fault is tried again', needsRedis, async (t) => {
  const { port } = await startRedis(t)
  const url = `redis://127.0.0.1:${port}`
  const room = await openWithAda(t, url)
  await room.submit('1')
  const first = startWorker(t, url, { name: 'first', grade: hang })
  await until(async () => (await room.states())[0] === 'leased first')
  await first.stop()
  let times = 0
  startWorker(t, url, {
    name: 'second',
    grade: async ({ lesson }) => {
      if (++times < 2) throw new Error('ENOSPC: no space left on device')
      return gradedAs(lesson)
    }
  })
  await until(async () => (await room.states())[0] === 'done second')
  assert.equal(times, 2)
})

test('a lesson that fits no worker waits; another one doesn’t wait for it', needsRedis, async (t) => {
  const { port } = await startRedis(t)
  const url = `redis://127.0.0.1:${port}`
  const room = await openWithAda(t, url)
  await room.submit('1', 'overload')
  await room.submit('2')
  const fits = async (/** @type {string} */ lesson) => lesson === 'overload' ? 'The reference doesn’t pass.' : null
  startWorker(t, url, { fits })
  await until(async () => (await room.states())[1] === 'done far')
  await until(async () => (await room.states())[0].startsWith('waiting'))
  startWorker(t, url, { name: 'better' })
  await until(async () => (await room.states())[0] === 'done better')
})

test('Redis flushed, cut off and back: nothing is lost, the room says so, and its own machine grades', needsRedis,
  async (t) => {
    const redis = await startRedis(t)
    const way = await startProxy(t, redis.port)
    const room = await openWithAda(t, way.url)
    await room.submit('1')
    const slow = startWorker(t, way.url, { grade: hang, name: 'slow' })
    await until(async () => (await room.states())[0] === 'leased slow')
    await redis.flush()
    startWorker(t, way.url, { name: 'quick' })
    await until(async () => (await room.states())[0] === 'done quick')
    await slow.stop()
    way.cut()
    await room.submit('2')
    await until(() => room.said.some((sentence) => /^Redis doesn’t answer/.test(sentence)))
    assert.equal((await room.queue()).isCut, true)
    const controller = new AbortController()
    const { signal } = controller
    const about = { worker: 'this machine', machine: '', fitness: '' }
    const worker = createWorker({ about, grade: async ({ lesson }) => gradedAs(lesson), signal })
    const running = gradeHere({ work: room.work, worker, signal, tell: () => {}, times: { pauseMs: 20 } })
    await until(async () => (await room.states())[1] === 'done this machine')
    controller.abort()
    await running
    way.heal()
    await until(() => room.said.includes('Redis answers again.'))
    await room.submit('3')
    await until(async () => (await room.states())[2] === 'done quick')
  })

test('what a learner who leaves had handed in is gone from Redis, too', needsRedis, async (t) => {
  const { port } = await startRedis(t)
  const url = `redis://127.0.0.1:${port}`
  const room = await openWithAda(t, url)
  for (const text of ['1', '2']) await room.submit(text)
  startWorker(t, url, { grade: hang })
  const jobs = () => say(port, 'KEYS bull:*-*-*-*')
  await until(async () => /-1-1-/.test(await jobs()) && /-2-1-/.test(await jobs()))
  await room.ask('DELETE', '/api/seat', undefined, room.token)
  await until(async () => !/-2-1-/.test(await jobs()))
})

test('a result from while the room was closed counts, however long that was', needsRedis,
  async (t) => {
    const { port } = await startRedis(t)
    const url = `redis://127.0.0.1:${port}`
    const room = await openWithAda(t, url)
    await room.submit('1')
    let end = () => {}
    const grade = async (/** @type {{ lesson: string }} */ { lesson }) => {
      await new Promise((resolve) => { end = () => resolve(undefined) })
      return gradedAs(lesson)
    }
    startWorker(t, url, { grade })
    await until(async () => (await room.states())[0] === 'leased far')
    await room.close()
    end()
    await until(async () => (await say(port, 'ZCARD bull:make-it-fast:completed')).startsWith(':1'))
    const now = () => Date.now() + 3_600_000
    const again = await openTestRoom(t, { dir: room.dir, env: room.env, redisUrl: url, redisTimes, now })
    const seats = async () => (await again.ask('GET', '/api/class', undefined, again.secret)).json.seats
    await until(async () => (await seats())[0].submissions[0].state === 'done')
  })

test('an address of Redis is never repeated: it may hold a password', () => {
  for (const right of ['redis://127.0.0.1:6379', 'rediss://:secret@redis.example']) {
    assert.equal(readRedisUrl(right), right)
  }
  for (const wrong of [undefined, '', 'secret@redis.example', 'http://:secret@redis.example']) {
    assert.throws(() => readRedisUrl(wrong), ({ message }) =>
      message.startsWith('Say where Redis is') && !message.includes('secret'))
  }
})
