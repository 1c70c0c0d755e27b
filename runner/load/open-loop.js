import http from 'node:http'
import { askOnce } from './ask-once.js'

/**
 * @import { Item } from '../lesson/index.js'
 * @import { Problem } from '../judge/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 *
 * @typedef {object} OpenLoopResult
 * @property {number[]} latencies ms from the moment at which a request was due to its whole answer
 * @property {number[]} lateness ms by which each request left later than it was due: the sender's own fault
 * @property {Problem[]} problems
 */

/**
 * Sends requests at fixed moments, whether or not the earlier ones were answered, each on a connection that is free.
 * A latency counts from the moment at which the request was due, so that a server that stalls cannot hide the requests
 * that would have come meanwhile (coordinated omission).
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {number} options.rate requests/s
 * @param {() => Item} options.next
 * @param {(answer: RawAnswer, due: number) => void} options.onAnswer due: ms, when its request should have left
 * @param {number} [options.answerTimeoutMs]
 * @param {number} [options.maxSockets] connections at a time; what comes on top waits, and its latency counts on
 * @returns {{ stop: () => Promise<OpenLoopResult> }} stop: sends nothing more and waits for what is under way
 */
export function startOpenLoop ({ port, rate, next, onAnswer, answerTimeoutMs = 10_000, maxSockets = Infinity }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets })
  const intervalMs = 1000 / rate
  const startedAt = performance.now()
  /** @type {number[]} */
  const latencies = []
  /** @type {number[]} */
  const lateness = []
  /** @type {Problem[]} */
  const problems = []
  /** @type {Promise<void>[]} */
  const underway = []
  let sent = 0
  /** @type {NodeJS.Timeout} */
  let timer

  const schedule = () => {
    timer = setTimeout(() => {
      for (let due = dueAt(sent); due <= performance.now(); due = dueAt(sent)) {
        sent++
        lateness.push(performance.now() - due)
        underway.push(ask(due))
      }
      schedule()
    }, Math.max(0, dueAt(sent) - performance.now()))
  }
  const dueAt = (/** @type {number} */ number) => startedAt + number * intervalMs

  /** @param {number} due */
  const ask = async (due) => {
    const outcome = await askOnce({
      port,
      agent,
      item: next(),
      answerTimeoutMs,
      onUnasked: (problem) => problems.push(problem)
    })
    if (outcome.problem !== null) {
      problems.push(outcome.problem)
      // A request that never got its answer was at least this slow.
      latencies.push(performance.now() - due)
      return
    }
    latencies.push(outcome.answer.receivedAt - due)
    onAnswer(outcome.answer, due)
  }

  schedule()
  return {
    stop: async () => {
      clearTimeout(timer)
      await Promise.all(underway)
      agent.destroy()
      return { latencies, lateness, problems }
    }
  }
}
