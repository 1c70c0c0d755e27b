import { setTimeout as sleep } from 'node:timers/promises'
import { byMoment, refusesAll } from '../form/index.js'
import { leaveWithin } from '../shared/batches.js'
import { makeOrder, orderProblem, sealProblem } from './desk.js'
import { noOrders } from './operations.js'
import { addOne } from './trouble.js'

/**
 * What the slow server can't show: it refuses nothing.
 *
 * @import { Given, Request } from '../../runner/contract/index.js'
 * @import { Quote } from './desk.js'
 */

// Far more than a server may let wait, and a few that every server has to have room for.
const [burst, leastRefused, atOnce] = [100, 10, 6]
// A server that measures how busy it was may still refuse for a moment. On a busy machine, a few orders are a crowd,
// and a crowd may be pulled apart.
const [tries, crowdTries, pauseMs, quietMs] = [12, 2, 150, 600]
// Fewer quotes than make a server generous again that counts the good ones.
const [triesAfterCrowd, enough] = [8, 3]
// Of the CPU time that a seal takes.
const calmShare = 1.5
// More than a generous bound on connections; most that are open are idle.
const [holders, holdMs] = [300, 700]
// Shorter than a seal takes.
const earlyMs = 2
// More clients than there are places, and how long after the first half of an order, or a whole one, they leave.
const [leavers, leaveMs, soonMs] = [40, 150, 30]
// More than a server has left over that counts arrivals instead of waiting orders.
const handfuls = 24
// So much later than their heads come bodies, by when as many heads have come as a server has room for.
const bodyMs = 50
// Making a seal costs the grader what it costs a server, so of very many, only some are checked.
const mostSeals = 20

export const crowdCheck =
  `answers each of ${burst} orders that come at the same moment on new connections, at least ${leastRefused} of ` +
  'them with 503'

const refuses = refusesAll({
  name: 'refuses an invalid order with 400',
  path: '/quotes',
  bodies: ({ random, data }) => noOrders(random, data)
})

// The crowd comes last.
export const contract = [...byMoment({
  always: {
    [refuses.name]: refuses.run,
    [`serves ${atOnce} orders that come at the same moment`]: {
      timed: true,
      run: async (given) => {
        let [served, calm, refused] = [0, 0, 0]
        for (let i = 0; i < tries; i++) {
          const handful = await sendHandful(given)
          if (handful.served === atOnce) return
          served = Math.max(served, handful.served)
          if (handful.isCalm) calm++
          if (handful.isAtTheDoor) refused++
          await sleep(pauseMs)
        }
        // On a busy machine, six take longer than a server with a clock may want to let an order wait.
        if (calm < tries / 2 && (served >= atOnce / 2 || refused < tries / 2)) return
        given.fail(`POST /quotes: of ${atOnce} orders at the same moment, on a server that had nothing else to do, ` +
          `${served} were served at best`)
      }
    }
  },
  before: {
    [`serves ${atOnce} orders that come at the same moment, even after a crowd`]: {
      timed: true,
      run: async (given) => {
        // The first of all its orders are half ones, of clients that leave, then whole ones of such, then a crowd.
        const fresh = { ...given, ...await given.another() }
        const order = () => ({ method: 'POST', path: '/quotes', json: makeOrder(given.random, given.data) })
        await leaveWithin(fresh, { count: leavers, leaveMs }, order)
        await leaveWithin(fresh, { count: leavers, leaveMs: soonMs, chunked: false }, order)
        await addTogether(fresh, burst)
        await sleep(quietMs)
        let [served, refused] = [0, 0]
        for (let i = 0; i < triesAfterCrowd && served < enough; i++) {
          // A server that has seen no crowd refuses some, too: the machine is busy.
          if ((await sendHandful(given)).isAtTheDoor) return
          if (!(await sendHandful(fresh)).isAtTheDoor) served++
          else if (++refused > enough) {
            given.fail(`POST /quotes: ${atOnce} orders at the same moment, after ${leavers} clients had left within ` +
              `an order and a crowd of ${burst} had gone: ${refused} times one was refused before two were served`)
          }
          await sleep(pauseMs)
        }
      }
    },
    'shows a quote in the book at once, even to a client that requested it too early': async (given) => {
      const { number } = await addQuote(given)
      const path = `/quotes/${number + 1}`
      ;(await given.get(path)).expectStatus(404)
      const adding = addQuote(given)
      const added = adding.then(() => true)
      // While it's being made, it isn't there, or is there as a whole.
      const early = []
      do early.push(await given.get(path))
      while (!await Promise.race([added, sleep(earlyMs, false)]))
      const quote = await adding
      for (const answer of early) if (answer.status !== 404) answer.expectStatus(200).expectJson(quote)
      ;(await given.get(path)).expectStatus(200).expectJson(quote)
    },
    'always answers everything that costs next to nothing, however many connections are open': async ({ get }) => {
      const held = sleep(holdMs)
      const all = Array.from({ length: holders }, () => get('/healthz', { meanwhile: () => held }))
      for (const answer of await Promise.all(all)) answer.expectStatus(200).expectJson({ status: 'ok' })
    }
  },
  after: {
    [`serves ${atOnce} orders that come at the same moment, and the next ${atOnce} after them`]: {
      timed: true,
      run: async (given) => {
        // Requests from before this check may still keep it busy.
        await addQuote(given)
        for (let [served, refused] = [0, 0]; served < handfuls / 2;) {
          if ((await sendHandful(given)).isAtTheDoor) refused++
          else served++
          if (refused > handfuls / 2) {
            given.fail(`POST /quotes: ${atOnce} orders at the same moment, on a server that had nothing else to do: ` +
              `${refused} of ${served + refused} times one of them was refused`)
          }
        }
      }
    },
    'sends the quote of an early number as it was answered, even after many others': async ({ get, data, fail }) => {
      let previous = data.opening
      for (const number of [1, 2, 3]) {
        const quote = (await get(`/quotes/${number}`)).expectStatus(200).json()
        if (quote.number !== number || quote.previous !== previous) {
          fail(`GET /quotes/${number}: this is a different quote`)
        }
        previous = quote.seal
      }
    }
  }
}), ...byMoment({
  always: {
    [crowdCheck]: async (given) => {
      for (const how of [{}, { chunked: true, between: () => sleep(bodyMs) }]) {
        let refused = 0
        for (let i = 0; i < crowdTries && refused < leastRefused; i++) refused = await refusedOf(given, how)
        if (refused >= leastRefused) continue
        given.fail(`POST /quotes: of ${burst} orders at the same moment, each on a new connection, ${refused} were ` +
          `refused${how.chunked ? ', when their bodies came a little later' : ''}. The others waited, in whatever ` +
          'queue that was')
      }
    }
  }
})]

/** Of a crowd. Only orders may be refused. @param {Given} given @param {Partial<Request>} how they're sent */
async function refusedOf (given, how) {
  const before = await addQuote(given)
  const [some, alike, health, shown] = await Promise.all([
    addTogether(given, burst / 2, { how }),
    addTogether(given, burst / 2, { how, isSame: true }),
    given.get('/healthz'),
    given.get(`/quotes/${before.number}`)
  ])
  health.expectStatus(200).expectJson({ status: 'ok' })
  shown.expectStatus(200).expectJson(before)
  const quotes = [...some, ...alike].sort((a, b) => a.number - b.number)
  expectChain([before, ...quotes, await addQuote(given)], given)
  return burst - quotes.length
}

/**
 * isAtTheDoor: one is refused before two are served. One that's refused later has waited too long for a server with a
 * clock. isCalm: those that were served had to wait for nothing but seals.
 *
 * @param {Given} given
 */
async function sendHandful (given) {
  const inTurn = (await askTogether(given, atOnce)).sort((a, b) => a.elapsedMs - b.elapsedMs)
  const served = inTurn.filter(({ status }) => status === 201)
  const last = served.at(-1)
  return {
    served: served.length,
    isAtTheDoor: inTurn.slice(0, 2).some(({ status }) => status === 503),
    isCalm: last !== undefined && last.elapsedMs < served.length * calmShare * cpuMsOfSeal(last.json())
  }
}

/** One quote, from a server that has nothing else to do. @param {Given} given @returns {Promise<Quote>} */
function addQuote (given) {
  return addOne(async () => (await addTogether(given, 1))[0], { tries, pauseMs })
}

/**
 * @param {Given} given @param {number} count @param {Parameters<typeof askTogether>[2]} [options]
 * @returns {Promise<Quote[]>} those that were not refused
 */
async function addTogether (given, count, options) {
  const answers = await askTogether(given, count, options)
  return answers.filter(({ status }) => status === 201).map((answer) => answer.json())
}

/**
 * @param {Given} given @param {number} count
 * @param {{ isSame?: boolean, how?: Partial<Request> }} [options] isSame: all are alike; how: they're sent
 * @returns the right answers, 201 or 503
 */
async function askTogether ({ post, random, data }, count, { isSame = false, how } = {}) {
  const one = makeOrder(random, data)
  const orders = Array.from({ length: count }, () => isSame ? one : makeOrder(random, data))
  const answers = await Promise.all(orders.map((json) => post('/quotes', { json, ...how })))
  for (const [index, answer] of answers.entries()) {
    if (answer.status !== 503) answer.expectStatus(201).expectType('application/json')
    const problem = orderProblem(answer, orders[index], data)
    if (problem) answer.fail(problem)
  }
  return answers
}

/** @param {Quote} quote */
function cpuMsOfSeal (quote) {
  const before = process.cpuUsage()
  sealProblem(quote)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** @param {Quote[]} quotes all that were made, in their order @param {Given} given */
function expectChain (quotes, { random, fail }) {
  const thorough = random.shuffle(quotes).slice(0, mostSeals)
  for (const [index, quote] of quotes.entries()) {
    const before = quotes[index - 1]
    if (before && quote.number !== before.number + 1) {
      fail(`POST /quotes: expected the number ${before.number + 1} after ${before.number}, got ${quote.number}`)
    }
    const problem = sealProblem(quote, { before, isThorough: thorough.includes(quote) })
    if (problem) fail(`POST /quotes: ${problem}`)
  }
}
