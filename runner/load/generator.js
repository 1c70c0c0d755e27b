import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { importLesson } from '../import-lesson.js'
import { createRandom } from '../random.js'
import { serveOrders } from '../session/child.js'
import { cpuLimit } from '../system/index.js'
import { quantile } from '../judge/index.js'
import { runClosedLoop } from './closed-loop.js'
import { sliceFigures } from './slice-metrics.js'
import { startOpenLoop } from './open-loop.js'
import { readStream } from './read-stream.js'
import { createVerifier, noVerifier } from './verify.js'

/**
 * The load generator, a separate process: it gets its orders over IPC and reports what came back.
 *
 * @import { Item, Lesson, LoadAnswer, Stream } from '../lesson/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 * @import { SliceReport } from '../judge/index.js'
 * @import { ReadOrder, SliceOrder } from './orders.js'
 */

/** So many ask at once while a sequence is tried under load. */
const readers = 8
/** A slow server gets more time to answer this many requests, up to a limit. */
const leastReads = 60
const mostSlices = 4

const isLimited = cpuLimit() !== null

/** @type {Lesson} */
let lesson
/** @type {any} */
let data
let seed = ''
/**
 * @type {Map<string, { model: any, streams: Map<string, () => Item>, verifier: ReturnType<typeof createVerifier> }>}
 */
const instances = new Map()

serveOrders({
  open: async (order) => {
    lesson = (await importLesson(order.module)).default
    data = order.data
    seed = order.seed
  },
  read,
  verify: ({ instance }) => instanceOf(instance).verifier.finish(),
  forget: ({ instance }) => { instances.delete(instance) },
  slice
})

/**
 * One slice of load against one server: a closed loop, or where the order has a `rate`, an open one.
 *
 * @param {SliceOrder} order
 * @returns {Promise<SliceReport>}
 */
async function slice (order) {
  const { instance, load: name, port, answerTimeoutMs } = order
  const load = lesson.loads[name]
  const verifier = order.unchecked ? noVerifier : instanceOf(instance).verifier
  const next = streamOf(instance, name, load.stream, order.kept)
  const probe = load.probe && !order.withoutProbe
    ? startOpenLoop({
      port,
      rate: load.probe.rate,
      next: streamOf(instance, `${name}/probe`, load.probe.stream),
      onAnswer: verifier.take,
      // Arrivals, unlike these, are a multiple of what the server can do in a second of the system's clock.
      isLimited,
      answerTimeoutMs
    })
    : null
  const before = performance.eventLoopUtilization()
  const cpuBefore = process.cpuUsage()
  const loop = order.rate === undefined
    ? await closedLoop(order, order.connections ?? load.connections, next, verifier.take)
    : await openLoop(order, order.rate, next, verifier.take)
  const busy = performance.eventLoopUtilization(before).utilization
  const cpu = process.cpuUsage(cpuBefore)
  const probed = probe ? await probe.stop() : null
  const { problems, wrong, badStatus } = (order.verifyLater ? noVerifier : verifier).finish()
  return {
    ...loop.figures,
    accepted: loop.accepted,
    refused: loop.refused,
    lateMs: loop.lateMs,
    busy,
    cpuMs: (cpu.user + cpu.system) / 1000,
    probes: probed?.latencies ?? [],
    probeLateMs: lateOf(probed?.lateness ?? []),
    lost: [...loop.lost, ...(probed?.problems ?? [])],
    wrong,
    badStatus,
    problems
  }
}

/**
 * @param {ReadOrder} order
 * @returns {Promise<{ answers: number }>}
 */
async function read ({ port, sliceMs, seed }) {
  const next = readStream(lesson.operations ?? {}, { random: createRandom(seed), data })
  const startedAt = performance.now()
  let answers = 0
  await runClosedLoop({
    port,
    connections: readers,
    next,
    onAnswer: () => {
      answers++
      const elapsedMs = performance.now() - startedAt
      return elapsedMs < sliceMs || (answers < leastReads && elapsedMs < sliceMs * mostSlices)
    }
  })
  return { answers }
}

/**
 * @param {SliceOrder} order
 * @param {number} connections
 * @param {() => Item} next
 * @param {(answer: RawAnswer) => void} take
 */
async function closedLoop ({ port, sliceMs, sliceAnswers, exactly, answerTimeoutMs }, connections, next, take) {
  /** @type {number[]} */
  const receivedAt = []
  /** @type {number[]} */
  const latencies = []
  let firstSentAt = Infinity
  const { startedAt, broken } = await runClosedLoop({
    port,
    connections,
    next,
    exactly,
    answerTimeoutMs,
    onAnswer: (answer) => {
      firstSentAt = Math.min(firstSentAt, answer.sentAt)
      receivedAt.push(answer.receivedAt)
      latencies.push(answer.receivedAt - answer.sentAt)
      take(answer)
      return exactly !== undefined || answer.receivedAt - firstSentAt < sliceMs || receivedAt.length < sliceAnswers
    }
  })
  return {
    figures: sliceFigures({ startedAt, receivedAt, latencies, connections }),
    accepted: [],
    refused: [],
    lateMs: 0,
    lost: broken ? [broken] : []
  }
}

/**
 * @param {SliceOrder} order
 * @param {number} rate requests/s
 * @param {() => Item} next
 * @param {(answer: RawAnswer) => LoadAnswer} take
 */
async function openLoop ({ port, sliceMs, answerTimeoutMs }, rate, next, take) {
  /** @type {number[]} */
  const receivedAt = []
  /** @type {number[]} */
  const accepted = []
  /** @type {number[]} */
  const refused = []
  const startedAt = performance.now()
  const arrivals = startOpenLoop({
    port,
    rate,
    next,
    answerTimeoutMs,
    onAnswer: (answer, latencyMs) => {
      const readable = take(answer)
      if (answer.item.refused?.(readable)) return refused.push(latencyMs)
      receivedAt.push(answer.receivedAt)
      accepted.push(latencyMs)
    }
  })
  await sleep(sliceMs)
  const { lateness, problems } = await arrivals.stop()
  // No number of connections is kept busy here, so there is no law of Little to be held to: Infinity.
  return {
    figures: sliceFigures({ startedAt, receivedAt, latencies: accepted, connections: Infinity }),
    accepted,
    refused,
    lateMs: lateOf(lateness),
    lost: problems
  }
}

/** @param {readonly number[]} lateness ms */
function lateOf (lateness) {
  return lateness.length > 0 ? quantile(lateness, 0.99) : 0
}

/** @param {string} instance */
function instanceOf (instance) {
  let found = instances.get(instance)
  if (!found) {
    found = { model: lesson.model?.({ data }), streams: new Map(), verifier: createVerifier() }
    instances.set(instance, found)
  }
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
