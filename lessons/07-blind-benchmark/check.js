import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  createGateStandings, decide, isSound, judgeGate, kindOf, mostRounds, summariseLoad
} from '../../runner/judge/index.js'
import { problemsOfPlan, tooLow } from './plan.js'
import { reports, simulate } from './simulate.js'

/**
 * Grades a load plan: does it tell a slower server from a faster one, find nothing between two identical ones, and
 * report the wait that a server causes by stopping? All in simulated time, with fresh servers for each comparison.
 *
 * @import { ContractResult, Decision, Evidence, Names, RoundResult } from '../../runner/judge/index.js'
 * @import { Gate, OwnBench, OwnBenchGiven, OwnCheckGiven, OwnCheckResult, Random } from '../../runner/lesson/index.js'
 * @import { LoadPlan } from './plan.js'
 * @import { Kind } from './simulate.js'
 *
 * @typedef {OwnCheckGiven & { plan: LoadPlan }} Given
 */

/**
 * By gate: the load that it judges, the servers, and what they're called where neither is faster.
 *
 * @type {Record<string, [keyof LoadPlan, [Kind, Kind], [string, string]?]>}
 */
const comparisons = {
  'slower server': ['compare', [{}, { slowness: 5 / 3 }]],
  twins: ['compare', [{}, {}]],
  pauses: ['tail', [{}, { pauses: true }], ['shorter', 'longer']]
}

/** So many measurements are one of a gate's: a tail that's too short meets a pause in most, and not in all of them. */
const measurements = { compare: 1, tail: 12 }

/** @param {OwnCheckGiven} given @returns {Promise<OwnCheckResult>} */
export async function grade (given) {
  const { checks, read, evidence, names, onProgress } = given
  const [is, shows] = checks
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
  if (tell(is, problems.join('\n')) && tell(shows, tooLow(plan))) {
    onProgress({ type: 'phase', phase: 'rounds', text: 'Comparing simulated servers with your load plan' })
    compared = await compareAll({ ...given, plan })
  }
  const found = { ...evidence, contract, gates: compared?.gates ?? [] }
  return { ...compared, evidence: found, decision: decideOnPlan(found, names) }
}

/**
 * Tries a load plan by hand: once, on the faster and on the slower server, without a verdict.
 *
 * @param {OwnBenchGiven} given
 * @returns {Promise<OwnBench | string>} why it can't be tried
 */
export async function bench ({ random, read }) {
  const { plan, problems } = await readPlan(read)
  if (problems.length > 0) return problems.join('\n')
  const { numbers: figures, requests, elapsedMs } = simulate(plan.compare, comparisons['slower server'][1], random)
  const { unit } = reports[plan.compare.report]
  const servers = /** @type {[string, string]} */ (['the faster server', 'the slower server'])
  return { servers, figures, unit, answers: requests, wrong: 0, problems: [], elapsedMs, cut: false }
}

/** @param {OwnCheckGiven['read']} read @returns {Promise<{ plan: LoadPlan, problems: string[] }>} */
async function readPlan (read) {
  const { value: plan, problem } = await read()
  return { plan, problems: problem === null ? problemsOfPlan(plan) : [problem] }
}

/** Comparison after comparison, until every gate is decided. @param {Given} given */
export async function compareAll ({ gates, plan, clock, random, speed, onProgress }) {
  /** @type {ReturnType<typeof compareOne>[]} */
  const all = []
  const observationsOf = (/** @type {string} */ name) =>
    all.filter(({ gate }) => gate === name).map(({ observation }) => observation)
  const standings = createGateStandings(gates, {
    judge: (gate, _, options) => ({
      ...judgeGate(gate, { cores: 1 }, observationsOf(gate.name), options),
      unit: reports[plan[comparisons[gate.name][0]].report].unit
    }),
    numberOf: ({ name }) => observationsOf(name).length || undefined
  })
  let results = standings.judge(all)
  for (let number = 1; number <= (speed ? mostRounds : 1); number++) {
    const open = gates.filter(({ name }) => !standings.isDecided(name))
    if (open.length === 0) break
    const compared = open.map((gate) => compareOne(plan, gate, random.fork(`${gate.name}/${number}`), number))
    all.push(...compared)
    results = standings.judge(all)
    for (const { round } of compared) {
      onProgress({ type: 'round', round, gates: results, elapsedMs: clock.elapsedMs() })
    }
    // Someone may want to stop it.
    await nextTurn()
  }
  return {
    gates: standings.judge(all, { last: true }),
    rounds: all.map(({ round }) => round),
    load: { ...summariseLoad([], [], []), requests: all.reduce((sum, { requests }) => sum + requests, 0), errors: 0 }
  }
}

/**
 * One pair of fresh servers, compared once. Of several pairs, the one counts that a quarter of them are no better than.
 *
 * @param {LoadPlan} plan @param {Gate} gate @param {Random} random @param {number} number
 */
function compareOne (plan, { name, kind }, random, number) {
  const [part, kinds, servers = kindOf(kind).pair] = comparisons[name]
  const { unit, largerIsSlower } = reports[plan[part].report]
  const all = Array.from({ length: measurements[part] }, () => {
    const { numbers: [baseline, yours], requests, elapsedMs } = simulate(plan[part], kinds, random)
    return { requests, observation: { baseline, yours, seconds: elapsedMs / 1000, largerIsSlower } }
  })
  const sorted = all.toSorted((a, b) => kindOf(kind).ratio(a.observation) - kindOf(kind).ratio(b.observation))
  const { requests, observation } = sorted[Math.floor((sorted.length - 1) / 4)]
  const { baseline, yours } = observation
  /** @type {RoundResult} */
  const round = { load: name, number, first: 'baseline', baseline, yours, disturbed: null, unit, servers }
  return { gate: name, requests, round, observation }
}

/** The verdict. Pure. @param {Evidence} evidence @param {Names} [names] @returns {Decision} */
export function decideOnPlan (evidence, names) {
  const failed = evidence.contract.find(({ status }) => status === 'fail')
  if (failed) {
    return {
      verdict: 'fail',
      reason: failed.message.split('\n')[0],
      next: 'Fix load.js first: a load plan that can’t be run or measures itself says nothing about a server.'
    }
  }
  if (evidence.unchanged && !evidence.unmeasured && isSound(evidence)) return starting(evidence)
  const decision = decide(evidence, names)
  if (decision.verdict !== 'inconclusive' || evidence.unmeasured) return decision
  return {
    ...decision,
    next: 'Your load plan’s results vary too much. What would make two measurements of the same server agree better?'
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
