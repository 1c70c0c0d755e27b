/**
 * The shape of a lesson. Types only: a lesson is data, and this file is where its fields are explained.
 *
 * @typedef {import('../contract/index.js').Check} Check
 * @typedef {import('../cookies.js').Cookie} Cookie
 * @typedef {import('../contract/index.js').KnownFailure} KnownFailure
 * @typedef {import('../contract/index.js').Operation} Operation
 * @typedef {import('../contract/index.js').Step} Step
 * @typedef {import('../judge/index.js').Gate} Gate
 * @typedef {import('../judge/index.js').Mechanism} Mechanism
 * @typedef {import('../random.js').Random} Random
 * @typedef {import('../session/index.js').DataGiven} DataGiven
 * @typedef {import('../session/index.js').RunData} RunData
 * @typedef {import('../session/index.js').UpstreamOf} UpstreamOf
 *
 * @typedef {object} Lesson
 * @property {string} id the slug, permanent: `in-memory-json`
 * @property {string} title `In-memory JSON`
 * @property {string} summary what the learner is told, in one line
 * @property {'server' | 'load plan'} [kind] what the learner changes: server.js (default), or load.js, a load plan. A
 *   lesson about a load plan has `plan` and `gates` of its own kinds, and neither contract, loads nor mechanism
 * @property {PlanTask} [plan]
 * @property {(given: DataGiven) => RunData | Promise<RunData>} [data] makes this run's data from this run's seed
 * @property {UpstreamOf} [upstream] the service behind the servers, which the grader runs; servers find it at
 *   UPSTREAM_URL
 * @property {Record<string, Operation>} [operations] what can be asked of its servers; sequences of them are asked of
 *   the slow server and of the learner's, and have to get the same answers
 * @property {SequenceOptions} [sequence]
 * @property {Check[]} contract what every correct server must do, and the slow server cannot be asked about
 * @property {Record<string, string>} [promises] by the name of a check or a rule: the words of the lesson's text that
 *   promise it. What breaks it is shown them
 * @property {KnownFailure[]} [knownToFail] the checks that the slow server is known to fail
 * @property {(given: { data: any }) => any} [model]
 *   what a server's state should be; made again for every start of a server and handed to its streams
 * @property {Record<string, Load>} loads
 * @property {Gate[]} gates
 * @property {SourceHint[]} [sourceHints] patterns in the submission's source that deserve a warning, never a verdict
 * @property {Mechanism} mechanism what should have moved
 */

/**
 * @typedef {object} SequenceOptions
 * @property {number} [steps] how long a sequence is, default 60
 * @property {boolean} [restart] restart both servers on the way, on the same data
 * @property {boolean} [load] let many others ask meanwhile, default true
 * @property {boolean} [strays] ask also what no lesson speaks of, default true: no server may die of it
 */

/**
 * What a load plan is tried on: pairs of the lesson's server, of which one is slower, and twins.
 *
 * @typedef {object} PlanTask
 * @property {number} slowness how many times as long a request takes on the slower server
 * @property {number} budgetMs how long one comparison of two servers may take
 * @property {(given: { random: Random, slowness: number }) => Record<string, string>} files what goes into the DATA_DIR
 *   of one server; both servers of a pair get the same random numbers
 * @property {(answer: { path: string, status: number, text: string }) => string | undefined} check what is wrong with
 *   an answer
 */

/**
 * One request of a load, and what its answer must be.
 *
 * @typedef {object} Item
 * @property {string} [method] default GET
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {unknown} [json] a body to be sent as JSON
 * @property {string} [key] items with the same key must get the same answer; a body that was accepted once for this
 *   key is accepted again without calling `check` when its status, headers that matter and bytes are the same
 * @property {(answer: LoadAnswer) => string | undefined} check what is wrong with the answer; called after the slice
 * @property {(answer: LoadAnswer) => void} [answered]
 *   called at once when the answer is complete
 * @property {(answer: LoadAnswer) => boolean} [refused] in an open loop: is this an honest refusal? `check` judges it
 *   all the same, but it counts neither as an answer nor in its latency
 */

/**
 * @typedef {object} LoadAnswer
 * @property {number} status
 * @property {Record<string, string>} headers names in lower case; repeated ones joined by `, `
 * @property {string[]} setCookie every Set-Cookie header
 * @property {() => Cookie[]} cookies the same, parsed
 * @property {Buffer} body
 * @property {() => string} text
 * @property {() => any} json throws when the body is no JSON
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
 * @property {number} [batches] a slice is so many batches of `exactly` requests; after each a collection is forced and
 *   the memory read
 * @property {number} [baselineExactly] the baseline, which would need too long for as many, gets only so many, once:
 *   for gates that judge yours alone. Such a load waits until the gates of all others are settled
 * @property {number} [arrivals] instead of a closed loop: requests arrive at so many times the baseline's capacity,
 *   whether or not the earlier ones were answered. The capacity is measured in the same run, in a closed loop of
 *   `connections` connections
 * @property {boolean} [fresh] restart both servers for every slice (a leak: cost grows with the requests served)
 * @property {Probe} [probe] an open loop beside the closed one
 * @property {number} [warmUpMs] for each server; by default 1000, shared out among the loads of a lesson: it takes V8
 *   that long to compile the code of a fast server. A fresh load is not warmed up
 * @property {number} [warmUpAnswers] and at least this many answers (default 1): what fills a cache
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
