import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { askOnce, startOpenLoop } from '../../runner/load/open-loop.js'
import { figureOf } from './plan.js'

/**
 * Carries out load plans: one server after the other, round by round.
 *
 * @import { RawAnswer } from '../../runner/load/closed-loop.js'
 * @import { LoadPlan, Run } from './plan.js'
 *
 * @typedef {object} Comparison what a plan shows of two servers, in the order in which they were given
 * @property {[number | null, number | null]} figures null where no answer came
 * @property {number} answers of both
 * @property {number} wrong answers, and requests without one
 * @property {string[]} problems the first few, as sentences
 * @property {number} elapsedMs
 */

const mostProblems = 5
/** What the answer of a path must contain. @type {Record<string, string[]>} */
const contents = { '/work': ['status', 'job'], '/healthz': ['status'] }

/**
 * @param {{ ports: [number, number], plan: LoadPlan, first: number[] }} order ports: on 127.0.0.1; first: for each
 *   round, which server is first, 0 or 1
 * @returns {Promise<Comparison>}
 */
export async function compare ({ ports, plan, first }) {
  const startedAt = performance.now()
  /** @type {Run[][]} */
  const runs = [[], []]
  /** @type {string[]} */
  const problems = []
  let [answers, wrong] = [0, 0]
  const run = async (/** @type {number} */ which, /** @type {number} */ durationMs) => {
    const result = await runOnce(ports[which], { ...plan, durationMs })
    answers += result.latencies.length
    wrong += result.wrong
    problems.push(...result.problems.slice(0, mostProblems - problems.length))
    return result
  }
  if (plan.warmUpMs) for (const which of [0, 1]) await run(which, plan.warmUpMs)
  for (const one of first) {
    for (const which of [one, 1 - one]) runs[which].push(await run(which, plan.durationMs))
  }
  const [one, other] = runs.map((its) => figureOf(plan, its))
  return { figures: [one, other], answers, wrong, problems, elapsedMs: performance.now() - startedAt }
}

/**
 * One run of a plan against one server, from its start to its last answer.
 *
 * @param {number} port
 * @param {LoadPlan} plan
 * @returns {Promise<Run & { wrong: number, problems: string[] }>}
 */
export async function runOnce (port, plan) {
  const { rate, paths, maxSockets = Infinity, durationMs } = plan
  const startedAt = performance.now()
  let [sent, wrong, lastAt] = [0, 0, startedAt]
  /** @type {number[]} */
  const latencies = []
  /** @type {string[]} */
  const problems = []
  const next = () => ({ path: paths[sent++ % paths.length], check: () => undefined })
  const take = (/** @type {RawAnswer} */ { item, status, chunks, receivedAt }, /** @type {number} */ latencyMs) => {
    lastAt = Math.max(lastAt, receivedAt)
    const problem = problemOf(item.path, status, Buffer.concat(chunks).toString())
    if (problem === undefined) latencies.push(latencyMs)
    else fault(`GET ${item.path}: ${problem}`)
  }
  const fault = (/** @type {string} */ problem) => {
    wrong++
    if (problems.length < mostProblems) problems.push(problem)
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

/** @param {string} path @param {number} status @param {string} text */
function problemOf (path, status, text) {
  if (status !== 200) return `expected status 200, got ${status}.`
  const fields = contents[path.split('?')[0]] ?? []
  try {
    const body = JSON.parse(text)
    if (fields.every((field) => field in body)) return undefined
  } catch {}
  return `expected JSON with ${fields.join(' and ')}, got ${JSON.stringify(text.slice(0, 60))}.`
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
