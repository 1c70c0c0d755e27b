import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { importLesson } from '../shared/workshop.js'
import { histogramOf, mean, quantile } from '../judge/index.js'
import { serveOrders } from '../process/child.js'
import { begunTo, cpuLimit, patienceMs } from '../process/index.js'
import { createRandom } from '../shared/random.js'
import { runClosedLoop } from './closed-loop.js'
import { startOpenLoop } from './open-loop.js'
import { createVerifier, noVerifier } from './verify.js'

/**
 * The load generator, a separate process: who starts it gives it orders over IPC, and it reports what came back.
 *
 * @import { Operation } from '../contract/index.js'
 * @import { SliceFigures, SliceReport } from '../judge/index.js'
 * @import { Item, Lesson, LoadAnswer, Next, Random, Stream } from '../lesson/index.js'
 * @import { Session } from '../process/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 *
 * @typedef {object} SliceOrder
 * @property {string} instance which server, and which start of it: `yours#2` is the second; each has its own state
 * @property {string} load name of the lesson's load
 * @property {number} port on 127.0.0.1
 * @property {number} sliceMs
 * @property {number} sliceAnswers
 * @property {number} [exactly]
 * @property {number} [rate] requests/s: an open loop instead of a closed one
 * @property {number} [answerTimeoutMs]
 * @property {number} [connections] instead of the load's
 * @property {boolean} [lasting] its connections stay open until `hangUp`
 * @property {unknown} [kept] what the streams have to know of this server, instead of the lesson's model
 * @property {boolean} [unchecked] do not judge the answers
 * @property {boolean} [verifyLater] report before the answers are verified, which another order asks for
 * @property {boolean} [withoutProbe] send nothing next to the load
 * @property {boolean} [traced] report when each request was sent and answered, over which port; of the probe's then
 *   come few
 *
 * @typedef {{ port: number, path: string, sentUs: number, receivedUs: number }} SentRequest port: the client's; µs of
 *   process.hrtime()
 *
 * @typedef {Pick<SliceOrder, 'port' | 'sliceMs'> & { seed: string }} ReadOrder
 *
 * @typedef {Awaited<ReturnType<typeof startGenerator>>} Generator
 */

const ownFile = fileURLToPath(import.meta.url)

/** Starts the load generator. Its end is the session's. @param {Session} session */
export async function startGenerator ({ startHelper, module, data, seed }) {
  // V8 collects garbage on other cores too, where the server is that is measured.
  const execArgv = ['--single-threaded-gc']
  const options = { file: ownFile, name: 'The load generator', execArgv }
  const { child, ask } = await startHelper(options, 'open', { module, data, seed })
  return {
    pid: Number(child.pid),
    /** @param {SliceOrder} order @returns {Promise<SliceReport & { sent?: SentRequest[] }>} */
    slice: (order) => ask('slice', order, order.sliceMs + patienceMs),
    /**
     * Asks what the lesson's operations ask that change nothing, on eight connections; the answers aren't verified.
     *
     * @param {ReadOrder} order @returns {Promise<{ answers: number }>}
     */
    read: (order) => ask('read', order),
    /**
     * Verifies what a slice with `verifyLater` left.
     *
     * @param {string} instance @returns {Promise<Pick<SliceReport, 'wrong' | 'badStatus' | 'problems'>>}
     */
    verify: (instance) => ask('verify', { instance }),
    /** Closes the connections that slices have left open. @returns {Promise<void>} */
    hangUp: () => ask('hangUp', {}),
    /** @param {string} instance @returns {Promise<void>} */
    forget: (instance) => ask('forget', { instance })
  }
}

/** So many ask at once while a sequence is tried under load. */
const readers = 8
/** A slow server gets more time to answer this many requests, up to a limit. */
const leastReads = 60
const mostSlices = 4
/** Next to a server that's blocked, more of them would fill a picture, requests/s. */
const tracedProbes = 12

/** @type {Lesson} */
let lesson
/** @type {any} */
let data
let seed = ''
/** Is there a limit on our CPU time? */
let isLimited = false
/**
 * @type {Map<string, { model: any, streams: Map<string, () => Item>, verifier: ReturnType<typeof createVerifier> }>}
 */
const instances = new Map()
/** @type {Set<import('node:net').Socket>} */
const open = new Set()

/** In the process of its own. */
if (process.argv[1] === ownFile) {
  serveOrders({
    open: async (order) => {
      lesson = (await importLesson(order.module)).default
      data = order.data
      seed = order.seed
      isLimited = cpuLimit() !== null
    },
    read,
    verify: ({ instance }) => instanceOf(instance).verifier.finish(),
    hangUp: () => {
      for (const connection of open) connection.destroy()
      open.clear()
    },
    forget: ({ instance }) => { instances.delete(instance) },
    slice
  })
}

/**
 * One slice of load against one server: a closed loop, or where the order has a `rate`, an open one.
 *
 * @param {SliceOrder} order @returns {Promise<SliceReport & { sent?: SentRequest[] }>}
 */
async function slice (order) {
  const { instance, load: name, port, rate, answerTimeoutMs } = order
  const load = lesson.loads[name]
  const { connections = load.connections } = order
  const lasting = order.lasting ? open : undefined
  const { verifier, ...trace } = traceOf(order)
  const next = streamOf(instance, name, load.stream, order.kept)
  const probe = load.probe && !order.withoutProbe
    ? startOpenLoop({
      port,
      rate: order.traced ? Math.min(tracedProbes, load.probe.rate) : load.probe.rate,
      next: streamOf(instance, `${name}/probe`, load.probe.stream),
      onAnswer: verifier.take,
      // Arrivals, unlike these, are a multiple of what the server can do in a second of the system's clock.
      isLimited,
      answerTimeoutMs
    })
    : null
  const before = performance.eventLoopUtilization()
  const cpuBefore = process.cpuUsage()
  const { figures, ...loop } = rate === undefined
    ? reportOf(await runClosedLoop({
      ...order, connections, lasting, next, onAnswer: untilEnough(order, verifier.take)
    }), connections)
    : await openLoop({ ...order, rate, next, take: verifier.take })
  const busy = performance.eventLoopUtilization(before).utilization
  const cpu = process.cpuUsage(cpuBefore)
  const probed = probe ? await probe.stop() : null
  const { problems, wrong, badStatus } = (order.verifyLater ? noVerifier : verifier).finish()
  return {
    ...figures,
    ...loop,
    busy,
    cpuMs: (cpu.user + cpu.system) / 1000,
    probes: probed?.latencies ?? [],
    probeLateMs: lateOf(probed?.lateness ?? []),
    begun: begunTo(port),
    lost: [...loop.lost, ...(probed?.problems ?? [])],
    wrong,
    badStatus,
    problems,
    ...trace
  }
}

/**
 * @param {SliceOrder} order
 * @returns {{ verifier: ReturnType<typeof createVerifier>, sent?: SentRequest[] }} sent: grows with each response
 */
function traceOf ({ instance, unchecked, traced }) {
  const verifier = unchecked ? noVerifier : instanceOf(instance).verifier
  if (!traced) return { verifier }
  /** @type {SentRequest[]} */
  const sent = []
  const us = (/** @type {number} */ ms) => (ms - performance.now()) * 1000 + Number(process.hrtime.bigint()) / 1000
  const take = (/** @type {RawAnswer} */ answer) => {
    const { port, item: { path }, sentAt, receivedAt } = answer
    sent.push({ port, path, sentUs: us(sentAt), receivedUs: us(receivedAt) })
    return verifier.take(answer)
  }
  return { verifier: { ...verifier, take }, sent }
}

/** @param {SliceOrder} order @param {(answer: RawAnswer) => void} take @returns {(answer: RawAnswer) => boolean} */
function untilEnough ({ sliceMs, sliceAnswers, exactly }, take) {
  let [answers, firstSentAt] = [0, Infinity]
  return (answer) => {
    firstSentAt = Math.min(firstSentAt, answer.sentAt)
    answers++
    take(answer)
    return exactly !== undefined || answer.receivedAt - firstSentAt < sliceMs || answers < sliceAnswers
  }
}

/** @param {Awaited<ReturnType<typeof runClosedLoop>>} loop @param {number} connections */
function reportOf (loop, connections) {
  const lost = loop.broken ? [loop.broken] : []
  return { figures: sliceFigures({ ...loop, connections }), accepted: [], refused: [], lateMs: 0, lost }
}

/**
 * @param {Pick<SliceOrder, 'port' | 'sliceMs' | 'answerTimeoutMs'> & { rate: number, next: () => Item, take: (answer:
 *   RawAnswer) => LoadAnswer }} options rate: requests/s
 */
async function openLoop ({ port, sliceMs, answerTimeoutMs, rate, next, take }) {
  /** @type {number[]} */
  const receivedAt = []
  /** @type {number[]} */
  const accepted = []
  /** @type {number[]} */
  const refused = []
  const startedAt = performance.now()
  const onAnswer = (/** @type {RawAnswer} */ answer, /** @type {number} */ latencyMs) => {
    const readable = take(answer)
    if (answer.item.refused?.(readable)) return refused.push(latencyMs)
    receivedAt.push(answer.receivedAt)
    accepted.push(latencyMs)
  }
  const arrivals = startOpenLoop({ port, rate, next, answerTimeoutMs, onAnswer })
  await sleep(sliceMs)
  const { lateness, problems: lost } = await arrivals.stop()
  // No number of connections is kept busy here, so there is no law of Little to be held to: Infinity.
  const figures = sliceFigures({ startedAt, receivedAt, latencies: accepted, connections: Infinity })
  return { figures, accepted, refused, lateMs: lateOf(lateness), lost }
}

/** @param {ReadOrder} order @returns {Promise<{ answers: number }>} */
async function read ({ port, sliceMs, seed }) {
  const next = readStream(lesson.operations ?? {}, { random: createRandom(seed), data })
  const startedAt = performance.now()
  let answers = 0
  const onAnswer = () => {
    answers++
    const elapsedMs = performance.now() - startedAt
    return elapsedMs < sliceMs || (answers < leastReads && elapsedMs < sliceMs * mostSlices)
  }
  await runClosedLoop({ port, connections: readers, next, onAnswer })
  return { answers }
}

/** @param {readonly number[]} lateness ms */
function lateOf (lateness) {
  return lateness.length > 0 ? quantile(lateness, 0.99) : 0
}

/** @param {string} instance */
function instanceOf (instance) {
  const found = instances.get(instance) ??
    { model: lesson.model?.({ data }), streams: new Map(), verifier: createVerifier() }
  instances.set(instance, found)
  return found
}

/** @param {string} instance @param {string} name @param {Stream} stream @param {unknown} [kept] */
function streamOf (instance, name, stream, kept) {
  const { model: ofLesson, streams } = instanceOf(instance)
  const model = kept ?? ofLesson
  let next = streams.get(name)
  if (!next) {
    // Both servers get the same requests: the seed knows the number of the start, not whose it is.
    next = stream({ random: createRandom(`${seed}/load/${name}/${instance.replace(/^\w+/, '')}`), data, model })
    streams.set(name, next)
  }
  return next
}

/**
 * The rate counts from the first request to the very last answer. Counting from the first answer would give a server
 * that answers in bursts its first burst for free; cutting the slice off while requests are in flight would take from
 * a server that works on several at once the work it has half done. Pure.
 *
 * @param {object} slice
 * @param {number} slice.startedAt ms
 * @param {readonly number[]} slice.receivedAt ms, in the order of arrival
 * @param {readonly number[]} slice.latencies ms, of the same answers
 * @param {number} slice.connections
 * @returns {SliceFigures}
 */
export function sliceFigures ({ startedAt, receivedAt, latencies, connections }) {
  const answers = receivedAt.length
  const distribution = histogramOf(latencies)
  if (answers === 0) {
    return { answers, elapsedMs: 0, rate: 0, latencies: distribution, degradation: null, littlesLaw: null }
  }
  const elapsedMs = receivedAt[answers - 1] - startedAt
  const rate = answers / elapsedMs * 1000
  return {
    answers,
    elapsedMs,
    rate,
    latencies: distribution,
    degradation: degradationOf(startedAt, receivedAt),
    // The ends of a slice hold requests that are still in flight; only a long slice obeys the law.
    littlesLaw: answers >= 10 * connections ? rate * mean(latencies) / 1000 / connections : null
  }
}

/** @param {number} startedAt @param {readonly number[]} receivedAt */
function degradationOf (startedAt, receivedAt) {
  const third = Math.floor(receivedAt.length / 3)
  if (third < 5) return null
  const first = receivedAt[third - 1] - startedAt
  const last = receivedAt[receivedAt.length - 1] - receivedAt[receivedAt.length - 1 - third]
  return last / first
}

/**
 * Requests of a lesson's operations that change nothing and need no earlier answer, by their weights.
 *
 * @param {Record<string, Operation>} operations @param {{ random: Random, data: any }} given @returns {Next}
 */
function readStream (operations, { random, data }) {
  const reads = Object.values(operations).filter(({ touches }) => touches === undefined)
  const names = reads.flatMap((operation) => Array(Math.ceil(operation.weight ?? 1)).fill(operation))
  return () => {
    for (;;) {
      const asked = random.pick(names).draw({ random, data, past: () => [] })
      if (asked !== null && typeof asked !== 'function' && !('says' in asked)) return itemOf(asked)
    }
  }
}

/** @param {import('../contract/index.js').Request} request @returns {Item} */
function itemOf ({ method, path, headers, json, body }) {
  if (body !== undefined) return { path: '/', check: () => undefined }
  return { method, path, headers: /** @type {Record<string, string>} */ (headers), json, check: () => undefined }
}
