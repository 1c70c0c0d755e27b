import { isDeepStrictEqual } from 'node:util'
import { startCrowd } from './crowd.js'
import { wrongPanorama } from './streams.js'
import { directions, range, somePlace } from './terrain.js'

/**
 * @import { Another, Given } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 */

/**
 * What every correct panorama server must do. Only a server that starts processes is asked what it does when one dies:
 * one that works with threads, or with a single process, has none to kill.
 */

const crowdSize = 20
// A lost worker's requests fail, and those that reach its place before the loss is noticed.
// Generous: on a busy machine the news of a death travels slowly.
const noticedMs = 500
const fullAgainMs = 2000
const allRays = Array.from({ length: directions }, (_, ray) => ray)

/** @type {Check[]} */
export const contract = [
  {
    name: 'computes the panorama of any place on the map',
    run: async ({ get, random, data, fail }) => {
      const places = [...Array.from({ length: 4 }, () => somePlace(random)), { x: range.low, y: range.high }]
      for (const { x, y } of places) {
        const answer = (await get(`/panorama/${x}/${y}`)).expectStatus(200).expectType('application/json')
        const wrong = wrongPanorama(answer.json(), data.terrain, { x, y }, allRays)
        if (wrong) fail(`GET /panorama/${x}/${y}: ${wrong}`)
      }
    }
  },
  {
    name: 'answers with the same fields as the slow server',
    when: ['before'],
    run: async ({ same, random }) => {
      const { x, y } = somePlace(random)
      await same({ path: `/panorama/${x}/${y}` }, {
        compare (baseline, yours) {
          const [expected, got] = [baseline, yours].map((answer) => Object.keys(answer.json()).sort())
          if (!isDeepStrictEqual(got, expected)) {
            yours.fail(`expected the fields ${expected.join(', ')}, got ${got.join(', ')}`)
          }
        }
      })
    }
  },
  {
    name: 'answers 404 to a place that is not on the map',
    run: async ({ get, random }) => {
      const { x } = somePlace(random)
      for (const path of [
        `/panorama/${x}/${range.high + 1}`,
        `/panorama/${range.low - 1}/${x}`,
        `/panorama/${x}/${random.word(4)}`,
        `/panorama/${x}/-${x}`,
        `/panorama/${x}/${x}.5`,
        `/panorama/${x}`,
        `/${random.word(6)}`
      ]) {
        (await get(path)).expectStatus(404).expectType('application/json').expectJson({ error: 'not_found' })
      }
    }
  },
  {
    name: 'numbers the visits one after another, also those of one place',
    when: ['before'],
    run: async ({ get, random, fail }) => {
      const { x, y } = somePlace(random)
      let last = await readVisits(get)
      for (const path of Array(4).fill(`/panorama/${x}/${y}`).concat(somePath(random), `/panorama/${x}/${y}`)) {
        const number = await visit(get, path)
        if (number !== last + 1) fail(`GET ${path}: expected the visit number ${last + 1}, got ${number}`)
        last = number
      }
    }
  },
  {
    name: 'gives each of many visits at once a number of its own',
    run: async ({ get, random, fail }) => {
      const before = await readVisits(get)
      const numbers = await Promise.all(Array.from({ length: crowdSize }, () => visit(get, somePath(random))))
      const twice = numbers.find((number, i) => numbers.indexOf(number) !== i)
      if (twice !== undefined) fail(`${crowdSize} visits at once: the number ${twice} was given twice`)
      const low = Math.min(...numbers)
      if (low <= before) fail(`${crowdSize} visits at once: the number ${low} was given after ${before} visits`)
    }
  },
  {
    name: 'loses and adds no visit when there are many at once',
    when: ['before'],
    run: async ({ get, random, fail }) => {
      const before = await readVisits(get)
      const numbers = await Promise.all(Array.from({ length: crowdSize }, () => visit(get, somePath(random))))
      const high = Math.max(...numbers)
      if (high !== before + crowdSize) {
        fail(
          `${crowdSize} visits at once after ${before}: expected ${before + crowdSize} as the highest number, got ` +
            `${high}`
        )
      }
    }
  },
  {
    name: 'says how many visits there were, whichever process answers',
    when: ['before'],
    run: async ({ get, random, fail }) => {
      const number = await visit(get, somePath(random))
      ;(await get(`/panorama/${range.high + 1}/${range.high + 1}`)).expectStatus(404)
      const answers = await Promise.all(Array.from({ length: 6 }, () => readVisits(get)))
      const wrong = answers.find((visits) => visits !== number)
      if (wrong !== undefined) fail(`GET /visits: expected ${number}, the number of the last visit, got ${wrong}`)
    }
  },
  {
    name: 'goes on answering and counting when a worker dies',
    when: ['before'],
    run: async ({ another, random, fail }) => {
      const server = await another()
      const pool = await steadyPool(server, random)
      if (pool.length === 0) return
      const crowd = startCrowd({ get: server.get, nextPath: () => somePath(random), size: crowdSize })
      await crowd.last(100)
      const killed = crowd.mark()
      server.end(random.pick(pool))
      await crowd.last(noticedMs)
      // With no other worker, nobody can answer before the new one does.
      if (pool.length === 1) await crowd.last(fullAgainMs - noticedMs)
      const noticed = crowd.mark()
      await crowd.last(200)
      const wrong = await crowd.judge({ killed, noticed, othersWork: pool.length > 1 })
      if (wrong) fail(wrong)
      const visits = await readVisits(server.get)
      const { highest, sent } = crowd.counts()
      if (visits < highest || visits > sent) {
        fail(`GET /visits after a worker died: expected from ${highest} to ${sent}, got ${visits}`)
      }
    }
  },
  {
    name: 'has all its workers and its count 2 s after one died',
    when: ['before'],
    run: async ({ another, random, fail }) => {
      const server = await another()
      const pool = await steadyPool(server, random)
      if (pool.length === 0) return
      let last = await visit(server.get, somePath(random))
      // The second one to die is the one that took the first one's place.
      let victim = random.pick(pool)
      for (const which of ['a worker', 'the worker that took its place']) {
        const before = await childrenOf(server)
        server.end(victim)
        const now = await fullAgain(server, victim, before.length)
        if (now.length < before.length) {
          fail(`${which} died, one of ${before.length} processes below your server: 2 s later there are ${now.length}`)
        }
        victim = now.find((pid) => !before.includes(pid)) ?? random.pick(now)
        // A new process needs a moment until it listens; meanwhile the others answer, if there are any.
        if (now.length === 1) await answersAgain(server)
        const number = await visit(server.get, somePath(random))
        if (number !== last + 1) {
          fail(`${which} died while nothing was asked for: expected the visit number ${last + 1} next, got ${number}`)
        }
        last = number
      }
      await Promise.all(Array.from({ length: crowdSize }, () => visit(server.get, somePath(random))))
    }
  }
]

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
    await wait(100)
    const before = pool.length
    pool = await childrenOf(server)
    if (looks > 0 && pool.length === before) break
  }
  return pool
}

/**
 * @param {Another} server
 * @param {number} dead
 * @param {number} count
 */
async function fullAgain (server, dead, count) {
  const end = performance.now() + fullAgainMs
  for (;;) {
    const now = (await childrenOf(server)).filter((pid) => pid !== dead)
    if (now.length >= count || performance.now() > end) return now
    await wait(25)
  }
}

/** @param {Another} server */
async function answersAgain (server) {
  const end = performance.now() + fullAgainMs
  while (performance.now() < end) {
    if (await server.get('/visits').then(() => true, () => false)) return
    await wait(25)
  }
}

/** @param {Another} server */
async function childrenOf (server) {
  return await server.children() ?? []
}

/** @param {Given['get']} get @param {string} path @returns {Promise<number>} */
async function visit (get, path) {
  const answer = (await get(path)).expectStatus(200)
  const number = answer.json()?.visit
  return Number.isInteger(number)
    ? number
    : answer.fail(`expected a whole number as visit, got ${JSON.stringify(number)}`)
}

/** @param {Given['get']} get @returns {Promise<number>} */
async function readVisits (get) {
  const answer = (await get('/visits'))
    .expectStatus(200)
    .expectType('application/json')
    .expectShape({ visits: 'number' })
  return answer.json().visits
}

/** @param {Random} random */
function somePath (random) {
  const { x, y } = somePlace(random)
  return `/panorama/${x}/${y}`
}

/** @param {number} ms */
function wait (ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
