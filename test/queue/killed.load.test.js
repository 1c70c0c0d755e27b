import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../runner/shared/random.js'
import { makeRepository } from '../lesson/fixture.js'
import { askRoom } from '../room/open.js'
import { seed } from '../shard.js'
import { until } from '../until.js'
import { submissionOf } from './grading.js'
import { endChild, needsRedis, startRedis } from './redis.js'

/** Whatever is killed at whatever moment: as many results as submissions, and none twice. */

const [learners, each] = [100, 2]
const all = learners * each
const kills = 20
const allMs = 180_000
const file = new URL('child.js', import.meta.url)

/**
 * A process that is started again each time it's killed.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} env
 */
function startChild (t, env) {
  const start = () => fork(file, { env: { ...process.env, ...env } })
  let child = start()
  t.after(() => endChild(child))
  return {
    opened: async () => (await once(child, 'message'))[0],
    end: async () => {
      await endChild(child)
      child = start()
    }
  }
}

/** @param {import('node:test').TestContext} t @param {Record<string, string>} own */
async function openRoom (t, own) {
  const root = await makeRepository(t)
  const dir = path.join(root, 'class')
  const child = startChild(t, { ROLE: 'room', DIR: dir, MAKE_IT_FAST_LESSONS: root, ...own })
  const { url, code, secret } = await child.opened()
  const tokens = await Promise.all(Array.from({ length: learners }, async (_, at) =>
    (await askRoom(url, 'POST', '/api/seats', { code, name: `Learner ${at}` })).json.token))
  let submitted = 0
  return {
    end: async () => {
      await child.end()
      await child.opened()
    },
    /** @param {number} share of all */
    submitUpTo: async (share) => {
      for (; submitted < all * share; submitted++) {
        const one = submissionOf(String(submitted))
        const { status } = await askRoom(url, 'POST', '/api/seat/submissions', one, tokens[submitted % learners])
        assert.equal(status, 202)
      }
    },
    assertGraded: async () => {
      const submissions = async () => (await askRoom(url, 'GET', '/api/class', undefined, secret)).json.seats
        .flatMap((/** @type {any} */ seat) => seat.submissions)
      await until(async () => (await submissions()).every(isSettled), allMs)
      /** @type {{ result: { verdict: string } | null }[]} */
      const graded = await submissions()
      assert.deepEqual([graded.length, graded.filter(({ result }) => result?.verdict === 'pass').length], [all, all],
        JSON.stringify(graded.filter(({ result }) => result === null)))
      const accepted = fs.readFileSync(path.join(dir, 'accepted'), 'utf8').trim().split('\n')
      assert.equal(new Set(accepted).size, accepted.length, 'none twice')
      // A room may be killed between taking a result and noting it.
      assert.ok(accepted.length > all - kills, `${accepted.length} noted`)
    }
  }
}

/** @param {{ state: string }} submission */
function isSettled ({ state }) {
  return state === 'done' || state === 'stuck'
}

/**
 * Kills each of them as often, in an order and at moments that the seed decides, while submissions come in.
 *
 * @param {Awaited<ReturnType<typeof openRoom>>} room
 * @param {(() => Promise<void>)[]} ways to kill something and start it again
 * @param {string} label
 */
async function killAll (room, ways, label) {
  const random = createRandom(seed).fork(label)
  const order = random.shuffle(Array.from({ length: kills * ways.length }, (_, at) => ways[at % ways.length]))
  for (const [at, end] of order.entries()) {
    await room.submitUpTo((at + 1) / order.length)
    await sleep(random.int(0, 300))
    await end()
  }
}

test(`one machine that grades its room’s ${all} submissions, killed ${kills} times`, async (t) => {
  const room = await openRoom(t, { GRADES: 'yes' })
  await killAll(room, [room.end], 'one machine')
  await room.assertGraded()
})

test(`three workers on Redis and ${all} submissions: room, worker and Redis killed ${kills} times each`, needsRedis,
  async (t) => {
    const redis = await startRedis(t)
    const own = { REDIS: `redis://127.0.0.1:${redis.port}` }
    const room = await openRoom(t, own)
    const workers = Array.from({ length: 3 }, () => startChild(t, { ROLE: 'worker', ...own }))
    let turn = 0
    await killAll(room, [room.end, () => workers[turn++ % workers.length].end(), redis.restart], 'three workers')
    await room.assertGraded()
  })
