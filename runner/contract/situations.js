import http from 'node:http'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { rules } from '../shared/model-rules.js'
import { ContractError } from './client.js'

/**
 * What happens to any route, whatever a lesson is about: clients leave before their answer, and a crowd lasts. Nobody
 * has to know a right answer for that: the server's own answers before it are the measure.
 *
 * @import { Random } from '../shared/random.js'
 * @import { Answer, Request } from './client.js'
 * @import { Operation } from './operation.js'
 * @import { Another, Check, Given } from './run-contract.js'
 *
 * Requests that do the same kind of work, with what one of them took and was answered, asked alone.
 *
 * @typedef {object} Work
 * @property {() => Request} draw
 * @property {string} label
 * @property {number} ms
 * @property {number} status
 * @property {NonNullable<Operation['notNow']>} notNow
 */

/** Of a route with less work than this, no client can leave in the middle. */
const leastMs = 2
/** So many leave, a few at a time: more than the places that a server has. */
const leavers = 24
const wave = 8
const mostWaves = 8
/** A busy machine makes a request look like more work than it is. */
const looks = 2
/** As often does a client come back that was told to; one without an answer has waited for long. */
const mostTries = 12
const mostSilences = 3
const pauseMs = 150
/** Clients that send the next request as soon as they have an answer: more than are served at the same moment. */
const crowd = 2 * Math.max(4, availableParallelism())
/** So many answers for each of them, to requests that came later: by then everyone has had a turn. */
const mostLater = 3 * crowd
const mostRequests = 3 * mostLater

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
 * @returns {Check[]} one, for a lesson with operations
 */
function situationsOf ({ operations = {} }) {
  if (Object.keys(operations).length === 0) return []
  return [{
    name: rules.crowd,
    when: ['before'],
    apart: true,
    run: async (given) => {
      const server = await given.another()
      const work = await slowestOf(server, operations, given)
      if (work === null) return
      const count = await leaveOften(server, work, given.random)
      await expectAnswer(server, work, { ...given, when: `after ${count} clients had left before their answers` })
      if (work.notNow === never) await expectTurns(server, work, given)
    }
  }]
}

const never = () => false

/**
 * The route with the most work.
 *
 * @param {Another} server @param {Record<string, Operation>} operations @param {Given} given
 * @returns {Promise<Work | null>} null where none has work to speak of
 */
async function slowestOf ({ send }, operations, { random, data }) {
  /** @type {Map<string, Work>} by method and form of the path */
  const works = new Map()
  for (const { draw, notNow = never } of Object.values(operations)) {
    const next = () => plainOf(draw, { random, data })
    const request = next()
    if (request === null) continue
    const { method = 'GET', path } = request
    const { status, elapsedMs } = await send(request)
    let ms = elapsedMs
    for (let look = 1; look < looks; look++) ms = Math.min(ms, (await send(next() ?? request)).elapsedMs)
    const [first, ...rest] = path.split('?')[0].split('/').slice(1)
    const label = `${method} /${[first, ...rest.map(() => '…')].join('/')}`
    // What is refused is mostly less work.
    const [known, isTaken] = [works.get(label), status < 400]
    const wasTaken = known !== undefined && known.status < 400
    if (known && (isTaken === wasTaken ? ms <= known.ms : wasTaken)) continue
    // Another draw may give nothing.
    works.set(label, { draw: () => next() ?? request, label, ms, status, notNow })
  }
  const [slowest] = [...works.values()].sort((a, b) => b.ms - a.ms)
  return slowest?.ms >= leastMs ? slowest : null
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

/** @param {Another} server @param {Work} work @param {Random} random @returns {Promise<number>} how many have left */
async function leaveOften ({ send }, { draw, ms }, random) {
  let left = 0
  for (let waves = 0; waves < mostWaves && left < leavers; waves++) {
    const agent = new http.Agent()
    const asked = Array.from({ length: wave }, () => send({ ...draw(), agent }))
    // Some are being worked on, and the others wait.
    await sleep(1 + ms * (0.3 + random.next()))
    agent.destroy()
    left += (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected').length
  }
  return left
}

/** @param {Another} server @param {Work} work @param {Pick<Given, 'fail'> & { when: string }} given */
async function expectAnswer ({ send }, { draw, label, status, notNow }, { when, fail }) {
  for (let [tries, silences] = [1, 0]; ; tries++) {
    const { answer, silence } = await send(draw()).then((answer) => ({ answer, silence: '' }), (error) => {
      if (error instanceof ContractError) return { answer: null, silence: error.message }
      throw error
    })
    const isLess = answer === null || (answer.status >= 500 && status < 500) || notNow(answer)
    if (!isLess) return
    if (answer === null && ++silences === mostSilences) fail(`${silence}, ${when}`)
    if (tries === mostTries) fail(`${label}, ${when}: expected a status like ${status}, got ${answer?.status}`)
    await sleep(pauseMs)
  }
}

/**
 * As long as a crowd lasts, nobody is overtaken again and again. What takes next to nothing overtakes nobody.
 *
 * @param {Another} server @param {Work} work @param {Given} given
 */
async function expectTurns ({ send }, { draw, label, ms }, { fail }) {
  let [sent, waiting, later] = [0, crowd, 0]
  const isOver = () => waiting === 0 || later >= mostLater || sent >= mostRequests
  await Promise.all(Array.from({ length: crowd }, async () => {
    for (let isFirst = true; isFirst || !isOver(); isFirst = false) {
      sent++
      const { elapsedMs } = await send(draw())
      if (isFirst) waiting--
      else if (elapsedMs >= ms / 2) later++
      if (waiting > 0 && later >= mostLater) {
        fail(`${label}: ${waiting} of ${crowd} clients that came at the same moment still waited, when ${later} ` +
          'requests that came later had been answered')
      }
    }
  }))
}
