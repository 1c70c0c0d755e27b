import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  createGateStandings, decide, isSound, judgeGate, kindOf, leastRounds, mostRounds, summariseLoad
} from '../../runner/judge/index.js'
import { makeMachine } from './machine.js'
import { figures, problemsOfPlan, seconds, timeOfPlan, tookTooLong, tooLong, tooLow } from './plan.js'

/**
 * Grades a load plan: does it tell a slower server from a faster one, and find nothing between two identical ones? The
 * servers are restarted for each comparison.
 *
 * @import { ContractResult, Decision, Evidence, Names, Observation, RoundResult } from '../../runner/judge/index.js'
 * @import { Gate, OwnBench, OwnBenchGiven, OwnCheckGiven, OwnCheckResult, Random } from '../../runner/lesson/index.js'
 * @import { Session } from '../../runner/process/index.js'
 * @import { LoadPlan } from './plan.js'
 * @import { Comparison } from './run.js'
 *
 * @typedef {{ compare: (order: Parameters<typeof import('./run.js').compare>[0]) => Promise<Comparison> }} Sender
 * @typedef {OwnCheckGiven & { plan: LoadPlan, sender: Sender }} Given
 */

/** How many times as long a request takes on the slower server. */
const slowness = 5 / 3

/** @param {OwnCheckGiven} given @returns {Promise<OwnCheckResult>} */
export async function grade (given) {
  const { checks, session, read, evidence, names, onProgress } = given
  const [is, shows, fits, right] = checks
  /** @type {ContractResult[]} */
  const contract = []
  const tell = (/** @type {string} */ name, /** @type {string} */ message) => {
    /** @type {ContractResult} */
    const result = { name, when: 'before', status: message === '' ? 'pass' : 'fail', message }
    contract.push(result)
    onProgress({ type: 'check', result, done: contract.length, total: checks.length })
    return message === ''
  }
  onProgress({ type: 'phase', phase: 'contract', text: 'Looking at the load plan' })
  const { plan, problems } = await readPlan(read)
  /** @type {Awaited<ReturnType<typeof compareAll>> | null} */
  let compared = null
  const isPlan = tell(is, problems.join('\n'))
  const late = isPlan ? tooLong(plan) : ''
  if (late !== '') tell(fits, late)
  else if (isPlan && tell(shows, tooLow(plan))) {
    onProgress({ type: 'phase', phase: 'rounds', text: 'Comparing servers with your load plan, two pairs at a time' })
    compared = await compareAll({ ...given, plan, sender: await startSender(session) })
    const { load: { errors, requests, problems: [first] } } = compared
    tell(fits, tookTooLong(plan, compared))
    tell(right, first === undefined
      ? ''
      : `${errors} of ${requests} requests got a wrong answer or none, and your load plan measured them: ${first}`)
  }
  const found = { ...evidence, contract, gates: compared?.gates ?? [], baselineFailures: compared?.faults ?? [] }
  const asked = problems.length === 0 ? seconds(timeOfPlan(plan)) : ''
  return { ...compared, evidence: found, decision: decideOnPlan(found, { asked, names }) }
}

/**
 * Tries a load plan by hand: once, on the faster and on the slower server, without a verdict.
 *
 * @param {OwnBenchGiven} given
 * @returns {Promise<OwnBench | string>} why it can't be tried
 */
export async function bench ({ session, random, read, longestMs }) {
  const { plan, problems } = await readPlan(read)
  if (problems.length > 0) return problems.join('\n')
  const { servers, failures } = await startPair(session, random, slowness)
  if (failures.length > 0) return `The server didn’t start: ${failures[0]}`
  const durationMs = Math.min(plan.durationMs, longestMs)
  const rounds = Math.min(plan.rounds ?? 1, Math.ceil(longestMs / durationMs))
  const sender = await startSender(session)
  const comparison = await sender.compare({
    ports: [servers[0].port, servers[1].port],
    plan: { ...plan, durationMs, warmUpMs: Math.min(plan.warmUpMs ?? 0, longestMs) },
    first: Array.from({ length: rounds }, () => random.int(0, 1))
  })
  const { unit } = figures[plan.figure]
  return { ...comparison, servers: ['the faster server', 'the slower server'], unit, cut: durationMs < plan.durationMs }
}

/** @param {OwnCheckGiven['read']} read @returns {Promise<{ plan: LoadPlan, problems: string[] }>} */
async function readPlan (read) {
  const { value: plan, problem } = await read()
  return { plan, problems: problem === null ? problemsOfPlan(plan) : [problem] }
}

/** @param {Session} session @returns {Promise<Sender>} its end is the session's */
async function startSender ({ startHelper }) {
  const file = fileURLToPath(new URL('sender.js', import.meta.url))
  const { ask } = await startHelper({ file, name: 'The load generator' }, 'open', {})
  return { compare: (order) => ask('compare', order) }
}

/**
 * Two servers with the same random numbers, and so with the same weather.
 *
 * @param {Session} session
 * @param {Random} random
 * @param {number} slowness of the second one
 */
async function startPair (session, random, slowness) {
  const started = await Promise.all([1, slowness].map((slowness) => {
    const files = { 'machine.json': JSON.stringify(makeMachine(random.fork('files'), slowness)) }
    return session.start('baseline', session.baseline, { files })
  }))
  return {
    servers: started.flatMap(({ server }) => server ?? []),
    failures: started.flatMap(({ failure }) => failure ?? [])
  }
}

/** Comparison after comparison, until every gate is decided, an answer is wrong or time is up. @param {Given} given */
export async function compareAll (given) {
  const { gates, plan, clock, random, speed, onProgress } = given
  /** @type {Awaited<ReturnType<typeof compareOne>>[]} */
  const all = []
  const observationsOf = (/** @type {string} */ name) => all.flatMap(({ gate, observation }) =>
    gate === name && observation !== null ? observation : [])
  const standings = createGateStandings(gates, {
    judge: (gate, _, options) => ({
      ...judgeGate(gate, { cores: 1 }, observationsOf(gate.name), options),
      unit: figures[plan.figure].unit
    }),
    numberOf: ({ name }) => observationsOf(name).length || undefined
  })
  let results = standings.judge(all)
  for (let number = 1; number <= (speed ? mostRounds : 1); number++) {
    const open = gates.filter(({ name }) => !standings.isDecided(name))
    if (open.length === 0 || standings.hasFailed() || all.some(isLast)) break
    const elapsedMs = clock.elapsedMs()
    const shown = all.filter(({ round }) => round !== null).length
    const cycleMs = shown > 0 ? elapsedMs / shown * open.length : 0
    if (number > 1 && !clock.allows(cycleMs, results)) break
    // A plan can leave a queue behind each run that takes longer than all runs: too long to wait for.
    const leftMs = Math.max(0, (number > 1 ? clock.hardMs : clock.softMs) - elapsedMs)
    const compared = await Promise.all(open.map((gate) =>
      compareOne(given, { gate, random: random.fork(`${gate.name}/${number}`), number, leftMs })))
    all.push(...compared)
    results = standings.judge(all)
    for (const { round } of compared) {
      if (round) onProgress({ type: 'round', round, gates: results, elapsedMs: clock.elapsedMs() })
    }
  }
  const sum = (/** @type {'requests' | 'wrong'} */ of) => all.reduce((total, one) => total + one[of], 0)
  const problems = all.flatMap((one) => one.problems).slice(0, mostProblems)
  return {
    gates: standings.judge(all, { last: true }),
    rounds: all.flatMap(({ round }) => round ?? []),
    load: { ...summariseLoad([], [], problems), requests: sum('requests'), errors: sum('wrong') },
    faults: all.flatMap(({ faults }) => faults),
    tookMs: all.flatMap(({ tookMs }) => tookMs ?? []),
    givenUpMs: all.flatMap(({ givenUpMs }) => givenUpMs ?? [])
  }
}

const mostProblems = 5

/** Wrong answers and failures decide; what was given up has used up the time, and would again. @param {{ problems:
 * string[], faults: string[], givenUpMs: number | null }} one */
const isLast = ({ problems, faults, givenUpMs }) => problems.length > 0 || faults.length > 0 || givenUpMs !== null

/**
 * One pair of fresh servers, compared once.
 *
 * @param {Given} given
 * @param {{ gate: Gate, random: Random, number: number, leftMs: number }} comparison leftMs: then it is given up, and
 *   says nothing
 */
async function compareOne ({ plan, session, sender }, { gate, random, number, leftMs }) {
  const startedAt = Date.now()
  const { servers, failures } = await startPair(session, random, gate.kind === 'apart' ? slowness : 1)
  if (failures.length > 0) return { ...saysNothing, gate: gate.name, faults: failures }
  const [a, b] = servers
  // Which of the two is the slower one must stay unknown to the plan: its place in the order is drawn, round by round.
  const first = Array.from({ length: plan.rounds ?? 1 }, () => random.int(0, 1))
  const over = new AbortController()
  const comparison = await Promise.race([
    sender.compare({ ports: [a.port, b.port], plan, first }),
    sleep(leftMs, null, { signal: over.signal })
  ]).finally(() => over.abort())
  // A server that is gone is our fault, not the plan's.
  const faults = servers.flatMap((server) =>
    server.hasExited() ? `It ${server.howItEnded()} while it was being measured.` : []
  )
  await Promise.all(servers.map(session.stop))
  if (faults.length > 0) return { ...saysNothing, gate: gate.name, faults }
  if (comparison === null) return { ...saysNothing, gate: gate.name, givenUpMs: leftMs }
  const { figures: [baseline, yours], answers, wrong, problems, elapsedMs: tookMs } = comparison
  const seen = { ...saysNothing, gate: gate.name, tookMs, requests: answers + wrong, wrong, problems }
  if (baseline === null || yours === null) return seen
  const { unit, isLargerSlower: largerIsSlower } = figures[plan.figure]
  /** @type {RoundResult} */
  const round = {
    load: gate.name,
    number,
    first: first[0] === 0 ? 'baseline' : 'yours',
    baseline,
    yours,
    disturbed: null,
    unit,
    servers: kindOf(gate.kind).pair
  }
  return { ...seen, round, observation: { baseline, yours, seconds: (Date.now() - startedAt) / 1000, largerIsSlower } }
}

const saysNothing = {
  gate: '',
  faults: /** @type {string[]} what went wrong with our own servers */ ([]),
  tookMs: /** @type {number | null} */ (null),
  givenUpMs: /** @type {number | null} */ (null),
  requests: 0,
  wrong: 0,
  problems: /** @type {string[]} */ ([]),
  round: /** @type {RoundResult | null} */ (null),
  observation: /** @type {Observation | null} */ (null)
}

/**
 * The verdict. Pure.
 *
 * @param {Evidence} evidence
 * @param {{ asked: string, names?: Names }} plan asked: how long one comparison should take, `1.9 s`
 * @returns {Decision}
 */
export function decideOnPlan (evidence, { asked, names }) {
  const failed = evidence.contract.find(({ status }) => status === 'fail')
  if (failed && evidence.baselineFailures.length === 0) {
    return {
      verdict: 'fail',
      reason: failed.message.split('\n')[0],
      next: 'Fix load.js first: a load plan that can’t be run, measures itself or errors says nothing about a server.'
    }
  }
  if (evidence.unchanged && !evidence.unmeasured && isSound(evidence)) return starting(evidence)
  const decision = decide(evidence, names)
  if (decision.verdict !== 'inconclusive' || evidence.unmeasured) return decision
  const compared = Math.min(...evidence.gates.filter(({ verdict }) => verdict !== 'pass').map(({ rounds }) => rounds))
  // Neither close figures nor a noisy machine: there are too few figures to say anything.
  if (compared < leastRounds) {
    return {
      ...decision,
      reason: `It could be either. The check ran out of time after ${compared} of the ${leastRounds} comparisons ` +
        `that a verdict needs; with your load plan, one takes ${asked}.`,
      next: 'Each run lasts until the requests in the server’s queue have been answered, too. How long a queue does ' +
        'your load build up? (If it builds none, the machine is busy: run the check again.)'
    }
  }
  return {
    ...decision,
    next: 'Your load plan’s figures vary too much. What would make two measurements of the same server agree better?'
  }
}

/** It was tried once, to show what it does. @param {Evidence} evidence @returns {Decision} */
function starting ({ gates: [gate] }) {
  const shown = gate.ratio === null ? 'nothing yet' : `a ratio of ${Number(gate.ratio.toPrecision(3))}×`
  return {
    verdict: 'fail',
    reason: 'This is the load plan you started with, unchanged. For two servers, one of them slower, it shows ' +
      `${shown}; the target is ${Number(Number(gate.target).toPrecision(3))}×.`,
    next: gate.look,
    advice: gate.look
  }
}
