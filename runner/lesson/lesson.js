/**
 * The shape of a lesson. Types only: a lesson is data, and its fields are explained here.
 *
 * @import { Check, KnownFailure, Operation } from '../contract/index.js'
 * @import { Cookie } from '../shared/http-fields.js'
 * @import { CheckProgress, Decision, Evidence, Gate, GateResult, LoadResult, Mechanism } from '../judge/index.js'
 * @import { Names, RoundResult } from '../judge/index.js'
 * @import { DataGiven, RunData, Session, UpstreamOf } from '../process/index.js'
 * @import { Random } from '../shared/random.js'
 *
 * @typedef {object} Lesson
 * @property {string} id the slug, permanent: `in-memory-json`
 * @property {string} title `In-memory JSON`
 * @property {string} summary for the learner, one line
 * @property {string} [part] of the workshop: the first page shows neighbouring lessons of one part under it
 * @property {OwnCheck} [check] how it grades what isn't a server; then it has gates of special kinds, and neither
 *   contract, loads nor mechanism
 * @property {(given: DataGiven) => RunData | Promise<RunData>} [data] makes this run's data from this run's seed
 * @property {UpstreamOf} [upstream] the service behind the servers, which the grader runs; servers find it at
 *   UPSTREAM_URL
 * @property {Record<string, Operation>} [operations] the requests that its servers offer; random sequences of them are
 *   sent to both servers, whose answers must agree
 * @property {SequenceOptions} [sequence]
 * @property {Check[]} contract what every correct server must do and the slow server cannot show
 * @property {Record<string, string>} [promised] by the name of a check or a rule: the words of the lesson's text that
 *   promise it, where others or none are found
 * @property {Record<string, string>} [promises] the same for each rule, which are shown when it is broken:
 *   promises.json, which `npm run check:content -- --promises` writes
 * @property {KnownFailure[]} [knownToFail] the checks that the slow server is known to fail
 * @property {(given: { data: any }) => any} [model] the state that a server should have; created for every start of a
 *   server, and passed to its streams
 * @property {Record<string, Load>} loads
 * @property {Gate[]} gates
 * @property {SourceHint[]} [sourceHints] patterns in the submission's source that deserve a warning, never a verdict
 * @property {Mechanism} mechanism what should have moved
 * @property {{ load?: string, asks?: string }} [eventLoop] a picture of the event loop is offered: it teaches something
 *   here; load: default is that of the mechanism; asks: a question, answered by a number of requests, before the slow
 *   server's is shown
 */

/**
 * @typedef {object} SequenceOptions
 * @property {number} [steps] the length of a sequence, default 60
 * @property {boolean} [restart] restart both servers in between, on the same data
 * @property {boolean} [load] send a part of the sequence under load, default true
 * @property {boolean} [strays] send requests that no lesson mentions as well, default true: no server may die of them
 */

/**
 * A lesson's own check, in place of contract and rounds, for a file that isn't a server.
 *
 * @typedef {object} OwnCheck
 * @property {string} writes what the learner writes, in words
 * @property {string} file its name: `load.js`; learners begin with the one in start/
 * @property {string[]} checks the names of all that it can check, as a record has them
 * @property {(given: OwnCheckGiven) => Promise<OwnCheckResult>} grade
 * @property {(given: OwnBenchGiven) => Promise<OwnBench | string>} bench tries it once by hand, without a verdict; a
 *   string says why that can't be
 *
 * @typedef {object} OwnCheckGiven
 * @property {string[]} checks
 * @property {Gate[]} gates
 * @property {Session} session starts the lesson's servers, and processes of its own
 * @property {Random} random
 * @property {() => Promise<Exported>} read
 * @property {Evidence} evidence so far: nothing, but whether the file is still what learners start from
 * @property {boolean} speed false: answers alone, whose figures decide nothing
 * @property {OwnClock} clock
 * @property {Names} names for the verdict's next step
 * @property {(event: CheckProgress) => void} onProgress
 *
 * @typedef {{ value: any, problem: string | null }} Exported what the learner's file exports, which another process has
 *   read, as plain data; problem: why that can't be had, a sentence
 *
 * @typedef {object} OwnClock
 * @property {number} softMs from the start of the check on …
 * @property {number} hardMs … and this much where it's known that it settles what is open
 * @property {() => number} elapsedMs
 * @property {(cycleMs: number, gates: readonly GateResult[]) => boolean} allows is there time for another cycle?
 *
 * @typedef {{ evidence: Evidence, decision: Decision, rounds?: RoundResult[], load?: LoadResult }} OwnCheckResult
 *
 * @typedef {Pick<OwnCheckGiven, 'session' | 'random' | 'read'> & { longestMs: number }} OwnBenchGiven longestMs: no run
 *   takes longer
 *
 * @typedef {object} OwnBench
 * @property {[string, string]} servers what the two are called
 * @property {[number | null, number | null]} figures of the two, null where no answer came
 * @property {string} unit
 * @property {number} answers
 * @property {number} wrong
 * @property {string[]} problems the first of the wrong ones, as sentences
 * @property {number} elapsedMs
 * @property {boolean} cut a run would have taken longer
 */

/**
 * One request of a load, and what its answer must be.
 *
 * @typedef {object} Item
 * @property {string} [method] default GET
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {unknown} [json] a body to be sent as JSON
 * @property {string} [body] instead: any other body
 * @property {string} [key] items with the same key must get the same answer: one with the same status, headers that
 *   matter and bytes as one that was accepted is accepted without calling `check`
 * @property {(answer: LoadAnswer) => string | undefined} check what is wrong with the answer; called after the slice
 * @property {(answer: LoadAnswer) => void} [answered] called as soon as the answer is complete
 * @property {(answer: LoadAnswer) => boolean} [refused] in an open loop: is this an honest refusal? It is checked, but
 *   counts neither as an answer nor in the latency
 */

/**
 * @typedef {object} LoadAnswer
 * @property {number} status
 * @property {Record<string, string>} headers names in lower case; repeated ones joined by `, `
 * @property {string[]} setCookie every Set-Cookie header
 * @property {() => Cookie[]} cookies the same, parsed
 * @property {Buffer} body
 * @property {() => string} text
 * @property {() => any} json throws if the body is not JSON
 * @property {number} sentAt ms, the generator's clock
 * @property {number} receivedAt ms, the generator's clock
 * @property {number} elapsedMs
 */

/**
 * Makes the next request. Called once for every request that is sent.
 *
 * @typedef {() => Item} Next
 *
 * @typedef {(given: { random: Random, data: any, model: any }) => Next} Stream
 */

/**
 * @typedef {object} Load
 * @property {Stream} stream closed loop: each connection sends its next request when the last was answered
 * @property {number} connections
 * @property {number} [sliceMs] a slice lasts at least this long (default 200)
 * @property {number} [sliceAnswers] and at least this many answers (default 10)
 * @property {number} [exactly] instead: send exactly this many requests
 * @property {number} [batches] a slice has this many batches of `exactly` requests; after each, a garbage collection is
 *   forced and memory is read
 * @property {boolean} [lasting] with `batches`: the connections of one stay open until the memory was read after the
 *   last, so that it has what a server keeps for them; each takes a right server some 6 kB
 * @property {number} [baselineExactly] the baseline, which would be too slow, gets only this many requests, once: for
 *   gates that judge yours alone. Such a load waits until the gates of all other loads are settled
 * @property {number} [arrivals] an open loop instead: requests arrive at this multiple of the baseline's capacity,
 *   whether or not earlier ones were answered. The capacity is measured in the same run, in a closed loop of
 *   `connections` connections
 * @property {number} [rate] an open loop of so many requests/s, whatever the baseline can do
 * @property {boolean} [fresh] restart both servers for every slice (a leak: cost grows with the requests served)
 * @property {Probe} [probe] an open loop next to the closed one
 * @property {number} [warmUpMs] for each server; by default 1000, divided among the loads of a lesson: V8 takes that
 *   long to compile a fast server. A fresh load is not warmed up
 * @property {number} [warmUpAnswers] and at least this many answers (default 1), to fill a cache
 */

/**
 * @typedef {object} Probe
 * @property {Stream} stream
 * @property {number} rate requests a second
 */

/**
 * @typedef {object} SourceHint
 * @property {RegExp} pattern
 * @property {RegExp} [unless]
 * @property {string} warning one sentence for the learner
 */

export {}
