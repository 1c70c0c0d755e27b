import fs from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { byMoment } from '../form/index.js'
import { alikeKeys, nearSecrets } from '../form/kinds.js'
import { jsonIn } from '../shared/answers.js'
import { inBatches } from '../shared/batches.js'
import { expectEnd } from '../shared/ends.js'
import { cookieOf } from '../shared/sessions.js'
import { anyHut, anyPin, withWrongPin } from './club.js'
import { startCrowd } from './crowd.js'
import { logIn, setBeds } from './operations.js'
import { anyPlace, pathOf } from './terrain.js'

/**
 * What the slow server can't show: it has one process. First what several must share, then what becomes of it when one
 * dies: a server that uses threads, or a single process, has no worker to kill.
 *
 * @import { Another, Given } from '../../runner/contract/index.js'
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Hut, Member } from './club.js'
 *
 * A check's own server, whose processes are all at work.
 * @typedef {Given & Another & { pool: number[] }} Warm
 *
 * agents: of connections that are kept, so that some of them are another worker's.
 * @typedef {Warm & { hut: Hut, agents: http.Agent[] }} AtHut
 */

const mostWrong = 5
const crowdSize = 20
const crowdTries = 3
/** More names than something bounded has room for. */
const strangers = 1100
/** The first of them try as often as they may: nobody else is locked out with them. */
const locked = 60
/** Kept connections. */
const [readers, quickReaders] = [8, 2]
/** Of a hut, and how many there are at most while others read. */
const [writes, mostWrites] = [60, 120]
// A lost worker's requests fail, and so do those that reach it before the loss is noticed.
// Generous: on a busy machine the news of a death travels slowly.
const [noticedMs, fullAgainMs] = [500, 2000]
// A process that waits for a busy core may end later than it should.
const endTries = 3
/** Workers that die one after the other: more than a back-off tolerates, or a counter of lives. */
const deaths = 12
/** All of them at the same moment. */
const deathOfAll = 6
/** Until a new worker has begun to listen, mostly; and one that lives on after SIGTERM for so long is killed. */
const [startMs, graceMs] = [500, 300]

export const contract = byMoment({
  apart: {
    'knows a session in each of its processes': async (given) => {
      const server = await warmServer(given)
      const member = given.random.pick(given.data.members)
      await expectKnown(await sessionOf(server, member))
      const { value } = (await server.send(logIn(member))).expectCookie('session')
      // Another server doesn't.
      ;(await given.get('/me', { headers: cookieOf(value) })).expectStatus(401)
    },
    'allows a name five wrong PINs in all its processes together, even many at once': async (given) => {
      const server = await warmServer(given)
      const { random, data, fail } = given
      const [member, other, visitor] = random.shuffle(data.members)
      const answers = await Promise.all(Array.from({ length: crowdSize }, () =>
        server.send(logIn(withWrongPin(random, member)))))
      const allowed = answers.filter(({ status }) => status === 401).length
      if (allowed !== mostWrong) {
        fail(`${crowdSize} wrong PINs for one name at once: expected ${mostWrong} times 401, got ${allowed}`)
      }
      const askWhose = await sessionOf(server, visitor)
      await inBatches({ count: strangers, atOnce: crowdSize }, async (at, agent) => {
        const stranger = `${random.word(6)}${at}`
        for (let wrong = 0; wrong < (at < locked ? mostWrong : 1); wrong++) {
          await expectWrong(server, [stranger, anyPin(random)], agent)
        }
        if (at % 4 === 0) await sessionOf(server, visitor, agent)
      })
      await askWhose()
      const what = `the right PIN after ${crowdSize} wrong ones, and one for each of ${strangers} other names`
      await expectLocked(server, member, what)
      const [name, pin] = other
      for (const near of nearSecrets(pin).slice(0, mostWrong - 1)) await expectWrong(server, [name, near])
      for (const alike of alikeKeys(name)) await expectWrong(server, [alike, pin])
      // What's no PIN isn't a wrong one.
      const { status } = await server.send({ ...logIn(other), json: { name } })
      if (status !== 400) fail(`a login without a PIN: expected status 400, got ${status}`)
      // A right one takes no try, not even while it's being looked up.
      const sessions = await Promise.all(Array.from({ length: crowdSize }, () => sessionOf(server, other)))
      for (const askWhose of sessions) await askWhose()
      await expectWrong(server, withWrongPin(random, other))
      await expectLocked(server, other, 'the right PIN after five wrong ones')
    },
    'never shows a hut as it was before a change, and never half of one': async (given) => {
      const server = await warmServer(given)
      const hut = anyHut(given.random, given.data.huts)
      const agents = Array.from({ length: readers }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }))
      try {
        for (const expect of [expectFresh, expectWhole, expectOneOfAll]) {
          await expect({ ...server, hut, agents })
        }
      } finally {
        agents.forEach((agent) => agent.destroy())
      }
    },
    'goes on as before when its workers die, replaces each one, and exits with all of them': async (given) => {
      const server = await warmServer(given)
      if (server.pool.length > 0) await Promise.all([expectReplaced(server), expectEndAfterDeath(given)])
      await expectEnd(given, (fresh) => steadyPool(fresh, given.random), server)
    }
  }
})

/** @param {Given} given @returns {Promise<Warm>} */
async function warmServer (given) {
  const server = await given.another()
  return { ...given, ...server, pool: await steadyPool(server, given.random) }
}

/**
 * The processes of a server that has been warmed up, when no more of them appear.
 *
 * @param {Another} server @param {Random} random
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

/** @param {Another} server */
async function childrenOf (server) {
  return await server.children() ?? []
}

/** @param {Random} random */
function somePath (random) {
  return pathOf(anyPlace(random))
}

/**
 * Opens a session.
 *
 * @param {Another} server @param {Member} member @param {http.Agent} [agent]
 * @returns {Promise<() => Promise<unknown>>} asks whose it is
 */
async function sessionOf ({ get, send }, member, agent) {
  const { value } = (await send({ ...logIn(member), agent })).expectStatus(201).expectCookie('session')
  return async () => (await get('/me', { headers: cookieOf(value) })).expectStatus(200).expectJson({ name: member[0] })
}

/** As many as can be opened at once. @param {Warm} server */
async function sessionsOf (server) {
  const open = () => sessionOf(server, server.random.pick(server.data.members)).catch(() => null)
  return (await Promise.all(Array.from({ length: readers }, open))).filter((askWhose) => askWhose !== null)
}

/** Connection by connection, and many at once. @param {() => Promise<unknown>} askWhose */
async function expectKnown (askWhose) {
  for (let at = 0; at < readers; at++) await askWhose()
  await Promise.all(Array.from({ length: crowdSize }, askWhose))
}

/** @param {Another} server @param {Member} member @param {http.Agent} [agent] */
async function expectWrong ({ send }, member, agent) {
  (await send({ ...logIn(member), agent })).expectStatus(401)
}

/** @param {Warm} server @param {Member} member @param {string} what */
async function expectLocked ({ send, fail }, member, what) {
  const { status } = await send(logIn(member))
  if (status !== 429) fail(`${what}: expected status 429, got ${status}`)
}

/** Reads over connections that are open already, right after the response to each change. @param {AtHut} given */
async function expectFresh ({ get, send, dataDir, random, fail, hut, agents }) {
  const read = async (/** @type {http.Agent | undefined} */ agent) =>
    jsonIn((await get(`/huts/${hut.id}`, { agent })).expectStatus(200))
  await Promise.all(agents.map(read))
  for (let at = 0; at < writes; at++) {
    const beds = (hut.beds + at + 1) % 10_000
    await send({ ...setBeds(hut.id, beds), agent: random.pick(agents) })
    // Mostly so few that the next change comes before the clock of the files has moved on.
    const some = at % 4 === 0 ? [...agents, undefined] : random.shuffle(agents).slice(0, quickReaders)
    const [old] = (await Promise.all(some.map(read))).filter((seen) => seen?.beds !== beds)
      .map((seen) => JSON.stringify(seen) ?? 'no JSON')
    if (old) fail(`/huts/${hut.id} was set to ${beds} beds, and a read after that shows ${old}`)
    const file = JSON.parse(await fs.readFile(path.join(dataDir, `hut-${hut.id}.json`), 'utf8'))
    if (!isDeepStrictEqual({ ...file, ...hut, beds }, file)) {
      fail(`hut-${hut.id}.json is ${JSON.stringify(file)} after ${beds} beds were set`)
    }
  }
}

/**
 * Reads while it's being written again and again, with more beds each time. What a busy process has begun to read may
 * be old by the time it has it.
 *
 * @param {AtHut} given
 */
async function expectWhole ({ get, send, random, fail, hut: { id, name }, agents: [writer, busy, ...others] }) {
  const written = new AbortController()
  let beds = 0
  const write = async () => {
    for (; beds < mostWrites; beds++) await send({ ...setBeds(id, beds + 1), agent: writer })
  }
  const look = async () => {
    while (!written.signal.aborted) await get(somePath(random), { agent: busy })
  }
  const read = async (/** @type {http.Agent} */ agent) => {
    while (!written.signal.aborted) {
      const least = beds
      const answer = await get(`/huts/${id}`, { agent })
      const hut = answer.status === 200 ? jsonIn(answer) : undefined
      if (hut?.name === name && hut.beds >= least) continue
      fail(`/huts/${id}, read while it's being changed: expected the whole hut, with at least the ${least} beds that ` +
        `had been set before, got ${answer.status} ${answer.text}`)
    }
  }
  await send(setBeds(id, beds))
  await Promise.all([write().finally(() => written.abort()), look(), ...others.map(read)])
}

/** Changes at the same moment: each is made, and the last one stays. @param {AtHut} given */
async function expectOneOfAll ({ get, send, dataDir, fail, hut: { id }, agents }) {
  for (let at = 0; at < writes / 2; at++) {
    await Promise.all(agents.map(async (agent, beds) =>
      (await send({ ...setBeds(id, beds), agent })).expectStatus(200)))
  }
  const shown = jsonIn((await get(`/huts/${id}`)).expectStatus(200))
  const file = JSON.parse(await fs.readFile(path.join(dataDir, `hut-${id}.json`), 'utf8'))
  if (file.beds !== shown?.beds) fail(`hut-${id}.json shows ${file.beds} beds, and /huts/${id} ${shown?.beds}`)
}

/** @param {Warm} server */
async function expectReplaced (server) {
  const kept = await remember(server)
  let [newest, opened] = [await expectToGoOn(server), /** @type {(() => Promise<unknown>)[]} */ ([])]
  await kept.isThere()
  // From here on the newest one dies, so that the others go on responding.
  for (let death = 2; death <= deaths; death++) {
    const pool = await childrenOf(server)
    const isLast = death === deaths
    // One of the first has surely begun to listen to signals.
    const victim = isLast ? pool.find((pid) => server.pool.includes(pid)) ?? newest : newest
    if (isLast) {
      // One that ends by itself with code 0 is as dead as one that was killed. It has to have started for it.
      await sleep(startMs)
      for (const askWhose of opened) await expectKnown(askWhose)
      server.end(victim, 'SIGTERM')
      await sleep(graceMs)
    }
    const dead = death === deathOfAll ? pool : [victim]
    dead.forEach((pid) => server.end(pid))
    newest = await expectFull(server, { dead, pool, which: `worker ${death} of those that were killed` })
    if (isLast || pool.length === dead.length) await respondsAgain(server)
    // While the newest one starts; the request may reach one that's dead.
    if (death === deaths - 1) opened = await sessionsOf(server)
  }
  await kept.isThere()
  await kept.isLocked()
}

/** A session, a name with two wrong PINs, and a hut, from before. @param {Warm} server */
async function remember (server) {
  const { get, send, random, data, fail } = server
  const [member, tried] = random.shuffle(data.members)
  const [{ id }, beds] = [anyHut(random, data.huts), random.int(0, 9999)]
  const askWhose = await sessionOf(server, member)
  for (let wrong = 1; wrong <= 2; wrong++) await expectWrong(server, withWrongPin(random, tried))
  ;(await send(setBeds(id, beds))).expectStatus(200)
  return {
    isThere: async () => {
      await expectKnown(askWhose)
      const seen = jsonIn((await get(`/huts/${id}`)).expectStatus(200))
      if (seen?.beds !== beds) fail(`/huts/${id} had ${beds} beds before a worker died, and ${seen?.beds} after it`)
      // No change waits for one that died.
      ;(await send(setBeds(id, beds))).expectStatus(200)
    },
    isLocked: async () => {
      for (let wrong = 3; wrong <= mostWrong; wrong++) await expectWrong(server, withWrongPin(random, tried))
      await expectLocked(server, tried, 'five wrong PINs, and workers died after the second: the right one')
    }
  }
}

/** A worker dies while many requests are in flight. @param {Warm} server @returns the one that took its place */
async function expectToGoOn (server) {
  const { random, late } = server
  let { pool } = server
  for (let tries = 1; ; tries++) {
    const crowd = startCrowd(server, { nextPath: () => somePath(random), size: crowdSize })
    await sleep(100)
    const killed = performance.now()
    const victim = random.pick(pool)
    server.end(victim)
    // With no other worker, there's no response before the new one is there.
    await sleep(await server.within(pool.length === 1 ? fullAgainMs : noticedMs))
    const noticed = performance.now()
    await sleep(200)
    const wrong = await crowd.judge({ killed, noticed })
    if (wrong) late(wrong)
    const newest = await expectFull(server, { dead: [victim], pool, which: 'a worker' })
    if (pool.length === 1 || !crowd.lostAll(killed)) return newest
    if (tries === crowdTries) late('one worker of several was killed, and all requests in flight failed')
    // The others may have needed more time until they listened: one more try, when they had it.
    await sleep(await server.within(fullAgainMs))
    pool = await childrenOf(server)
  }
}

/**
 * Waits until there are as many as before.
 *
 * @param {Warm} server
 * @param {{ dead: number[], pool: number[], which: string }} lost pool: all, before it died
 * @returns {Promise<number>} the one that took its place
 */
async function expectFull (server, { dead, pool, which }) {
  const patienceMs = await server.within(fullAgainMs)
  const end = performance.now() + patienceMs
  for (;;) {
    const now = (await childrenOf(server)).filter((pid) => !dead.includes(pid))
    if (now.length >= pool.length) return now.find((pid) => !pool.includes(pid)) ?? now[0]
    if (performance.now() > end) {
      server.late(`${which} died, one of ${pool.length} processes that your server started: ` +
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

/** The loss of one has been noticed, and its place is perhaps still empty. @param {Given} given */
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
