import http from 'node:http'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { rules } from '../shared/model-rules.js'
import { ContractError } from './answer.js'
import { bodyOf, send, sendInOneGo, timeFor } from './client.js'
import { difference, isWrite } from './operation.js'

/**
 * What happens to any route, whatever a lesson is about: clients leave before their answer, many are refused for what
 * they ask, and a crowd lasts. Nobody has to know a right answer for that: the server's own answers before it are the
 * measure.
 *
 * @import { Random } from '../shared/random.js'
 * @import { Answer } from './answer.js'
 * @import { Request } from './client.js'
 * @import { Operation, Surroundings } from './operation.js'
 * @import { Another, Check, Given } from './run-contract.js'
 *
 * Requests that do the same kind of work, with what one of them took and was answered, asked alone.
 *
 * @typedef {object} Work
 * @property {() => Request} draw
 * @property {Operation} operation
 * @property {string} label
 * @property {number} ms
 * @property {number} status
 * @property {NonNullable<Operation['notNow']>} notNow
 * @property {(() => Request)[]} refused draws of the same route that are refused for what they ask
 */

/** Where there's less work than this, no crowd is ever seen waiting. */
const leastMs = 2
/** So many leave at a time: in all more than the places that a server has, then so few that those behind have one. */
const wave = 8
const waves = [wave, wave, 2]
const leavers = 2 * wave
/** … and these, who came behind them, stay, as does one who wants what the last of them has begun. */
const stayers = 2
/** So many are refused for what they ask, which is hardly any work: more than a server with a bound takes at once. */
const refusals = 64
/** What they get. A wrong password may be work, and is counted by some. */
const refusing = [400, 404, 413, 415, 422]
/** A busy machine may take one of the cheap ones for one of those with the most work. */
const mostRoutes = 3
/** As often does a client come back that was told to; one without an answer has waited for long. */
const mostTries = 12
const mostSilences = 3
const pauseMs = 150
/** Clients that send the next request as soon as they have an answer: more than are served at the same moment. */
const crowd = 2 * Math.max(4, availableParallelism())
/** So many answers for each of them, to requests that came later: by then everyone has had a turn. */
const mostLater = 3 * crowd
const mostRequests = 3 * mostLater

/** So many requests come in one go. */
const inOneGo = 6
/** … and the last of them ends the connection: sooner than Node.js does by itself when nothing comes. */
const soonMs = 2000

/**
 * A lesson's checks, and those of every lesson.
 *
 * @param {{ contract: Check[], operations?: Record<string, Operation> }} lesson
 * @param {'before' | 'during' | 'after'} when
 */
export function checksOf (lesson, when) {
  const checks = [...lesson.contract, ...situationsOf(lesson)]
  return checks.filter((check) => (check.when ?? ['before', 'after']).includes(when))
}

/**
 * @param {{ operations?: Record<string, Operation> }} lesson
 * @returns {Check[]} two, for a lesson with operations
 */
function situationsOf ({ operations = {} }) {
  if (Object.keys(operations).length === 0) return []
  return [{
    name: rules.crowd,
    when: ['before'],
    apart: true,
    run: async (given) => {
      const server = await given.another()
      const { send } = server
      const works = await worksOf(server, operations, given)
      const slow = works.slice(0, mostRoutes)
      // A write whose client has left may be made later.
      for (const work of [...slow.filter((one) => !isWrite(one)), ...slow.filter(isWrite)]) {
        // Few leave only the one with the most work: others are hardly begun by then.
        await leaveOften(server, work, { ...given, sizes: work === works[0] ? waves : waves.slice(0, 2) })
        await expectAnswer(server, work, { ...given, when: `after ${leavers} clients had left before their answers` })
        if (work.refused.length === 0) continue
        await refuseOften(server, work)
        await expectAnswer(server, work, { ...given, when: `after ${refusals} requests were refused` })
      }
      const [slowest] = works
      // A server may hang up.
      await Promise.allSettled(works.map(({ draw }) => send(undecodable(draw()))))
      if (slowest) await expectAnswer(server, slowest, { ...given, when: `after paths that end in ${brokenEscape}` })
      if (slowest?.ms >= leastMs && slowest.notNow === never) await expectTurns(server, slowest, given)
    }
  }, {
    name: rules.inOrder,
    when: ['before'],
    run: (given) => expectInOrder(Object.values(operations), given)
  }]
}

const never = () => false

/** No UTF-8: decoding it throws. */
const brokenEscape = '%E0%A4%A'

/** The same with another end of its path. @param {Request} request @returns {Request} */
function undecodable (request) {
  return { ...request, path: request.path.replace(/[^/?]*(?=\?|$)/, brokenEscape) }
}

/**
 * What each route is asked that it takes, the most work first.
 *
 * @param {Another} server @param {Record<string, Operation>} operations @param {Given} given
 * @returns {Promise<Work[]>} one for each method and form of the path
 */
async function worksOf ({ send }, operations, { random, data }) {
  /** @type {Omit<Work, 'refused'>[]} */
  const asked = []
  for (const operation of Object.values(operations)) {
    const { draw, notNow = never } = operation
    const next = () => plainOf(draw, { random, data })
    const request = next()
    if (request === null) continue
    const [first, ...rest] = request.path.split('?')[0].split('/').slice(1)
    const label = `${request.method ?? 'GET'} /${[first, ...rest.map(() => '…')].join('/')}`
    const { status, elapsedMs: ms } = await send(request)
    // Another draw may give nothing.
    asked.push({ draw: () => next() ?? request, operation, label, ms, status, notNow })
  }
  const slowestFirst = (/** @type {{ ms: number }} */ a, /** @type {{ ms: number }} */ b) => b.ms - a.ms
  // What is refused is mostly less work.
  const taken = asked.sort(slowestFirst).filter(({ status }) => status < 400)
  const refused = asked.filter(({ status }) => refusing.includes(status))
  const works = taken.filter(({ label }, at) => taken.findIndex((one) => one.label === label) === at).map((work) =>
    ({ ...work, refused: refused.filter(({ label }) => label === work.label).map(({ draw }) => draw) }))
  // A busy machine makes a request look like more work than it is, but seldom in both of two looks.
  for (const work of works) work.ms = Math.min(work.ms, (await send(work.draw())).elapsedMs)
  return works.sort(slowestFirst)
}

/**
 * A request that rests on no answer.
 *
 * @param {Operation['draw']} draw @param {{ random: Random, data: any }} given @returns {Request | null}
 */
function plainOf (draw, { random, data }) {
  const asked = draw({ random, data, past: () => [] })
  const answerOf = () => { throw new ContractError('nothing has been asked') }
  try {
    const plain = typeof asked === 'function' ? asked(answerOf) : asked
    return plain !== null && 'path' in plain ? plain : null
  } catch (error) {
    if (error instanceof ContractError) return null
    throw error
  }
}

/** @param {Another} server @param {Work} work @param {Given & { sizes: number[] }} given */
async function leaveOften ({ send }, work, { random, data, late, fail, sizes }) {
  const { draw, operation, label, ms, status } = work
  for (const [turn, size] of sizes.entries()) {
    // Some are being worked on, and the others wait, or have yet to be noticed.
    const isFirst = turn === 0
    const shared = draw()
    const leaving = Array.from({ length: size }, (_, at) => {
      // The first ones while they're worked on, the last one of all while what it has begun is wanted by another.
      const isSoon = at < 2 || at === size - 1
      const leaveMs = isFirst ? 0 : ms * (isSoon ? 0.5 : 0.3 + 3 * random.next())
      return send({ ...at === size - 1 ? shared : draw(), leaveMs })
    })
    const wanted = isFirst ? [] : [shared, ...Array.from({ length: stayers }, draw)]
    const staying = wanted.map((request) => send(request))
    await Promise.allSettled([...leaving, ...staying])
    const when = `while ${size} clients before it left`
    const answers = await Promise.all(staying).catch((error) => {
      if (error instanceof ContractError) error.message += `, ${when}`
      throw error
    })
    // Who has no place for it may say so.
    const wrong = answers.find((answer) => isLess(answer, work) && answer.status !== 503)
    if (wrong) late(`${label}, ${when}: expected a status like ${status}, got ${wrong.status}`)
    // What's read alone afterwards is the same, as long as nothing has been written.
    for (const [at, request] of isWrite(work) ? [] : wanted.entries()) {
      const found = difference(operation, data, { answer: answers[at] }, { answer: await send(request) })
      if (found) fail(`${label}, ${when}: ${found.what}: ${found.expected}, and afterwards, alone, ${found.got}`)
    }
  }
}

/** @param {Another} server @param {Work} work */
async function refuseOften ({ send }, { refused }) {
  const agent = new http.Agent({ keepAlive: true })
  for (let at = 0; at < refusals; at += wave) {
    const requests = Array.from({ length: wave }, (_, i) => refused[(at + i) % refused.length]())
    await Promise.allSettled(requests.map((request) => send({ ...request, agent })))
  }
  agent.destroy()
}

/** @param {Answer} answer @param {Work} work */
function isLess (answer, { status, notNow }) {
  return answer.status >= 500 && status < 500 && !notNow(answer)
}

/** @param {Another} server @param {Work} work @param {Pick<Given, 'fail'> & { when: string }} given */
async function expectAnswer ({ send }, work, { when, fail }) {
  const { draw, label, status, notNow } = work
  for (let [tries, silences] = [1, 0]; ; tries++) {
    const { answer, silence } = await send(draw()).then((answer) => ({ answer, silence: '' }), (error) => {
      if (error instanceof ContractError) return { answer: null, silence: error.message }
      throw error
    })
    if (answer !== null && !isLess(answer, work) && !notNow(answer)) return
    if (answer === null && ++silences === mostSilences) fail(`${silence}, ${when}`)
    if (tries === mostTries) fail(`${label}, ${when}: expected a status like ${status}, got ${answer?.status}`)
    await sleep(pauseMs)
  }
}

/**
 * As long as a crowd lasts, nobody is overtaken again and again, and nobody is refused. What takes next to nothing
 * overtakes nobody.
 *
 * @param {Another} server @param {Work} work @param {Given} given
 */
async function expectTurns ({ send }, work, { fail }) {
  const { draw, label, ms, status } = work
  let [sent, waiting, later] = [0, crowd, 0]
  const isOver = () => waiting === 0 || later >= mostLater || sent >= mostRequests
  await Promise.all(Array.from({ length: crowd }, async () => {
    for (let isFirst = true; isFirst || !isOver(); isFirst = false) {
      sent++
      const answer = await send(draw())
      const { elapsedMs } = answer
      if (isLess(answer, work)) answer.fail(`in a crowd, it got ${answer.status} instead of ${status}`)
      if (isFirst) waiting--
      else if (elapsedMs >= ms / 2) later++
      if (waiting > 0 && later >= mostLater) {
        fail(`${label}: ${waiting} of ${crowd} clients that came at the same moment still waited, when ${later} ` +
          'requests that came later had been answered')
      }
    }
  }))
}

/**
 * What's read in one go is the same as what's read alone, and the connection ends when the last of them says so.
 *
 * @param {Operation[]} operations @param {Given} given
 */
async function expectInOrder (operations, { send, origin, random, data, within }) {
  const reads = random.shuffle(operations.filter((operation) =>
    !isWrite({ operation }) && !operation.notNow && !operation.odd))
  /** @type {{ operation: Operation, request: Request, alone: Answer }[]} */
  const asked = []
  for (let draws = 0; draws < reads.length * inOneGo && asked.length < inOneGo; draws++) {
    const operation = reads[draws % reads.length]
    const request = plainOf(operation.draw, { random, data })
    if (!request || (request.method ?? 'GET') !== 'GET' || bodyOf(request) !== undefined) continue
    asked.push({ operation, request, alone: await send(request) })
  }
  if (asked.length === 0) return
  // A server may close the connection with any other.
  asked.sort((one, other) => other.alone.status - one.alone.status)
  const together = await sendInOneGo(origin, asked.map(({ request }) => request), await within(soonMs))
  for (const [at, answer] of together.entries()) {
    const { operation, alone } = asked[at]
    const wrong = difference(operation, data, { answer: alone }, { answer })
    if (wrong) {
      answer.fail(`request ${at + 1} of ${asked.length} in one go: ${wrong.what}: alone ${wrong.expected}, and now ` +
        wrong.got)
    }
    if (at === asked.length - 1 && /keep-alive/i.test(answer.headers.connection ?? '')) {
      answer.fail('it was asked with Connection: close, and the connection is kept')
    }
  }
}

/** @type {Record<string, string>[]} */
const strayHeaders = [
  { cookie: 'a=50%; b; =' },
  { 'accept-language': ';;q=x' },
  { 'if-none-match': '"' },
  { 'accept-encoding': 'gzip;q=x, ,*' },
  { range: 'bytes=9-1' },
  { authorization: 'Bearer' }
]

/** @type {Request[]} */
const strayRequests = [
  ...['//', '//x', '/%', '/%zz', '/?%', '/..', '/%cc', '/?=&=='].map((path) => ({ path })),
  ...strayHeaders.map((headers) => ({ path: '/', headers }))
]

/**
 * Requests that come along on any port that is open to the world, all of them once in each sequence: no lesson's text
 * speaks of them, servers answer them as they like, and none dies of them.
 *
 * @type {Operation}
 */
export const stray = {
  rule: rules.stray,
  weight: 0.01,
  draw: ({ random }) => {
    const shuffled = random.shuffle(strayRequests)
    return {
      says: 'the answers to unexpected requests',
      look: async (server) => {
        for (const request of shuffled) {
          const failure = await failureOf(server, request)
          if (failure) return failure
        }
        return 'one to each'
      }
    }
  }
}

/** @param {Surroundings} server @param {Request} request */
async function failureOf (server, request) {
  try {
    await send(server.origin, request, timeFor(server))
    return null
  } catch (error) {
    if (error instanceof ContractError) return error.message
    throw error
  }
}
