import { setTimeout as sleep } from 'node:timers/promises'
import { createGateStandings, judgeGate, kindOf, mostRounds, summariseLoad } from '../../judge/index.js'
import { isLargerSlower, unitOf } from '../../load/index.js'
import { createRandom } from '../../random.js'
import { forecast, hasTime } from '../rounds.js'

/**
 * @import { Gate, GateResult, LoadResult, Observation, RoundResult } from '../../judge/index.js'
 * @import { LoadedLesson, PlanTask, Random } from '../../lesson/index.js'
 * @import { LoadPlan, Sender } from '../../load/index.js'
 * @import { Session } from '../../process/index.js'
 * @import { FullCheckOptions } from '../record-of.js'
 *
 * @typedef {object} PlanContext
 * @property {LoadedLesson} entry
 * @property {PlanTask} task
 * @property {LoadPlan} plan
 * @property {Session} session
 * @property {Sender} sender
 * @property {Date} startedAt
 * @property {number} softMs for all comparisons, from startedAt on …
 * @property {number} hardMs … and this much where it's known that it settles what is open
 * @property {boolean} speed false: one comparison is enough, its figures do not matter
 * @property {FullCheckOptions['onProgress']} onProgress
 *
 * @typedef {object} LoadPlanComparison what all comparisons showed
 * @property {GateResult[]} gates
 * @property {RoundResult[]} rounds
 * @property {LoadResult} load
 * @property {string[]} faults what went wrong with our own servers
 * @property {number[]} tookMs each comparison
 * @property {number[]} givenUpMs each that was given up, after so long
 *
 * @typedef {object} OneComparison
 * @property {string[]} faults
 * @property {number} [tookMs]
 * @property {number} [givenUpMs]
 * @property {number} requests
 * @property {number} wrong
 * @property {string[]} problems
 * @property {Observation} [observation]
 * @property {RoundResult} [round]
 */

const mostProblems = 5

/**
 * Comparison after comparison, until every gate is decided, an answer is wrong or the time is up.
 *
 * @param {PlanContext} context
 * @returns {Promise<LoadPlanComparison>}
 */
export async function compareAll (context) {
  const { entry: { lesson: { gates } }, plan, session, startedAt, softMs, hardMs, speed, onProgress } = context
  const random = createRandom(`${session.seed}/plan`)
  /** @type {Map<string, Observation[]>} */
  const observed = new Map(gates.map(({ name }) => [name, []]))
  const standings = createGateStandings(gates, {
    judge: (gate, /** @type {Map<string, Observation[]>} */ seen, options) => ({
      ...judgeGate(gate, { cores: 1 }, seen.get(gate.name) ?? [], options),
      unit: unitOf(plan.figure)
    }),
    numberOf: (gate, seen) => seen.get(gate.name)?.length || undefined
  })
  /** @type {LoadPlanComparison} */
  const all = {
    gates: standings.judge(observed),
    rounds: [],
    load: summariseLoad([], [], []),
    faults: [],
    tookMs: [],
    givenUpMs: []
  }
  for (let number = 1; number <= (speed ? mostRounds : 1); number++) {
    const open = gates.filter(({ name }) => !standings.isDecided(name))
    if (open.length === 0 || standings.hasFailed() || all.load.problems.length > 0) break
    // It has used up the time, and would again.
    if (all.givenUpMs.length > 0) break
    const elapsedMs = Date.now() - startedAt.getTime()
    const cycleMs = all.rounds.length > 0 ? elapsedMs / all.rounds.length * open.length : 0
    const forecastMs = forecast({ gates }, all.gates)
    if (number > 1 && !hasTime({ elapsedMs, cycleMs, softMs, hardMs, forecastMs })) break
    // A plan can leave a queue behind each run that takes longer than all runs: too long to wait for.
    const leftMs = Math.max(0, (number > 1 ? hardMs : softMs) - elapsedMs)
    const compared = await Promise.all(open.map((gate) => {
      return compareOne(context, { gate, random: random.fork(`${gate.name}/${number}`), number, leftMs })
    }))
    compared.forEach((one, at) => {
      add(all, one)
      if (one.observation) observed.get(open[at].name)?.push(one.observation)
    })
    if (all.faults.length > 0) break
    all.gates = standings.judge(observed)
    for (const round of all.rounds.slice(-open.length)) {
      onProgress({ type: 'round', round, gates: all.gates, elapsedMs: Date.now() - startedAt.getTime() })
    }
  }
  return { ...all, gates: standings.judge(observed, { last: true }) }
}

/** @param {LoadPlanComparison} all @param {OneComparison} one */
function add ({ faults, tookMs, givenUpMs, load, rounds }, one) {
  faults.push(...one.faults)
  if (one.tookMs !== undefined) tookMs.push(one.tookMs)
  if (one.givenUpMs !== undefined) givenUpMs.push(one.givenUpMs)
  load.requests += one.requests
  load.errors += one.wrong
  load.problems.push(...one.problems.slice(0, mostProblems - load.problems.length))
  if (one.round) rounds.push(one.round)
}

/**
 * One pair of fresh servers, compared once.
 *
 * @param {PlanContext} context
 * @param {{ gate: Gate, random: Random, number: number, leftMs: number }} comparison leftMs: then it is given up, and
 *   says nothing
 * @returns {Promise<OneComparison>}
 */
async function compareOne ({ task, plan, session, sender }, { gate, random, number, leftMs }) {
  const startedAt = Date.now()
  const isPair = gate.kind === 'apart'
  const started = await Promise.all([1, isPair ? task.slowness : 1].map((slowness) => {
    const files = task.files({ random: random.fork('files'), slowness })
    return session.start('baseline', session.baseline, { files })
  }))
  const failures = started.flatMap(({ failure }) => failure ?? [])
  const servers = started.flatMap(({ server }) => server ?? [])
  if (servers.length < 2) return { faults: failures, requests: 0, wrong: 0, problems: [] }
  const [a, b] = servers
  // Which of the two is the slower one must stay unknown to the plan: its place in the order is drawn, round by round.
  const first = Array.from({ length: plan.rounds ?? 1 }, () => random.int(0, 1))
  const comparison = await within(leftMs, sender.compare({ ports: [a.port, b.port], plan, first }))
  // A server that is gone is our fault, not the plan's.
  const gone = servers.flatMap((server) =>
    server.hasExited() ? `It ${server.howItEnded()} while it was being measured.` : []
  )
  await Promise.all(servers.map(session.stop))
  if (gone.length > 0) return { faults: gone, requests: 0, wrong: 0, problems: [] }
  if (comparison === null) return { faults: [], givenUpMs: leftMs, requests: 0, wrong: 0, problems: [] }
  const { figures: [of, other], answers, wrong, problems, elapsedMs: tookMs } = comparison
  const seen = { faults: [], tookMs, requests: answers + wrong, wrong, problems }
  if (of === null || other === null) return seen
  return {
    ...seen,
    observation: {
      baseline: of,
      yours: other,
      seconds: (Date.now() - startedAt) / 1000,
      largerIsSlower: isLargerSlower(plan.figure)
    },
    round: {
      load: gate.name,
      number,
      first: first[0] === 0 ? 'baseline' : 'yours',
      baseline: of,
      yours: other,
      disturbed: null,
      unit: unitOf(plan.figure),
      servers: kindOf(gate.kind).pair
    }
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} work
 * @returns {Promise<T | null>} null: it took longer
 */
async function within (ms, work) {
  const done = new AbortController()
  const late = sleep(ms, null, { signal: done.signal }).catch(() => null)
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}
