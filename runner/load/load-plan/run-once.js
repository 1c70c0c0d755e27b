import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { askOnce, startOpenLoop } from '../open-loop.js'

/**
 * @import { RawAnswer } from '../closed-loop.js'
 * @import { LoadPlan } from './plan.js'
 */

/**
 * One run of a plan against one server.
 *
 * @param {object} given
 * @param {number} given.port on 127.0.0.1
 * @param {LoadPlan} given.plan
 * @param {(answer: { path: string, status: number, text: string }) => string | undefined} given.check
 * @returns {Promise<{ latencies: number[], elapsedMs: number, wrong: number, problems: string[] }>} latencies: ms, of
 *   right answers; elapsedMs: from the start of the run to its last answer
 */
export async function runOnce ({ port, plan, check }) {
  const { rate, paths, maxSockets = Infinity, durationMs } = plan
  const startedAt = performance.now()
  let sent = 0
  let lastAt = startedAt
  let wrong = 0
  /** @type {number[]} */
  const latencies = []
  /** @type {string[]} */
  const problems = []
  const next = () => ({ path: paths[sent++ % paths.length], check: () => undefined })
  const take = (/** @type {RawAnswer} */ { item, status, chunks, receivedAt }, /** @type {number} */ latencyMs) => {
    lastAt = Math.max(lastAt, receivedAt)
    const problem = check({ path: item.path, status, text: Buffer.concat(chunks).toString() })
    if (problem === undefined) latencies.push(latencyMs)
    else fault(`GET ${item.path}: ${problem}`)
  }
  const fault = (/** @type {string} */ problem) => {
    wrong++
    if (problems.length < 5) problems.push(problem)
  }

  if (rate !== undefined) {
    const loop = startOpenLoop({ port, rate, next, maxSockets, onAnswer: take })
    await sleep(durationMs)
    const stopped = await loop.stop()
    stopped.problems.forEach(({ message }) => fault(message))
  } else {
    const agent = new http.Agent({ keepAlive: true, maxSockets })
    await closedLoop(plan, startedAt, async () => {
      const from = performance.now()
      const { answer, problem } = await askOnce({ port, agent, item: next() })
      if (problem === null) take(answer, answer.receivedAt - from)
      else fault(problem.message)
    })
    agent.destroy()
  }
  return { latencies, elapsedMs: Math.max(lastAt - startedAt, 1), wrong, problems }
}

/**
 * @param {LoadPlan} plan
 * @param {number} startedAt
 * @param {() => Promise<void>} ask
 */
async function closedLoop ({ users = 1, requests = Infinity, pauseMs = 0, rampUpMs = 0, durationMs }, startedAt, ask) {
  const endsAt = startedAt + durationMs
  const user = async (/** @type {number} */ number) => {
    await sleepUntil(Math.min(startedAt + number * rampUpMs / users, endsAt))
    for (let sent = 0; sent < requests && performance.now() < endsAt; sent++) {
      if (sent > 0 && pauseMs > 0) await sleepUntil(Math.min(performance.now() + pauseMs, endsAt))
      if (performance.now() < endsAt) await ask()
    }
  }
  await Promise.all(Array.from({ length: users }, (_, number) => user(number)))
}

/** @param {number} atMs */
async function sleepUntil (atMs) {
  const left = atMs - performance.now()
  if (left > 0) await sleep(left)
}
