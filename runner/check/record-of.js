import { fileURLToPath } from 'node:url'
import { seeWhatHangs } from '../inside/index.js'
import { contradictions, kindOf, median, nextWithPlace, summariseLoad } from '../judge/index.js'
import { referenceOf } from '../lesson/index.js'
import { describeMachine } from '../process/index.js'
import { createRandom } from '../random.js'

/**
 * @import { CheckProgress, ContractResult, Decision, Evidence, GateResult, LatencyResult } from '../judge/index.js'
 * @import { LoadResult, PhaseEvent, ResultRecord, Role, Round, RoundResult, Sides } from '../judge/index.js'
 * @import { Standings, WaterfallResult } from '../judge/index.js'
 * @import { Item, Lesson, LoadedLesson, Random } from '../lesson/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Launch, Server, ServerFolder, Session } from '../process/index.js'
 *
 * @typedef {object} RecordParts
 * @property {Pick<LoadedLesson, 'number' | 'lesson'> & { solutionDir?: string }} entry
 * @property {string} submission what the learner calls the folder that was graded
 * @property {Decision} decision
 * @property {Evidence} evidence
 * @property {ResultRecord['rounds']} [rounds]
 * @property {ResultRecord['load']} [load]
 * @property {ResultRecord['latencies']} [latencies]
 * @property {ResultRecord['mechanism']} [mechanism]
 * @property {ResultRecord['waterfall']} [waterfall]
 * @property {string[]} [warnings]
 * @property {string} [output] what the submission wrote
 * @property {number | null} [steal]
 * @property {number} [work]
 * @property {string} seed
 * @property {Date} startedAt
 */

/**
 * The record of one check, of whatever kind.
 *
 * @param {RecordParts} parts
 * @returns {ResultRecord}
 */
export function recordOf ({ entry, submission, decision, evidence, seed, startedAt, ...rest }) {
  const {
    rounds = [],
    load = summariseLoad([], [], []),
    latencies = [],
    mechanism = null,
    waterfall = null,
    warnings = [],
    output = '',
    steal = null,
    work = 1
  } = rest
  const references = entry.solutionDir ? referenceOf({ solutionDir: entry.solutionDir }) : {}
  return {
    version: 1,
    lesson: { id: entry.lesson.id, number: entry.number, title: entry.lesson.title },
    submission,
    verdict: decision.verdict,
    reason: decision.reason,
    next: decision.next,
    contract: evidence.contract.map((result) => withPromise(result, entry.lesson.promises)),
    gates: evidence.gates.map((gate) => withReference(gate, references)),
    rounds,
    load,
    ...latencies.length > 0 && { latencies },
    mechanism,
    waterfall,
    warnings: [...warnings, ...contradictions(mechanism)],
    output: output === '' ? [] : [{ server: 'yours', text: output }],
    machine: describeMachine({ steal, work }),
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime()
  }
}

/**
 * The same record with what was seen inside the servers after the verdict. Pure but for the clock.
 *
 * @param {ResultRecord} record
 * @param {object} found
 * @param {Lesson} found.lesson
 * @param {string} [found.advice] the part of the next step behind which the place to look at belongs
 * @param {InsideEvidence} found.inside
 * @param {ResultRecord['mechanism']} found.mechanism
 * @param {string[]} found.warnings all but those of the mechanism
 * @returns {ResultRecord}
 */
export function withInside (record, { lesson, advice, inside: { samples, limits }, mechanism, warnings }) {
  return {
    ...record,
    next: nextWithPlace({ next: record.next, advice }, samples.yours?.place ?? null),
    gates: record.gates.map((gate) => withLimit(gate, lesson, limits)),
    mechanism,
    warnings: [...warnings, ...contradictions(mechanism)],
    durationMs: Date.now() - Date.parse(record.startedAt)
  }
}

/** @param {GateResult} gate @param {Record<string, number>} references @returns {GateResult} */
function withReference (gate, references) {
  const reference = references[gate.name]
  return reference === undefined || gate.ratioUnit !== '×' ? gate : { ...gate, reference }
}

/** @param {ContractResult} result @param {Record<string, string>} [promises] @returns {ContractResult} */
function withPromise (result, promises = {}) {
  const promised = result.promised ?? promises[result.name]
  return result.status === 'pass' || promised === undefined ? result : { ...result, promised }
}

/**
 * Why a server did not answer, or did not get as far as listening: where it is stuck.
 */

/** So long a look waits for an answer, ms: its learner is watching. */
const lookPatienceMs = 3000
/** A stream soon repeats what it asks. */
const mostDrawn = 200
const silence = /(?:([A-Z]+ \/\S*): )?no answer within/
const notListening = /^server\.js did not listen on process\.env\.PORT within/

/**
 * Takes about 3 s, and only where an answer did not come.
 *
 * @param {{ session: Session, submission: ServerFolder, lesson: Lesson }} context
 * @param {Evidence} evidence
 * @returns {Promise<Pick<Decision, 'reason' | 'next'> | null>} null: nothing was silent, or nothing more is known
 */
export async function explainSilence ({ session, submission, lesson }, evidence) {
  const { startFailure, contract, problems } = evidence
  const said = startFailure ?? contract.find(({ status }) => status === 'fail')?.message ?? problems[0] ?? ''
  const isMute = startFailure !== null && notListening.test(said)
  if (evidence.crash !== null || !(isMute || (startFailure === null && silence.test(said)))) return null
  const line = silence.exec(said)?.[1] ?? null
  const why = await seeWhatHangs({
    request: isMute ? null : requestFor(lesson, session, line),
    start: async (options) => (await session.start('yours', submission, options)).server
  })
  if (why === null) return null
  const what = isMute ? 'server.js never gets as far as listening' : `${line ?? 'A request'} got no answer`
  return {
    reason: `${what}: ${why}`,
    next: 'Follow it through your code: what would have to happen for it to go on?'
  }
}

/**
 * A request like the one that got no answer, with its body.
 *
 * @param {Lesson} lesson
 * @param {Session} session
 * @param {string | null} line `GET /movies`; null: any
 * @returns {Item}
 */
export function requestFor ({ loads, model }, { data, seed }, line) {
  for (const { stream } of Object.values(loads)) {
    const next = stream({ random: createRandom(`${seed}/stuck`), data, model: model?.({ data }) })
    for (let drawn = 0; drawn < mostDrawn; drawn++) {
      const item = next()
      if (line === null || `${item.method ?? 'GET'} ${item.path}` === line) return item
    }
  }
  // A long path is told shortened, and no request can hold the sign of that.
  const [method, path] = String(line).split(' ')
  return { method, path: path.replace('…', ''), check: () => undefined }
}

/**
 * The load generator for a look: it does not wait long for the submission.
 *
 * @param {Generator} generator
 * @returns {Generator}
 */
export function impatient (generator) {
  return {
    ...generator,
    slice: (order) => generator.slice(
      order.instance.startsWith('yours') ? { answerTimeoutMs: lookPatienceMs, ...order } : order
    )
  }
}

/**
 * What the stages of a check are handed, and hand on.
 *
 * What an inconclusive check leaves for one that goes on with it.
 * @typedef {object} Unfinished
 * @property {string} seed with the size of its work
 * @property {Round[]} rounds
 * @property {ContractResult[]} contract what passed before the load
 *
 * @typedef {object} CheckOptions
 * @property {LoadedLesson} entry
 * @property {string} dir the folder with the submission's server.js, or load.js
 * @property {string} [seed] repeats the inputs of an earlier run
 * @property {number} [budgetMs] how long the rounds may take; by default what is left of 28 s, and more on
 *   a slow machine
 * @property {boolean | 'preview'} [speed] measure it (default true); false: only whether every answer is right;
 *   'preview': one round before that, which says about how fast it is, and decides nothing
 * @property {Unfinished} [earlier] an inconclusive check of the same code that this one goes on with, and so with its
 *   seed
 * @property {(unfinished: Unfinished) => void} [onUnfinished] it was inconclusive, and can be gone on with
 * @property {boolean} [sampleInside] afterwards, sample what both servers do, for the mechanism and the next step
 *   (default true)
 * @property {(event: CheckProgress) => void} [onProgress]
 * @property {Launch} [launch] starts servers in a sandbox
 * @property {AbortSignal} [signal]
 *
 * @typedef {CheckOptions & Required<Pick<CheckOptions,
 *   'seed' | 'speed' | 'sampleInside' | 'onProgress' | 'onUnfinished'>>} FullCheckOptions
 *
 * What every stage of a check is handed.
 * @typedef {object} Context
 * @property {Lesson} lesson
 * @property {Session} session
 * @property {ServerFolder} submission
 * @property {Random} random for the contract
 * @property {number} cores
 * @property {() => Promise<Generator>} getGenerator started on first use
 * @property {FullCheckOptions['onProgress']} onProgress
 * @property {(name: PhaseEvent['phase'], text: string) => void} phase
 *
 * @typedef {object} ModelTestResult
 * @property {ContractResult[]} results one for each rule that was put to the test
 * @property {string | null} fault what the slow server does that nothing can be compared with, a sentence
 *
 * @typedef {object} RoundsContextOnly
 * @property {Generator} generator
 * @property {() => Promise<ModelTestResult>} [testSoaked] of servers that have been running since before the rounds
 * @property {number} budgetMs how long the rounds may take
 * @property {number} [hardMs] how long where that is known to settle it
 * @property {Round[]} [earlier] rounds of a check that this one goes on with
 * @property {Standings} [standings] instead of the lesson's
 * @property {number} [cyclesPerPair] after so many, both servers are restarted
 * @property {(pair: { baseline: Server, yours: Server }, evidence: Evidence) =>
 *   Promise<{ kept?: Record<Role, unknown> }>} [prepare] of both servers, once they listen; kept: what the streams have
 *   to know of each
 * @property {[string, string]} [servers] what the two are called
 *
 * @typedef {Context & RoundsContextOnly} RoundsContext
 *
 * @typedef {object} RoundsOutcome
 * @property {RoundResult[]} rounds
 * @property {Round[]} [measured] the same with all that was measured
 * @property {LoadResult} load
 * @property {LatencyResult[]} [latencies] where there were rounds that count
 * @property {{ baseline: number, yours: number } | null} cpuPerRequest ms, where the system tells it
 * @property {WaterfallResult | null} waterfall
 * @property {number | null} steal
 * @property {string} output what the submission wrote
 * @property {string} [baselineOutput]
 * @property {Evidence} evidence
 *
 * @typedef {object} GatheredEvidence everything that a verdict rests on
 * @property {Evidence} evidence
 * @property {string} output what the submission wrote
 * @property {RoundsOutcome} [outcome] of the rounds, where there were any
 *
 * @typedef {{ samples: Sides, limits: Map<string, number> }} InsideEvidence limits: of a bare server by load, answers/s
 */

const slices = 3
const sliceMs = 150
const bareServer = { dir: fileURLToPath(new URL('bare-server', import.meta.url)), shownDir: 'bare server' }

/**
 * What a bare Node.js server answers under the load of each gate whose kind has a limit. It is evidence, and no
 * part of the verdict.
 *
 * @param {Pick<Context, 'lesson' | 'session'>} context
 * @param {Generator} generator
 * @returns {Promise<Map<string, number>>} answers a second, by load
 */
export async function measureLimits ({ lesson, session }, generator) {
  /** @type {Map<string, number>} */
  const limits = new Map()
  const loads = limitedLoads(lesson)
  if (loads.length === 0) return limits
  const { server, failure } = await session.start('baseline', bareServer)
  if (failure !== null) return limits
  try {
    for (const load of loads) {
      // Its answers are not those of the lesson: they are not verified.
      const order = { instance: 'limit#1', load, port: server.port, sliceMs, sliceAnswers: 10, unchecked: true }
      // A process that has just started is slow.
      await generator.slice(order)
      const rates = []
      for (let slice = 0; slice < slices; slice++) rates.push((await generator.slice(order)).rate)
      limits.set(load, median(rates))
    }
    return limits
  } finally {
    await session.stop(server)
    await generator.forget('limit#1')
  }
}

/**
 * Of clients that wait for their answers, and on a server that lasts: elsewhere a rate has other limits.
 *
 * @param {Lesson} lesson
 */
function limitedLoads ({ gates, loads }) {
  return [...new Set(gates.filter(({ kind }) => kindOf(kind).hasLimit).map(({ load }) => load))]
    .filter((name) => loads[name].arrivals === undefined && !loads[name].fresh)
}

/**
 * @param {GateResult} gate
 * @param {Lesson} lesson
 * @param {Map<string, number>} limits by load
 * @returns {GateResult}
 */
function withLimit (gate, { gates }, limits) {
  const limit = limits.get(gates.find(({ name }) => name === gate.name)?.load ?? '')
  return kindOf(gate.kind).hasLimit && limit !== undefined ? { ...gate, limit } : gate
}
