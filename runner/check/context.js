/**
 * What the stages of a check are handed, and hand on.
 *
 * @import { CheckProgress, ContractResult, Evidence, LatencyResult, LoadResult, PhaseEvent } from '../judge/index.js'
 * @import { Role, Round, RoundResult, Sides, Standings, WaterfallResult } from '../judge/index.js'
 * @import { Lesson, LoadedLesson, Random } from '../lesson/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Launch, Server, ServerFolder, Session } from '../session/index.js'
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
export {}
