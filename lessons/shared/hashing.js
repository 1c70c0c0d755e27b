import { availableParallelism } from 'node:os'
import { inBatches } from './batches.js'
import { almost, logIn, wrongCredentials } from './logins.js'

/**
 * @import { Check, Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { User } from './logins.js'
 *
 * Were the passwords really hashed? A hash has a physical limit: it can't be computed in a fraction of its time, nor
 * more of them at a time than there are cores.
 *
 * @typedef {object} HashCount
 * @property {number[]} answeredAt when the last answers that cost a hash came, ms
 * @property {string} [tooMany] what is wrong when they were too many
 */

// Cores change their speed between two measurements: this much slack keeps an honest server safe.
export const plausibleShare = 1 / 4
const capacityWindow = 32
const capacitySlack = 3
/** What lines, fields, C strings and tidy parsers end with: a password goes on behind it. */
const cutOff = ['\nx', '\r\n', '\0x', '\u2028x', ' ', ':x']
/** After so many other requests a login is one of a mix. */
const visits = { count: 60, atOnce: 10 }
const evenShare = 1 / 2
const evenPairs = 3
const unevenPairs = 9
const hashesPerCore = 4
const mostAtOnce = 32
const evenCrowdShare = 0.7
const evenCrowds = 2
const unevenCrowds = 5

/**
 * @param {number} elapsedMs from sending the request to the end of its answer
 * @param {number} hashMs what one hash takes on this machine
 * @returns {string | undefined} what is wrong
 */
export function haste (elapsedMs, hashMs) {
  if (elapsedMs >= hashMs * plausibleShare) return undefined
  return `the answer came faster than its hash can be computed, after ${elapsedMs.toFixed(1)} ms, where one hash ` +
    `takes ${hashMs.toFixed(0)} ms: was this password hashed?`
}

/** Of a server with POST /login. @type {Check} */
export const hashesAtEveryLogin = {
  name: 'hashes the password at every login',
  run: async ({ send, data, random, fail }) => {
    const user = random.pick(data.users)
    const enter = async (/** @type {User} */ user) => (await send(logIn(user))).expectStatus(200)
    const problem = await costProblem({
      right: async () => (await enter(user)).elapsedMs,
      wrong: async (password) => (await send(logIn({ ...user, password }))).expectStatus(401).elapsedMs,
      any: (index) => enter(data.users[index % data.users.length]),
      visit: () => send({ path: '/healthz' })
    }, { ...user, random })
    if (problem !== undefined) fail(`POST /login: ${problem}`)
  }
}

/**
 * A wrong password costs what a right one costs, even when it comes again. Pairs of both are timed until enough of them
 * are even, or far too many are not: on a busy machine any request has to wait now and then.
 *
 * @param {{ right: () => Promise<number>, wrong: (password: string) => Promise<number>, any: (index: number) =>
 *   Promise<unknown>, visit: () => Promise<unknown> }} logins ms that each took; any: one of many users, whose hashes
 *   cost the same; visit: another request, which costs little
 * @param {{ hashMs: number, random: Random, password: string }} given
 * @returns {Promise<string | undefined>} what is wrong
 */
export async function costProblem ({ right, wrong, any, visit }, { hashMs, random, password }) {
  await Promise.all(cutOff.map((end) => wrong(password + end)))
  const same = almost(password, random)
  for (const guess of [() => almost(password, random), () => same]) {
    let [even, uneven] = [0, 0]
    while (even < evenPairs) {
      const [rightMs, wrongMs] = [await right(), await wrong(guess())]
      const problem = haste(rightMs, hashMs) ?? haste(wrongMs, hashMs)
      if (problem !== undefined) return problem
      if (wrongMs >= rightMs * evenShare) even++
      else if (++uneven === unevenPairs) {
        return 'wrong passwords are refused in less than half of the time that right ones take, the last one after ' +
          `${wrongMs.toFixed(1)} ms, and that after ${rightMs.toFixed(1)} ms: is the whole hash computed for them, too?`
      }
    }
  }
  await inBatches(visits, visit)
  const tooSoon = haste(await right(), hashMs)
  return tooSoon ? `after ${visits.count} other requests, ${tooSoon}` : sharedProblem(right, any, hashMs)
}

/**
 * Clients that send the same at the same moment cost a hash each, as different ones do. Pairs of both crowds are timed
 * until enough of them are even: how fast the machine is at that moment says nothing.
 *
 * @param {() => Promise<unknown>} right
 * @param {(index: number) => Promise<unknown>} any logs in one of many users
 * @param {number} hashMs
 */
async function sharedProblem (right, any, hashMs) {
  let fastestMs = Infinity
  const count = Math.min(hashesPerCore * availableParallelism(), mostAtOnce)
  const time = async (/** @type {(index: number) => Promise<unknown>} */ logIn) => {
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: count }, async (_, index) => {
      await logIn(index)
      fastestMs = Math.min(fastestMs, performance.now() - startedAt)
    }))
    return performance.now() - startedAt
  }
  let [even, uneven] = [0, 0]
  while (even < evenCrowds) {
    const [sameMs, differentMs] = [await time(right), await time(any)]
    const tooSoon = haste(fastestMs, hashMs)
    if (tooSoon !== undefined) return `while ${count} log in at the same time, ${tooSoon}`
    if (sameMs >= differentMs * evenCrowdShare) even++
    else if (++uneven === unevenCrowds) {
      return `${count} logins of one user at the same time take less than those of several, the last ones ` +
        `${sameMs.toFixed(0)} ms and ${differentMs.toFixed(0)} ms: do they share a hash?`
    }
  }
}

/** @returns {HashCount} */
export function newHashCount () {
  return { answeredAt: [] }
}

/**
 * A server that keeps passwords and sleeps for a while instead of hashing answers more requests than the cores could
 * hash. As many answers as there are connections may come at once, and as many were begun before the window.
 *
 * @param {HashCount} count
 * @param {{ hashMs: number, connections: number }} data
 * @param {number} receivedAt ms
 */
export function countHash (count, { hashMs, connections }, receivedAt) {
  const window = capacityWindow + 2 * connections
  count.answeredAt.push(receivedAt)
  if (count.answeredAt.length > window) count.answeredAt.shift()
  if (count.answeredAt.length < window) return
  const spanMs = receivedAt - count.answeredAt[0]
  const leastMs = capacityWindow * hashMs / (Math.min(availableParallelism(), connections) * capacitySlack)
  if (spanMs < leastMs) {
    count.tooMany = `${window} answers that cost a hash came within ${spanMs.toFixed(0)} ms, more than this machine ` +
      'can hash in that time: were these passwords hashed?'
  }
}

/**
 * The logins of a load, by kind.
 *
 * @param {Parameters<Stream>[0]} given its model has the `hashes` of users
 * @param {(answer: LoadAnswer, user: User) => string | undefined} wrong what is wrong with an answer with status 200
 * @param {(answer: LoadAnswer) => string | undefined} [wrongRefusal] the same of one with 401
 * @returns {Record<string, () => Item>} `right`, `older`, `wrong` and `damaged`
 */
export function loginsOf ({ random, data, model: { hashes } }, wrong, wrongRefusal) {
  /** @param {User} user @returns {Item} */
  const right = (user) => ({
    ...logIn(user),
    answered: ({ status, receivedAt }) => {
      if (status === 200 && user.hashMs === data.hashMs) countHash(hashes, data, receivedAt)
    },
    check: (answer) => answer.status === 200
      ? wrong(answer, user) ?? haste(answer.elapsedMs, user.hashMs) ?? hashes.tooMany
      : `a right password should be answered with 200, got ${answer.status}`
  })
  /** @param {{ email: string, password: string }} credentials @param {number} hashMs @returns {Item} */
  const refusal = (credentials, hashMs) => ({
    ...logIn(credentials),
    check: (answer) => {
      if (answer.status !== 401) return `wrong credentials should be answered with 401, got ${answer.status}`
      if (answer.json()?.error !== 'bad_credentials') {
        return `wrong credentials should be answered with the error bad_credentials, got ${answer.text().slice(0, 80)}`
      }
      return wrongRefusal?.(answer) ?? haste(answer.elapsedMs, hashMs)
    }
  })
  return {
    right: () => right(random.pick(data.users)),
    older: () => right(random.pick(data.older)),
    wrong: () => {
      const user = random.pick(data.users)
      const credentials = wrongCredentials(random, data, user)
      return refusal(credentials, credentials.email === user.email ? user.hashMs : 0)
    },
    damaged: () => {
      const user = random.pick(data.damaged)
      return refusal(user, user.hashMs)
    }
  }
}

/** What hashing must not hold up. @type {Stream} */
export function healthz () {
  return () => ({
    path: '/healthz',
    key: 'healthz',
    check: (answer) => {
      if (answer.status !== 200) return `it should answer 200, got ${answer.status}`
      if (answer.json()?.status !== 'ok') return `it should answer {"status":"ok"}, got ${answer.text().slice(0, 80)}`
    }
  })
}

/** For `sourceHints`: what compares hashes in a way that takes longer the more bytes are right. */
export const comparesInUnequalTime = {
  pattern: new RegExp([
    /Buffer\.compare\(|\.equals\(/,
    /(hash|derived)\w*(\.toString\([^)]*\))?\s*[!=]==?(?!=|\s*(undefined|null))/,
    /[!=]==?\s*(\w+\.)?(hash|derived)/
  ].map(({ source }) => source).join('|'), 'i'),
  unless: /timingSafeEqual/,
  warning: 'The hashes seem to be compared with something other than crypto.timingSafeEqual: how long the comparison ' +
    'takes can tell how many bytes were right.'
}
