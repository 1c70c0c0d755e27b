import { mean, quantile } from '../../runner/judge/index.js'

/**
 * Loads and servers in simulated time: ten minutes pass in a moment, and no laptop is too slow or too busy. Pure, but
 * for the random numbers.
 *
 * A server has one worker and a queue. What makes real measurements hard is included: it's cold after its start, the
 * machine has good and bad moments, now and then a job takes several times as long as the others, and some servers stop
 * for a second.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 * @import { Load } from './plan.js'
 *
 * @typedef {{ latencies: number[], elapsedMs: number }} Run latencies: ms
 * @typedef {{ slowness?: number, pauses?: boolean }} Kind slowness: how many times as long a job takes
 */

/** How long a job takes on a warm server in the best weather, ms. */
const jobMs = 2.5
/** One job in so many takes so many times as long. */
const rare = { share: 0.01, factor: 3 }
/** What the first jobs of a cold server take on top, each and together at most, ms. */
const cold = { eachMs: 40, mostMs: 6000 }
/** Between a response and the next request of a connection, ms. */
const betweenMs = 0.2
const pauseMs = 1000

/**
 * One comparison: fresh servers on one machine, warmed up, then in turn for every round.
 *
 * @param {Load} load @param {[Kind, Kind]} kinds @param {Random} random
 * @returns {{ numbers: [number, number], requests: number, elapsedMs: number }} numbers: what the load reports of each
 */
export function simulate ({ warmup = 0, rounds = 1, ...load }, kinds, random) {
  const weather = stretches(random, () => random.int(4000, 14_000), (index) =>
    index % 2 === 0 ? between(random, 1, 1.3) : between(random, 1.7, 2.3))
  const servers = kinds.map((kind) => startServer(kind, weather, random))
  let now = 0
  const run = (/** @type {number} */ which, /** @type {number} */ seconds) => {
    const result = runOnce(servers[which], load, { from: now, ms: 1000 * seconds })
    now += result.elapsedMs
    return result
  }
  if (warmup > 0) for (const which of [0, 1]) run(which, warmup)
  /** @type {Run[][]} */
  const runs = [[], []]
  for (let round = 0; round < rounds; round++) {
    // Which of the two is the slower one must not show in the order.
    const first = random.int(0, 1)
    for (const which of [first, 1 - first]) runs[which].push(run(which, load.duration))
  }
  const [a, b] = runs.map((its) => reports[load.report].of(its))
  return { numbers: [a, b], requests: latenciesOf(runs.flat()).length, elapsedMs: now }
}

/**
 * With a rate it's an open loop: requests are due by the clock, and wait if no connection is free. Without one, each
 * connection sends its next request as soon as it has a response.
 *
 * @param {ReturnType<typeof startServer>} finish @param {Load} load @param {{ from: number, ms: number }} time
 * @returns {Run}
 */
function runOnce (finish, { connections = Infinity, rate }, { from, ms }) {
  const latencies = []
  /** When each connection is free again: jobs are done in the order in which they were sent. */
  const freeAt = []
  let last = from
  for (let number = 0; ; number++) {
    const free = number < connections ? from : freeAt[number - connections]
    const due = rate === undefined ? free : from + number * 1000 / rate
    if (due >= from + ms) break
    last = finish(Math.max(due, free))
    latencies.push(last - due)
    freeAt.push(last + betweenMs)
  }
  return { latencies, elapsedMs: Math.max(last - from, 1) }
}

/**
 * A server, which says when a job is done that is sent then; it's to be asked in order.
 *
 * @param {Kind} kind @param {ReturnType<typeof stretches>} weather @param {Random} random
 */
function startServer ({ slowness = 1, pauses = false }, weather, random) {
  let freeAt = 0
  let coldMs = cold.mostMs * random.next()
  // Stretches of work and of standing still, in turn.
  const isPause = (/** @type {number} */ index) => pauses && index % 2 === 1
  const work = stretches(random, (index) => isPause(index) ? pauseMs : random.int(10_000, 20_000), (index) =>
    isPause(index) ? 0 : 1)
  return (/** @type {number} */ sentMs) => {
    const beginMs = Math.max(sentMs, freeAt)
    const begins = work(beginMs)
    const startMs = begins.value === 0 ? begins.endMs : beginMs
    const scatter = random.next() < rare.share ? rare.factor : between(random, 0.8, 1.2)
    const warmingMs = Math.min(coldMs, cold.eachMs)
    coldMs -= warmingMs
    freeAt = startMs + jobMs * slowness * weather(startMs).value * scatter + warmingMs
    if (work(freeAt).value === 0) freeAt += pauseMs
    return freeAt
  }
}

/**
 * Stretches of time, one after the other from 0 on. They're asked for in order.
 *
 * @param {Random} random @param {(index: number) => number} lengthOf ms @param {(index: number) => number} valueOf
 */
function stretches (random, lengthOf, valueOf) {
  let [index, endMs, value] = [-1, 0, 0]
  return (/** @type {number} */ atMs) => {
    while (atMs >= endMs) {
      index++
      endMs += lengthOf(index)
      value = valueOf(index)
    }
    return { value, endMs }
  }
}

const latenciesOf = (/** @type {readonly Run[]} */ runs) => runs.flatMap(({ latencies }) => latencies)

const latency = (/** @type {(values: number[]) => number} */ of) =>
  ({ unit: 'ms', largerIsSlower: true, of: (/** @type {readonly Run[]} */ runs) => of(latenciesOf(runs)) })

/** The one number that a load reports of all its runs against one server. */
export const reports = {
  rate: {
    unit: 'requests/s',
    largerIsSlower: false,
    of: (/** @type {readonly Run[]} */ runs) =>
      1000 * latenciesOf(runs).length / runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)
  },
  mean: latency(mean),
  p50: latency((values) => quantile(values, 0.5)),
  p90: latency((values) => quantile(values, 0.9)),
  p99: latency((values) => quantile(values, 0.99))
}

/** @param {Random} random @param {number} low @param {number} high */
function between (random, low, high) {
  return low + (high - low) * random.next()
}
