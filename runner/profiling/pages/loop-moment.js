/**
 * What a recorded event loop does at one moment, and the sentence about it. Pure; the page gets these functions as
 * text, so each of them uses nothing but what it's given and the others.
 *
 * @import { LoopSide } from '../../inside/index.js'
 *
 * @typedef {object} Moment
 * @property {{ thread: number, block: LoopSide['threads'][number]['blocks'][number] }[]} running what each busy thread
 *   is in
 * @property {boolean} collects a thread that is in no block collects garbage
 * @property {number[]} waiting requests that no thread has read yet, by their places
 * @property {number[]} pool that are with the thread pool
 * @property {number[]} outside that a thread has read and put aside: for another service, another thread, a timer or
 *   a place in a queue
 * @property {number[]} leaving whose response has been handed to the system, and not been read by the client
 *
 * @param {LoopSide} side
 * @param {number} ms
 * @returns {Moment}
 */
export function momentAt ({ threads, requests }, ms) {
  const holds = (/** @type {[number, number]} */ [from, to]) => from <= ms && ms < to
  const running = threads.flatMap(({ blocks }, thread) => blocks.filter(({ from, to }) => holds([from, to]))
    .map((block) => ({ thread, block })))
  /** @type {Moment} */
  const moment = { running, collects: false, waiting: [], pool: [], outside: [], leaving: [] }
  moment.collects = running.length === 0 && threads.some(({ gcs }) => gcs.some(holds))
  requests.forEach(({ sent, read, done, received, work, pool }, at) => {
    if (ms < sent || ms >= received || work.some(holds)) return
    if (read === null || ms < read) moment.waiting.push(at)
    else if (done !== null && ms >= done) moment.leaving.push(at)
    else moment[pool.some(holds) ? 'pool' : 'outside'].push(at)
  })
  return moment
}

/**
 * @param {LoopSide} side
 * @param {Moment} moment
 * @returns {string} names of functions are in backticks
 */
export function sayMoment ({ threads, requests, poolSize }, { running, collects, waiting, pool, outside, leaving }) {
  const digits = (/** @type {number} */ ms) => ms.toFixed(ms < 10 ? 1 : 0)
  const are = (/** @type {number} */ count) => count === 1 ? 'is' : 'are'
  const requestsOf = (/** @type {number} */ count) => `${count} request${count === 1 ? '' : 's'}`
  const [first] = running
  const isOne = threads.length < 2
  const who = isOne || first?.thread === 0 ? 'The main thread' : 'A thread'
  const sentences = []
  if (collects) sentences.push(`${isOne ? 'The main' : 'A'} thread collects garbage.`)
  else if (first === undefined) {
    sentences.push(isOne ? 'The main thread is idle: it could respond at once.' : 'All threads are idle.')
  } else {
    const { block: { name, request, from, to } } = first
    const whose = request === null ? '' : ` for a request to ${requests[request].route}`
    sentences.push(`${who} is in \`${name}\`${whose}, ${digits(to - from)} ms in one go.`)
    const others = running.length - 1
    if (others > 0) sentences.push(`${others} other ${others === 1 ? 'thread is' : 'threads are'} busy, too.`)
  }
  if (pool.length > 0) {
    const most = pool.length > poolSize ? `, which works on ${poolSize} at a time` : ''
    sentences.push(`${requestsOf(pool.length)} ${are(pool.length)} with the thread pool${most}.`)
  }
  if (outside.length > 0) {
    const [have, wait, their] = outside.length === 1 ? ['has', 'waits', 'its'] : ['have', 'wait', 'their']
    sentences.push(`${requestsOf(outside.length)} ${have} been read, and ${wait} for another service or thread, a ` +
      `timer, or ${their} turn.`)
  }
  if (leaving.length > 0) {
    const what = leaving.length === 1 ? 'response is' : 'responses are'
    sentences.push(`${leaving.length} ${what} on the way to the client.`)
  }
  /** @type {Map<string, number>} */
  const routes = new Map()
  for (const at of waiting) routes.set(requests[at].route, (routes.get(requests[at].route) ?? 0) + 1)
  const counted = [...routes].sort((a, b) => b[1] - a[1])
    .map(([route, count], at) => `${at > 0 ? count : requestsOf(count)} to ${route}`)
  const list = counted.length > 2 ? requestsOf(waiting.length) : counted.join(' and ')
  const what = isOne ? 'for the main thread' : 'to be read'
  sentences.push(`${waiting.length === 0 ? 'No request' : list} ${waiting.length > 1 ? 'wait' : 'waits'} ${what}.`)
  return sentences.join(' ')
}

/**
 * @typedef {object} LoopFigures
 * @property {number} busy the share of the time in which a thread ran something, for the busiest thread, 0 to 1
 * @property {number} longest ms, of a block
 * @property {number} waiting requests that waited for a thread, on average
 * @property {number} pool that were with the thread pool, on average
 * @property {number} tellingAt ms: near the middle, a moment at which about as many requests waited as ever, in a block
 *   if there is one
 *
 * @param {LoopSide} side
 * @returns {LoopFigures}
 */
export function loopFigures (side) {
  const steps = 300
  const moments = Array.from({ length: steps }, (_, at) => momentAt(side, (at + 0.5) * side.ms / steps))
  const mean = (/** @type {'waiting' | 'pool'} */ of) =>
    moments.reduce((sum, moment) => sum + moment[of].length, 0) / steps
  const blocks = side.threads.flatMap((thread) => thread.blocks).sort((a, b) => b.to - b.from - (a.to - a.from))
  const most = Math.max(...moments.map(({ waiting }) => waiting.length))
  const isIdle = (/** @type {number} */ at) => Number(moments[at].running.length === 0)
  const [telling] = [...moments.keys()].filter((at) => moments[at].waiting.length >= 0.9 * most)
    .sort((a, b) => isIdle(a) - isIdle(b) || Math.abs(a - steps / 2) - Math.abs(b - steps / 2))
  return {
    busy: busyMs(side, busiestThread(side)) / side.ms,
    longest: blocks.length === 0 ? 0 : blocks[0].to - blocks[0].from,
    waiting: mean('waiting'),
    pool: mean('pool'),
    tellingAt: (telling + 0.5) * side.ms / steps
  }
}

/** @param {LoopSide} side @returns {number} its place in `threads` */
export function busiestThread (side) {
  const all = side.threads.map((_, at) => busyMs(side, at))
  return all.indexOf(Math.max(...all))
}

/** @param {LoopSide} side @param {number} thread its place */
export function busyMs ({ threads, ms }, thread) {
  return (threads[thread]?.blocks ?? []).reduce((sum, { from, to }) =>
    sum + Math.max(0, Math.min(to, ms) - Math.max(from, 0)), 0)
}
