import { setTimeout as sleep } from 'node:timers/promises'
import { expectEnd } from '../shared/ends.js'
import { startCrowd } from './crowd.js'
import { anyPlace, pathOf } from './terrain.js'

/**
 * What the slow server can't show: it has one process. Only a server that starts processes is tested for what it does
 * when one dies: one that uses threads, or a single process, has no worker to kill.
 *
 * @import { Another, Given } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 */

const crowdSize = 20
const crowdTries = 3
// A lost worker's requests fail, and so do those that reach it before the loss is noticed.
// Generous: on a busy machine the news of a death travels slowly.
const noticedMs = 500
const fullAgainMs = 2000
// A process that waits for a busy core may end later than it should.
const endTries = 3
/** Workers that die one after the other: more than a back-off tolerates. */
const deaths = 6
/** Until a new worker has begun to listen, mostly. */
const startMs = 500
/** A process that lives on after SIGTERM for this long is killed. */
const graceMs = 300

/** @type {Check[]} */
export const contract = [
  {
    name: 'gives no two visits the same number, even many at once, and skips none',
    when: ['before'],
    run: async ({ get, random, fail }) => {
      const before = (await get('/visits')).expectStatus(200).json().visits
      const shared = somePath(random)
      const paths = Array.from({ length: crowdSize }, (_, i) => i % 4 === 0 ? shared : somePath(random))
      const numbers = (await Promise.all(paths.map((path) => visit(get, path)))).sort((a, b) => a - b)
      const wrong = numbers.findIndex((number, i) => number !== before + 1 + i)
      if (wrong !== -1) {
        fail(
          `${crowdSize} visits at once after ${before}: expected the visit number ${before + 1 + wrong}, but ` +
            `the next one is ${numbers[wrong]}`
        )
      }
    }
  },
  {
    name: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    when: ['before'],
    apart: true,
    run: async (given) => {
      const { another, random, fail, late } = given
      const server = await another()
      let pool = await steadyPool(server, random)
      if (pool.length > 0) {
        const first = pool
        let { newest, lost } = await expectToGoOn(server, pool, given)
        // From here on the newest one dies, so that the others go on answering.
        for (let death = 2; death <= deaths; death++) {
          pool = await childrenOf(server)
          const last = await visit(server.get, somePath(random))
          const isLast = death === deaths
          // One of the first has surely begun to listen to signals.
          const victim = isLast ? pool.find((pid) => first.includes(pid)) ?? newest : newest
          // One that ends by itself with code 0 is as dead as one that was killed.
          if (isLast) await endPolitely(server, victim)
          server.end(victim)
          newest = await expectFull(server, victim, { pool, which: `worker ${death} of those that were killed`, late })
          if (isLast || pool.length === 1) await answersAgain(server)
          const number = await visit(server.get, somePath(random))
          // What was lost before may still be computed, with no client waiting.
          if (number <= last || number > last + 1 + lost) {
            fail(`a worker died while no request was in flight: expected visit number ${last + 1} next, got ${number}`)
          }
        }
      }
      await expectEnd(given, (fresh) => steadyPool(fresh, random), server)
      if (pool.length > 0) await expectEndAfterDeath(given)
    }
  }
]

/**
 * The loss of one has been noticed, and its place is perhaps still empty.
 *
 * @param {Given} given
 */
async function expectEndAfterDeath ({ another, random, late }) {
  for (let i = 0; i < endTries; i++) {
    const server = await another()
    const pool = await steadyPool(server, random)
    server.end(random.pick(pool))
    await sleep(random.int(40, 140))
    const { forced } = await server.stop()
    if (!forced) return
  }
  late('one of its processes had just died: after SIGTERM, the server didn’t exit')
}

/** One that ends by itself has to have started for it. @param {Another} server @param {number} pid */
async function endPolitely (server, pid) {
  await sleep(startMs)
  server.end(pid, 'SIGTERM')
  await sleep(graceMs)
}

/**
 * A worker dies while many requests are in flight.
 *
 * @param {Another} server
 * @param {number[]} pool
 * @param {Given} given
 * @returns {Promise<{ newest: number, lost: number }>} newest: the one that took its place; lost: requests
 */
async function expectToGoOn (server, pool, { random, fail, late }) {
  for (let [tries, lost] = [1, 0]; ; tries++) {
    const crowd = startCrowd({ get: server.get, nextPath: () => somePath(random), size: crowdSize })
    await crowd.last(100)
    const killed = crowd.mark()
    const victim = random.pick(pool)
    server.end(victim)
    // With no other worker, there's no answer before the new one is there.
    await crowd.last(await server.within(pool.length === 1 ? fullAgainMs : noticedMs))
    const noticed = crowd.mark()
    await crowd.last(200)
    const wrong = await crowd.judge({ killed, noticed })
    if (wrong) (wrong.isLate ? late : fail)(wrong.message)
    const { visits } = (await server.get('/visits')).expectStatus(200).json()
    const { highest, sent } = crowd.counts()
    if (!(visits >= highest && visits <= sent)) {
      fail(`GET /visits after a worker died: expected from ${highest} to ${sent}, got ${visits}`)
    }
    const newest = await expectFull(server, victim, { pool, which: 'a worker', late })
    lost += crowd.counts().lost
    if (pool.length === 1 || !crowd.lostAll(killed)) return { newest, lost }
    if (tries === crowdTries) late('one worker of several was killed, and all requests in flight failed')
    // The others may have needed more time until they listened: one more try, when they had it.
    await sleep(await server.within(fullAgainMs))
    pool = await childrenOf(server)
  }
}

/**
 * The processes of a server that has been warmed up, when no more of them appear.
 *
 * @param {Another} server
 * @param {Random} random
 */
async function steadyPool (server, random) {
  let pool = await childrenOf(server)
  if (pool.length === 0) return pool
  for (let looks = 0; looks < 10; looks++) {
    await Promise.all(Array.from({ length: 8 }, () => visit(server.get, somePath(random))))
    await sleep(100)
    const before = pool.length
    pool = await childrenOf(server)
    if (looks > 0 && pool.length === before) break
  }
  return pool
}

/**
 * @param {Another} server
 * @param {number} dead
 * @param {{ pool: number[], which: string, late: Given['late'] }} given pool: all, before it died
 * @returns {Promise<number>} the one that took its place
 */
async function expectFull (server, dead, { pool, which, late }) {
  const patienceMs = await server.within(fullAgainMs)
  const end = performance.now() + patienceMs
  for (;;) {
    const now = (await childrenOf(server)).filter((pid) => pid !== dead)
    if (now.length >= pool.length) return now.find((pid) => !pool.includes(pid)) ?? now[0]
    if (performance.now() > end) {
      late(`${which} died, one of ${pool.length} processes that your server started: ` +
        `${Math.round(patienceMs / 1000)} s later it has ${now.length}`)
    }
    await sleep(25)
  }
}

/** @param {Another} server */
async function answersAgain (server) {
  const end = performance.now() + await server.within(fullAgainMs)
  while (performance.now() < end) {
    if (await server.get('/visits').then(() => true, () => false)) return
    await sleep(25)
  }
}

/** @param {Another} server */
async function childrenOf (server) {
  return await server.children() ?? []
}

/** @param {Given['get']} get @param {string} path @returns {Promise<number>} */
async function visit (get, path) {
  return (await get(path)).expectStatus(200).expectShape({ visit: 'number' }, { extra: true }).json().visit
}

/** @param {Random} random */
function somePath (random) {
  return pathOf(anyPlace(random))
}
