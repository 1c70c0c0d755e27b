import { availableParallelism } from 'node:os'
import { inBatches } from './batches.js'
import { almost, logIn, wrongCredentials } from './logins.js'

/**
 * @import http from 'node:http'
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { Check, Item, LoadAnswer, Stream } from '../../runner/lesson/index.js'
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
const pairs = { share: 1 / 2, even: 3, uneven: 6 }
/** More than a server that hashes for each client, as long as there are few, takes for few. */
const crowdSize = 24
/** One even pair is enough: a server that shares a hash has none. */
const crowds = { share: 0.7, even: 1, uneven: 4 }
/** What equal logins cost by themselves, of as many single ones: less is compared with a crowd of different ones. */
const plainlyEven = 0.85

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
  run: (given) => expectHashes(given, {
    enter: async (user) => (await given.send(logIn(user))).expectStatus(200),
    visit: (_, agent) => given.get('/healthz', { agent })
  })
}

/**
 * @param {Given} given
 * @param {{ enter: (user: User) => Promise<Answer>, visit: (user: User, agent: http.Agent) => unknown, hidesUsers?:
 *   boolean }} requests hidesUsers: an unknown address costs a hash as well
 */
export async function expectHashes (given, { enter, visit, hidesUsers = false }) {
  const { send, data, random, fail } = given
  const [user, other] = random.shuffle(data.users)
  const { password } = user
  const refused = async (/** @type {{ email: string, password: string }} */ credentials) =>
    (await send(logIn(credentials))).expectStatus(401).elapsedMs
  const wrong = (/** @type {string} */ password) => refused({ ...user, password })
  const problem = await costProblem({
    right: async () => (await enter(user)).elapsedMs,
    other: async () => (await enter(other)).elapsedMs,
    wrong,
    visit: async (agent) => visit(user, agent)
  }, { ...given, ...user })
  if (problem !== undefined) fail(`POST /login: ${problem}`)
  const uneven = hidesUsers && await compareCosts(given, {
    pair: [() => wrong(random.word(9)), () => refused({ email: `${random.word(9)}@nobody.example`, password })],
    ...pairs,
    even: 1,
    isOver: () => false,
    say: (wrongMs, unknownMs, what) => `an unknown e-mail address costs ${unknownMs.toFixed(1)} ms of ${what}, and a ` +
      `wrong password ${wrongMs.toFixed(1)} ms: is a hash computed for it, too?`
  })
  if (uneven) fail(`POST /login: ${uneven}`)
}

/**
 * A wrong password costs what a right one costs, even when it comes again, and however many came before: CPU time,
 * where the system tells it, since that's the same however many others want the cores. Pairs of both are compared until
 * enough of them are even, or too many are not; what's both now and then is settled as a late answer is.
 *
 * @param {{ right: () => Promise<number>, other: () => Promise<number>,
 *   wrong: (password: string) => Promise<number>, visit: (agent: http.Agent) => Promise<unknown> }} logins ms that each
 *   took; other: of another user; visit: another request, which costs little
 * @param {Pick<Given, 'cpuMs' | 'late' | 'random'> & { hashMs: number, password: string }} given
 * @returns {Promise<string | undefined>} what is wrong
 */
export async function costProblem ({ right, other, wrong, visit }, given) {
  const { cpuMs, hashMs, random, password } = given
  const odd = [' ', ...cutOff.map((end) => password + end)]
  const costMs = await costOf(cpuMs, () => Promise.all(odd.map(wrong))) / odd.length
  const same = ` ${password}`
  // A right login of the same user could end a row of wrong ones; another user's doesn't.
  for (const guess of [() => almost(password, random) + random.word(500), () => same]) {
    let problem
    const uneven = await compareCosts(given, {
      pair: [other, () => wrong(guess())],
      ...pairs,
      isOver: (elapsedMs) => (problem ??= haste(elapsedMs, hashMs)) !== undefined,
      say: (rightMs, wrongMs, what) => 'wrong passwords cost less than half of what right ones cost, the last one ' +
        `${wrongMs.toFixed(1)} ms of ${what}, and the right one ${rightMs.toFixed(1)} ms: is the whole hash computed ` +
        'for them, too?'
    })
    if ((problem ?? uneven) !== undefined) return problem ?? uneven
  }
  await inBatches(visits, (_, agent) => visit(agent))
  const knownMs = await costOf(cpuMs, () => wrong(same))
  if (knownMs < costMs * plausibleShare) {
    return `a wrong password that has been refused before costs ${knownMs.toFixed(1)} ms of CPU time, and others ` +
      `${costMs.toFixed(1)} ms: is it hashed?`
  }
  const tooSoon = haste(await right(), hashMs)
  if (tooSoon) return `after ${visits.count} other requests, ${tooSoon}`
  return sharedProblem(right, (index) => wrong(password + index), { ...given, costMs })
}

/**
 * Clients that send the same at the same moment cost a hash each, as different ones do.
 *
 * @param {() => Promise<number>} right
 * @param {(index: number) => Promise<number>} wrong another password each time
 * @param {Pick<Given, 'cpuMs' | 'late'> & { hashMs: number, costMs: number }} given costMs: CPU time of one of a few
 *   different ones; NaN where the system doesn't tell
 */
async function sharedProblem (right, wrong, given) {
  const { cpuMs, hashMs, costMs } = given
  /** @type {string | undefined} */
  let tooSoon
  const crowd = (/** @type {(index: number) => Promise<number>} */ logIn) => async () => {
    const took = await Promise.all(Array.from({ length: crowdSize }, (_, index) => logIn(index)))
    tooSoon ??= haste(Math.min(...took), hashMs)
    return Math.max(...took)
  }
  const equalMs = Number.isNaN(costMs) ? NaN : await costOf(cpuMs, crowd(right))
  if (tooSoon === undefined && equalMs >= plainlyEven * crowdSize * Math.max(costMs, hashMs)) return
  const uneven = tooSoon ?? await compareCosts(given, {
    pair: [crowd(wrong), crowd(right)],
    ...crowds,
    leastMs: crowdSize * hashMs * plausibleShare,
    isOver: () => tooSoon !== undefined,
    say: (differentMs, sameMs, what) => `${crowdSize} equal logins at the same time cost ${sameMs.toFixed(0)} ms of ` +
      `${what}, and different ones ${differentMs.toFixed(0)} ms: do they share a hash?`
  })
  return tooSoon === undefined ? uneven : `while ${crowdSize} log in at the same time, ${tooSoon}`
}

/** CPU time, ms; NaN where the system doesn't tell. @param {Given['cpuMs']} cpuMs @param {() => Promise<any>} act */
async function costOf (cpuMs, act) {
  const from = await cpuMs()
  await act()
  return await cpuMs() - from
}

/**
 * Does the second of a pair cost about what the first one costs? Pairs are tried until enough of them are even, or too
 * many are not.
 *
 * @param {Pick<Given, 'cpuMs' | 'late'>} given
 * @param {object} options
 * @param {[() => Promise<number>, () => Promise<number>]} options.pair ms that each took
 * @param {number} options.share of the first one's cost that the second one has at least
 * @param {number} options.even so many even pairs are enough
 * @param {number} options.uneven so many others are too many
 * @param {number} [options.leastMs] CPU time that the second one costs at least
 * @param {(elapsedMs: number) => boolean} options.isOver something else is wrong
 * @param {(firstMs: number, secondMs: number, what: string) => string} options.say what is wrong
 * @returns {Promise<string | undefined>} what is wrong
 */
async function compareCosts ({ cpuMs, late }, { pair, share, even, uneven, leastMs = 0, isOver, say }) {
  for (let [alike, others] = [0, 0]; alike < even;) {
    const marks = [await cpuMs()]
    const elapsed = []
    for (const act of pair) {
      elapsed.push(await act())
      marks.push(await cpuMs())
      if (isOver(elapsed[elapsed.length - 1])) return undefined
    }
    const tellsCpu = !marks.some(Number.isNaN)
    const [first, second] = tellsCpu ? [marks[1] - marks[0], marks[2] - marks[1]] : elapsed
    if (second >= Math.max(first * share, tellsCpu ? leastMs : 0)) {
      alike++
    } else if (++others === uneven) {
      const problem = say(first, second, tellsCpu ? 'CPU time' : 'time')
      // Time that passes says little, and so does what is uneven only now and then.
      return tellsCpu && alike === 0 ? problem : late(problem)
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
 * A login of a load with the right password.
 *
 * @param {Pick<Item, 'method' | 'path' | 'json'>} request
 * @param {{ hashMs: number, data: any, hashes: HashCount }} cost hashMs: of its hash; hashes: of those that cost most
 * @param {(answer: LoadAnswer) => string | undefined} wrong what is wrong with an answer with status 200
 * @returns {Item}
 */
export function rightLogin (request, { hashMs, data, hashes }, wrong) {
  return {
    ...request,
    answered: ({ status, receivedAt }) => {
      if (status === 200 && hashMs === data.hashMs) countHash(hashes, data, receivedAt)
    },
    check: (answer) => answer.status === 200
      ? wrong(answer) ?? haste(answer.elapsedMs, hashMs) ?? hashes.tooMany
      : `a right password should be answered with 200, got ${answer.status}`
  }
}

/**
 * The same with wrong credentials.
 *
 * @param {Pick<Item, 'method' | 'path' | 'json'>} request
 * @param {number} hashMs what the refusal costs
 * @param {(answer: LoadAnswer) => string | undefined} wrong what is wrong with an answer with status 401
 * @returns {Item}
 */
export function refusedLogin (request, hashMs, wrong) {
  return {
    ...request,
    check: (answer) => answer.status === 401
      ? wrong(answer) ?? haste(answer.elapsedMs, hashMs)
      : `wrong credentials should be answered with 401, got ${answer.status}`
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
  const right = (/** @type {User} */ user) =>
    rightLogin(logIn(user), { hashMs: user.hashMs, data, hashes }, (answer) => wrong(answer, user))
  const refusal = (/** @type {{ email: string, password: string }} */ credentials, /** @type {number} */ hashMs) =>
    refusedLogin(logIn(credentials), hashMs, (answer) => answer.json()?.error === 'bad_credentials'
      ? wrongRefusal?.(answer)
      : `wrong credentials should be answered with the error bad_credentials, got ${answer.text().slice(0, 80)}`)
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

/**
 * The load of a lesson in which nearly all work is hashing.
 *
 * @param {Stream} stream @param {number} connections
 */
export function hashingLoad (stream, connections) {
  // Hashing is native code: it is warm from the start.
  return { stream, connections, sliceMs: 300, sliceAnswers: 8, warmUpMs: 250, probe: { stream: healthz, rate: 50 } }
}

/** What hashing must not hold up. @type {Stream} */
function healthz () {
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
