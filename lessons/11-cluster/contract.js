import fs from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { alikeKeys, nearSecrets } from '../form/kinds.js'
import { jsonIn } from '../shared/answers.js'
import { inBatches } from '../shared/batches.js'
import { expectEnd } from '../shared/ends.js'
import { anyHut, anyPin, cookieOf, wrongPin } from './club.js'
import { startCrowd } from './crowd.js'
import { logIn, setBeds } from './operations.js'
import { anyPlace, pathOf } from './terrain.js'

/**
 * What the slow server can't show: it has one process. First what several must share, then what becomes of it when one
 * dies: a server that uses threads, or a single process, has no worker to kill.
 *
 * @import { Another, Given, Request } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 */

const mostWrong = 5
const crowdSize = 20
const crowdTries = 3
/** More names than something bounded has room for. */
const strangers = 1100
/** The first of them try as often as they may: nobody else is locked out with them. */
const locked = 60
/** Kept connections, so that some of them are another worker's. */
const readers = 8
const writes = 30
/** While others read. */
const mostWrites = 120
// A lost worker's requests fail, and so do those that reach it before the loss is noticed.
// Generous: on a busy machine the news of a death travels slowly.
const noticedMs = 500
const fullAgainMs = 2000
// A process that waits for a busy core may end later than it should.
const endTries = 3
/** Workers that die one after the other: more than a back-off tolerates, or a counter of lives. */
const deaths = 12
/** All of them at the same moment. */
const deathOfAll = 6
/** Until a new worker has begun to listen, mostly. */
const startMs = 500
/** A process that lives on after SIGTERM for this long is killed. */
const graceMs = 300

/** @type {Check[]} */
export const contract = [
  {
    name: 'knows a session in each of its processes',
    when: ['before'],
    apart: true,
    run: async (given) => {
      const { server } = await warmServer(given)
      const [name, pin] = given.random.pick(given.data.members)
      await expectKnown(server, await sessionOf(server, name, pin), name)
    }
  },
  {
    name: 'allows a name five wrong PINs in all its processes together, even many at once',
    when: ['before'],
    apart: true,
    run: async (given) => {
      const { random, data, fail } = given
      const { server } = await warmServer(given)
      const [[name, pin], [other, otherPin]] = random.shuffle(data.members)
      const tries = Array.from({ length: crowdSize }, () => logIn(name, wrongPin(random, pin)))
      const statuses = (await Promise.all(tries.map(server.send))).map(({ status }) => status)
      const allowed = statuses.filter((status) => status === 401).length
      if (allowed !== mostWrong) {
        fail(`${crowdSize} wrong PINs for one name at once: expected ${mostWrong} times 401, got ${allowed}`)
      }
      const isThird = (/** @type {string[]} */ [known]) => known !== name && known !== other
      const [visitor, visitorPin] = random.pick(data.members.filter(isThird))
      const session = await sessionOf(server, visitor, visitorPin)
      await inBatches({ count: strangers, atOnce: crowdSize }, async (at, agent) => {
        const kept = { ...server, send: (/** @type {Request} */ request) => server.send({ ...request, agent }) }
        const stranger = `${random.word(6)}${at}`
        for (let wrong = 0; wrong < (at < locked ? mostWrong : 1); wrong++) {
          await expectWrong(kept, stranger, anyPin(random))
        }
        if (at % 4 === 0) await sessionOf(kept, visitor, visitorPin)
      })
      ;(await server.get('/me', { headers: cookieOf(session) })).expectStatus(200).expectJson({ name: visitor })
      const what = `the right PIN after ${crowdSize} wrong ones, and one for each of ${strangers} other names`
      expectStatus(await server.send(logIn(name, pin)), 429, what, fail)
      for (const near of nearSecrets(otherPin).slice(0, mostWrong - 1)) await expectWrong(server, other, near)
      for (const alike of alikeKeys(other)) await expectWrong(server, alike, otherPin)
      // What's no PIN isn't a wrong one.
      const { status } = await server.send({ ...logIn(other, ''), json: { name: other } })
      expectStatus({ status }, 400, 'a login without a PIN', fail)
      // A right one takes no try, not even while it's being looked up.
      await Promise.all(Array.from({ length: crowdSize }, () => sessionOf(server, other, otherPin)))
      await expectWrong(server, other, wrongPin(random, otherPin))
      expectStatus(await server.send(logIn(other, otherPin)), 429, 'the right PIN after five wrong ones', fail)
    }
  },
  {
    name: 'never shows a hut as it was before a change, and never half of one',
    when: ['before'],
    apart: true,
    run: async (given) => {
      const { random, data } = given
      const { server } = await warmServer(given)
      const id = anyHut(random, data.huts)
      const agents = Array.from({ length: readers }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }))
      try {
        const hut = data.huts.find((/** @type {any} */ hut) => hut.id === id)
        await expectFresh(given, server, { hut, agents })
        await expectWhole(given, server, { hut, agents })
        await expectOneOfAll(given, server, { hut, agents })
      } finally {
        agents.forEach((agent) => agent.destroy())
      }
    }
  },
  {
    name: 'goes on as before when its workers die, replaces each one, and exits with all of them',
    when: ['before'],
    apart: true,
    run: async (given) => {
      const { server, pool: first } = await warmServer(given)
      if (first.length > 0) await Promise.all([expectReplaced(given, server, first), expectEndAfterDeath(given)])
      await expectEnd(given, (fresh) => steadyPool(fresh, given.random), server)
    }
  }
]

/** @param {Given} given @param {Another} server @param {number[]} first its processes */
async function expectReplaced (given, server, first) {
  const { late } = given
  const kept = await remember(server, given)
  let newest = await expectToGoOn(server, first, given)
  await kept.isThere()
  // From here on the newest one dies, so that the others go on responding.
  for (let death = 2; death <= deaths; death++) {
    const pool = await childrenOf(server)
    const isLast = death === deaths
    // One of the first has surely begun to listen to signals.
    const victim = isLast ? pool.find((pid) => first.includes(pid)) ?? newest : newest
    // One that ends by itself with code 0 is as dead as one that was killed.
    if (isLast) await endPolitely(server, victim)
    const dead = death === deathOfAll ? pool : [victim]
    dead.forEach((pid) => server.end(pid))
    newest = await expectFull(server, dead, { pool, which: `worker ${death} of those that were killed`, late })
    if (isLast || pool.length === dead.length) await respondsAgain(server)
  }
  await kept.isThere()
  await kept.isLocked()
}

/** A server of its own, whose processes are all at work. @param {Given} given */
async function warmServer ({ another, random }) {
  const server = await another()
  return { server, pool: await steadyPool(server, random) }
}

/** @param {Another} server @param {string} name @param {string} pin @returns {Promise<string>} */
async function sessionOf (server, name, pin) {
  return (await server.send(logIn(name, pin))).expectStatus(201).expectCookie('session').value
}

/** Connection by connection, and many at once. @param {Another} server @param {string} session @param {string} name */
async function expectKnown (server, session, name) {
  const headers = cookieOf(session)
  const ask = async () => (await server.get('/me', { headers })).expectStatus(200).expectJson({ name })
  for (let at = 0; at < readers; at++) await ask()
  await Promise.all(Array.from({ length: crowdSize }, ask))
}

/** @param {Another} server @param {string} name @param {string} pin */
async function expectWrong (server, name, pin) {
  (await server.send(logIn(name, pin))).expectStatus(401)
}

/** @param {{ status: number }} answer @param {number} wanted @param {string} what @param {Given['fail']} fail */
function expectStatus ({ status }, wanted, what, fail) {
  if (status !== wanted) fail(`${what}: expected status ${wanted}, got ${status}`)
}

/**
 * Reads of one hut over connections that are open already, right after the response to each change.
 *
 * @param {Given} given @param {Another} server
 * @param {{ hut: { id: number, name: string, beds: number }, agents: http.Agent[] }} on
 */
async function expectFresh ({ random, fail }, server, { hut, agents }) {
  const read = async (/** @type {http.Agent | undefined} */ agent) =>
    jsonIn((await server.get(`/huts/${hut.id}`, { agent })).expectStatus(200))
  await Promise.all(agents.map(read))
  for (let at = 0; at < writes; at++) {
    const beds = (hut.beds + at + 1) % 10_000
    await server.send({ ...setBeds(hut.id, beds), agent: random.pick(agents) })
    const old = (await Promise.all([...agents, undefined].map(read))).find((seen) => seen?.beds !== beds)
    if (old) fail(`/huts/${hut.id} was set to ${beds} beds, and a read after that shows ${JSON.stringify(old)}`)
    const file = JSON.parse(await fs.readFile(path.join(server.dataDir, `hut-${hut.id}.json`), 'utf8'))
    if (!isDeepStrictEqual({ ...file, ...hut, beds }, file)) {
      fail(`hut-${hut.id}.json is ${JSON.stringify(file)} after ${beds} beds were set`)
    }
  }
}

/**
 * Reads while it's being written again and again, with more beds each time. What a busy process has begun to read may
 * be old by the time it has it.
 *
 * @param {Given} given @param {Another} server
 * @param {{ hut: { id: number, name: string }, agents: http.Agent[] }} on
 */
async function expectWhole ({ fail, random }, server, { hut: { id, name }, agents: [writer, busy, ...others] }) {
  const written = new AbortController()
  let beds = 0
  const write = async () => {
    for (; beds < mostWrites; beds++) await server.send({ ...setBeds(id, beds + 1), agent: writer })
  }
  const look = async () => {
    while (!written.signal.aborted) await server.get(somePath(random), { agent: busy })
  }
  const read = async (/** @type {http.Agent} */ agent) => {
    while (!written.signal.aborted) {
      const least = beds
      const answer = await server.get(`/huts/${id}`, { agent })
      const hut = answer.status === 200 ? jsonIn(answer) : undefined
      if (hut?.name === name && hut.beds >= least) continue
      fail(`/huts/${id}, read while it's being changed: expected the whole hut, with at least the ${least} beds that ` +
        `had been set before, got ${answer.status} ${answer.text}`)
    }
  }
  await server.send(setBeds(id, beds))
  await Promise.all([write().finally(() => written.abort()), look(), ...others.map(read)])
}

/**
 * Changes of one hut at the same moment: each is made, and the last one stays.
 *
 * @param {Given} given @param {Another} server
 * @param {{ hut: { id: number }, agents: http.Agent[] }} on
 */
async function expectOneOfAll ({ fail }, server, { hut: { id }, agents }) {
  for (let at = 0; at < writes; at++) {
    await Promise.all(agents.map(async (agent, beds) =>
      (await server.send({ ...setBeds(id, beds), agent })).expectStatus(200)))
  }
  const shown = jsonIn((await server.get(`/huts/${id}`)).expectStatus(200))
  const file = JSON.parse(await fs.readFile(path.join(server.dataDir, `hut-${id}.json`), 'utf8'))
  if (file.beds !== shown?.beds) fail(`hut-${id}.json shows ${file.beds} beds, and /huts/${id} ${shown?.beds}`)
}

/**
 * A session, a name with two wrong PINs, and a hut, from before.
 *
 * @param {Another} server @param {Given} given
 */
async function remember (server, { random, data, fail }) {
  const [[name, pin], [tried, triedPin]] = random.shuffle(data.members)
  const [id, beds] = [anyHut(random, data.huts), random.int(0, 9999)]
  const session = await sessionOf(server, name, pin)
  for (let wrong = 1; wrong <= 2; wrong++) await expectWrong(server, tried, wrongPin(random, triedPin))
  ;(await server.send(setBeds(id, beds))).expectStatus(200)
  return {
    isThere: async () => {
      await expectKnown(server, session, name)
      const seen = jsonIn((await server.get(`/huts/${id}`)).expectStatus(200))
      if (seen?.beds !== beds) fail(`/huts/${id} had ${beds} beds before a worker died, and ${seen?.beds} after it`)
      // No change waits for one that died.
      ;(await server.send(setBeds(id, beds))).expectStatus(200)
    },
    isLocked: async () => {
      for (let wrong = 3; wrong <= mostWrong; wrong++) await expectWrong(server, tried, wrongPin(random, triedPin))
      const what = 'five wrong PINs, and workers died after the second: the right one'
      expectStatus(await server.send(logIn(tried, triedPin)), 429, what, fail)
    }
  }
}

/**
 * A worker dies while many requests are in flight.
 *
 * @param {Another} server
 * @param {number[]} pool
 * @param {Given} given
 * @returns {Promise<number>} the one that took its place
 */
async function expectToGoOn (server, pool, { random, late }) {
  for (let tries = 1; ; tries++) {
    const crowd = startCrowd({ get: server.get, nextPath: () => somePath(random), size: crowdSize })
    await crowd.last(100)
    const killed = crowd.mark()
    const victim = random.pick(pool)
    server.end(victim)
    // With no other worker, there's no response before the new one is there.
    await crowd.last(await server.within(pool.length === 1 ? fullAgainMs : noticedMs))
    const noticed = crowd.mark()
    await crowd.last(200)
    const wrong = await crowd.judge({ killed, noticed })
    if (wrong) late(wrong)
    const newest = await expectFull(server, [victim], { pool, which: 'a worker', late })
    if (pool.length === 1 || !crowd.lostAll(killed)) return newest
    if (tries === crowdTries) late('one worker of several was killed, and all requests in flight failed')
    // The others may have needed more time until they listened: one more try, when they had it.
    await sleep(await server.within(fullAgainMs))
    pool = await childrenOf(server)
  }
}

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
 * The processes of a server that has been warmed up, when no more of them appear.
 *
 * @param {Another} server
 * @param {Random} random
 */
async function steadyPool (server, random) {
  let pool = await childrenOf(server)
  if (pool.length === 0) return pool
  for (let looks = 0; looks < 10; looks++) {
    await Promise.all(Array.from({ length: 8 }, async () => (await server.get(somePath(random))).expectStatus(200)))
    await sleep(100)
    const before = pool.length
    pool = await childrenOf(server)
    if (looks > 0 && pool.length === before) break
  }
  return pool
}

/**
 * @param {Another} server
 * @param {number[]} dead
 * @param {{ pool: number[], which: string, late: Given['late'] }} given pool: all, before it died
 * @returns {Promise<number>} the one that took its place
 */
async function expectFull (server, dead, { pool, which, late }) {
  const patienceMs = await server.within(fullAgainMs)
  const end = performance.now() + patienceMs
  for (;;) {
    const now = (await childrenOf(server)).filter((pid) => !dead.includes(pid))
    if (now.length >= pool.length) return now.find((pid) => !pool.includes(pid)) ?? now[0]
    if (performance.now() > end) {
      late(`${which} died, one of ${pool.length} processes that your server started: ` +
        `${Math.round(patienceMs / 1000)} s later it has ${now.length}`)
    }
    await sleep(25)
  }
}

/** @param {Another} server */
async function respondsAgain (server) {
  const end = performance.now() + await server.within(fullAgainMs)
  while (performance.now() < end) {
    if (await server.get('/me').then(() => true, () => false)) return
    await sleep(25)
  }
}

/** @param {Another} server */
async function childrenOf (server) {
  return await server.children() ?? []
}

/** @param {Random} random */
function somePath (random) {
  return pathOf(anyPlace(random))
}
