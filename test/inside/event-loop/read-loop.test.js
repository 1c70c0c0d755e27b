import assert from 'node:assert/strict'
import test from 'node:test'
import { readLoop } from '../../../runner/inside/index.js'
import { busiestThread, loopFigures, momentAt, sayMoment } from '../../../runner/profiling/pages/loop-moment.js'
import { dir, inServer, rawProfile } from '../cpu-profile/profiles.js'

/** @import { LoopEvents } from '../../../runner/inside/recorder/event-loop.js' */

const login = /** @type {[string, string, number]} */ (['isRight', inServer('users.js'), 3])
const hash = /** @type {[string, string]} */ (['pbkdf2Sync', 'node:internal/crypto/pbkdf2'])
const idle = /** @type {[string, string]} */ (['(idle)', ''])

/** @param {Partial<LoopEvents>} [events] @returns {LoopEvents} */
const eventsWith = (events) =>
  ({ callbacks: [], pool: [], requests: [], threadId: 0, poolSize: 4, fullUs: null, ...events })
/** @param {number} port @param {string} path @param {number} sent ms @param {number} received ms */
const sentAt = (port, path, sent, received) => ({ port, path, sentUs: sent * 1000, receivedUs: received * 1000 })
const us = (/** @type {number} */ ms) => ms * 1000

/**
 * A hash of 50 ms from 10 ms on, then nothing; its request was sent at 2 ms, another one waits for it.
 *
 * @param {Partial<LoopEvents>} [events]
 * @param {ReturnType<typeof sentAt>[]} [sent]
 */
function readOne (events, sent = [sentAt(1, '/login', 2, 61), sentAt(2, '/healthz?x=1', 20, 64)]) {
  return readLoop({
    dir,
    fromUs: 0,
    toUs: 100_000,
    sent,
    threads: [{
      title: 'main thread',
      profile: rawProfile([
        { stack: [idle], ms: 10 },
        { stack: [login, hash], ms: 49 },
        { stack: [login], ms: 1 },
        { stack: [idle], ms: 40 }
      ]),
      events: eventsWith({
        callbacks: [[us(10), us(30), 0], [us(30.1), us(60), 0], [us(62), us(63), 1]],
        requests: [{ port: 1, fromUs: us(10), toUs: us(60) }, { port: 2, fromUs: us(62), toUs: us(63) }],
        ...events
      })
    }]
  })
}

test('callbacks for one request that follow each other are one block, named by what was seen in it', () => {
  const { threads: [{ blocks }], requests, ms } = readOne()
  assert.equal(ms, 100)
  assert.deepEqual(blocks.map(({ pale, ...block }) => block), [
    { from: 10, to: 60, name: 'isRight › pbkdf2Sync', request: 0 },
    // Nothing of the server's own was seen in that one: it's called by its route.
    { from: 62, to: 63, name: '/healthz', request: 1 }
  ])
  assert.deepEqual(requests.map(({ route, sent, read, received }) => [route, sent, read, received]),
    [['/login', 2, 10, 61], ['/healthz', 20, 62, 64]])
})

test('short connections of one route share a row, and those of another don’t', () => {
  const { requests } = readOne({}, [['/a', 2, 10], ['/b', 12, 20], ['/a', 22, 30]].map(([path, sent, received], at) =>
    sentAt(at, String(path), Number(sent), Number(received))))
  assert.deepEqual(requests.map(({ lane }) => lane), [0, 1, 0])
})

test('at each moment a request is waiting, worked on, put aside, or on its way back', () => {
  const side = readOne({ pool: [[us(10), us(30), 0]] })
  const at = (/** @type {number} */ ms) => {
    const { running, waiting, leaving } = momentAt(side, ms)
    return [running.length, waiting, leaving]
  }
  assert.deepEqual(at(1), [0, [], []])
  assert.deepEqual(at(5), [0, [0], []])
  assert.deepEqual(at(40), [1, [1], []])
  assert.deepEqual(at(60.5), [0, [1], [0]])
  assert.deepEqual(at(63.5), [0, [], [1]])
  assert.equal(sayMoment(side, momentAt(side, 40)), 'The main thread is in `isRight › pbkdf2Sync` for a request to ' +
    '/login, 50 ms in one go. 1 request to /healthz waits for the main thread.')
  assert.equal(sayMoment(side, momentAt(side, 80)),
    'The main thread is idle: it could respond at once. No request waits for the main thread.')
})

test('what is with the thread pool, and what waits for something else, doesn’t wait for the thread', () => {
  const many = Array.from({ length: 6 }, (_, at) => sentAt(10 + at, `/users/${at}`, 1, 90))
  const side = readOne({
    callbacks: many.map((_, at) => [us(2 + at), us(2.5 + at), at]),
    requests: many.map(({ port }, at) => ({ port, fromUs: us(2 + at), toUs: null })),
    pool: many.slice(1).map((_, at) => [us(2.2 + at + 1), null, at + 1])
  }, many)
  const moment = momentAt(side, 50)
  assert.deepEqual([moment.pool.length, moment.outside.length, moment.waiting.length], [5, 1, 0])
  assert.equal(sayMoment(side, moment), 'The main thread is idle: it could respond at once. 5 requests are with the ' +
    'thread pool, which works on 4 at a time. 1 request has been read, and waits for another service or ' +
    'thread, a timer, or its turn. No request waits for the main thread.')
  assert.equal(side.requests[0].route, '/users/…')
  assert.equal(new Set(side.requests.map(({ lane }) => lane)).size, 6)
})

test('a stretch without samples is pale, collections are kept, and an unknown request is none', () => {
  const profile = rawProfile([{ stack: [login], ms: 20 }, { stack: [['(garbage collector)', '']], ms: 5 }])
  profile.timeDeltas[10] = 30_000
  const { threads: [thread] } = readLoop({
    dir,
    fromUs: 0,
    toUs: 60_000,
    sent: [sentAt(1, '/', 1, 55)],
    threads: [{
      title: 'main thread',
      profile,
      events: eventsWith({ callbacks: [[0, us(49), 0]], requests: [{ port: 77, fromUs: us(1), toUs: null }] })
    }]
  })
  assert.deepEqual(thread.blocks[0].pale, [[9, 39]])
  assert.equal(thread.blocks[0].request, null)
  assert.deepEqual(thread.gcs.map((span) => span.map(Math.round)), [[49, 54]])
})

test('several threads: the busiest is found, and a sentence says how many are busy', () => {
  const [one, other] = [readOne(), readOne({ callbacks: [[0, us(90), null]] })]
  const side = { ...one, threads: [...one.threads, ...other.threads] }
  assert.equal(busiestThread(side), 1)
  const { busy, longest, waiting } = loopFigures(side)
  assert.deepEqual([busy, longest], [0.9, 90])
  assert.ok(waiting > 0.4 && waiting < 0.6, `${waiting} wait on average: 8 ms, and 42 ms`)
  assert.match(sayMoment(side, momentAt(side, 40)),
    /1 other thread is busy, too\. 1 request to \/healthz waits to be read\.$/)
})
