import http from 'node:http'
import { askOnce } from './ask-once.js'
import { createClock } from './clock.js'

/**
 * @import { Item } from '../lesson/index.js'
 * @import { Problem } from '../judge/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 *
 * @typedef {object} OpenLoopResult
 * @property {number[]} latencies ms from sending a request to its whole answer
 * @property {number[]} lateness ms by which each request left later than it was due: the sender's own fault
 * @property {Problem[]} problems
 */

/**
 * Sends requests at fixed moments, whether or not the earlier ones were answered, each on a connection that is free.
 * No request waits for the answer to another, so a server that stalls cannot hide those that would have come meanwhile
 * (coordinated omission). What the sender itself is late by, on a machine that is full, is no latency of the server's.
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {number} options.rate requests/s
 * @param {() => Item} options.next
 * @param {(answer: RawAnswer, latencyMs: number) => void} options.onAnswer
 * @param {number} [options.answerTimeoutMs]
 * @param {boolean} [options.isLimited] time in which the system stopped everything counts neither for the schedule nor
 *   for latencies (clock.js)
 * @param {number} [options.maxSockets] connections at a time; what comes on top waits, and its latency counts on
 * @returns {{ stop: () => Promise<OpenLoopResult> }} stop: sends nothing more and waits for what is in flight
 */
export function startOpenLoop ({ port, rate, next, onAnswer, answerTimeoutMs, ...rest }) {
  const { maxSockets = Infinity, isLimited = false } = rest
  const agent = new http.Agent({ keepAlive: true, maxSockets })
  const intervalMs = 1000 / rate
  const { now, stop: stopClock } = createClock({ isLimited })
  const startedAt = now()
  /** @type {OpenLoopResult} */
  const result = { latencies: [], lateness: [], problems: [] }
  /** @type {Promise<void>[]} */
  const underway = []
  let sent = 0
  /** @type {NodeJS.Timeout} */
  let timer

  const schedule = () => {
    timer = setTimeout(() => {
      for (let due = dueAt(sent); due <= now(); due = dueAt(sent)) {
        sent++
        result.lateness.push(now() - due)
        underway.push(ask())
      }
      schedule()
    }, Math.max(0, dueAt(sent) - now()))
  }
  const dueAt = (/** @type {number} */ number) => startedAt + number * intervalMs

  const ask = async () => {
    const sentAt = now()
    const outcome = await askOnce({
      port,
      agent,
      item: next(),
      answerTimeoutMs,
      onUnasked: (problem) => result.problems.push(problem)
    })
    // A request that never got its answer was at least this slow.
    const latencyMs = now() - sentAt
    result.latencies.push(latencyMs)
    if (outcome.problem === null) onAnswer(outcome.answer, latencyMs)
    else result.problems.push(outcome.problem)
  }

  schedule()
  return {
    stop: async () => {
      clearTimeout(timer)
      await Promise.all(underway)
      stopClock()
      agent.destroy()
      return result
    }
  }
}
