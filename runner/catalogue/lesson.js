/**
 * The shape of a lesson. Types only: a lesson is data, and this file is where its fields are explained.
 */

/**
 * @typedef {object} Lesson
 * @property {string} id the slug, permanent: `in-memory-json`
 * @property {string} title `In-memory JSON`
 * @property {string} summary what the learner is told, in one line
 * @property {'server' | 'profile'} [kind] what the learner changes: server.js (default), or load.js, a load profile. A lesson
 *   of a profile has `profile` and `gates` of its own kinds, and neither contract, loads nor mechanism
 * @property {ProfileTask} [profile]
 * @property {(given: { random: Random }) => Prepared | Promise<Prepared>} [data]
 *   makes this run's data from this run's seed
 * @property {UpstreamOf} [upstream] the service behind the servers, which the grader runs; servers find it at UPSTREAM_URL
 * @property {Check[]} contract what every correct server must do
 * @property {KnownFailure[]} [knownToFail] the checks that the slow server is known to fail
 * @property {(given: { data: any }) => any} [model]
 *   what a server's state should be; made anew for every start of a server and handed to its streams
 * @property {Record<string, Load>} loads
 * @property {Gate[]} gates
 * @property {SourceHint[]} [sourceHints] patterns in the submission's source that deserve a warning, never a verdict
 * @property {Mechanism} mechanism what should have moved
 */

/**
 * What a load profile is tried on: pairs of the lesson's server, of which one is slower, and twins.
 *
 * @typedef {object} ProfileTask
 * @property {number} slowness how many times as long a request takes on the slower server
 * @property {number} budgetMs how long one comparison of two servers may take
 * @property {(given: { random: Random, slowness: number }) => Record<string, string>} files what goes into the DATA_DIR of one
 *   server; both servers of a pair get the same random numbers
 * @property {(answer: { path: string, status: number, text: string }) => string | undefined} check what is wrong with an answer
 */

/**
 * What `data` makes. `known` has to survive a structured clone: it also goes to the load generator.
 *
 * @typedef {object} Prepared
 * @property {Record<string, string | Uint8Array>} files files for DATA_DIR, by name
 * @property {any} [known] what the contract and the streams know about the data (`data` to them)
 */

/**
 * How the service behind the servers answers one call. Runs in a process of its own.
 *
 * @typedef {(call: { method: string, path: string, headers: Record<string, any>, body: Buffer }) => UpstreamAnswer} Upstream
 * @typedef {{ status?: number, headers?: Record<string, string>, json?: unknown, body?: string, delayMs?: number }} UpstreamAnswer
 * @typedef {(given: { random: Random, data: any }) => Upstream} UpstreamOf
 */

/**
 * @typedef {object} Check
 * @property {string} name a sentence about the server: `answers 401 to a wrong password`
 * @property {('before' | 'during' | 'after')[]} [when] default `['before', 'after']`.
 *   `during` runs again and again while the load runs
 * @property {(given: import('../contract/index.js').Given) => Promise<void>} run throws when the server is wrong
 */

/**
 * @typedef {object} KnownFailure
 * @property {string} check the name of the check
 * @property {string} why
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
 * @property {(answer: LoadAnswer) => boolean} [refused] in an open loop: is this an honest refusal? `check` judges it all
 *   the same, but it counts neither as an answer nor in its latency
 */

/**
 * @typedef {object} LoadAnswer
 * @property {number} status
 * @property {Record<string, string>} headers names in lower case; repeated ones joined by `, `
 * @property {string[]} setCookie every Set-Cookie header
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
 * @property {number} [arrivals] instead of a closed loop: requests arrive at so many times the baseline's capacity,
 *   whether or not the earlier ones were answered. The capacity is measured in the same run, in a closed loop of
 *   `connections` connections
 * @property {boolean} [fresh] start both servers anew for every slice (a leak: cost grows with the requests served)
 * @property {Probe} [probe] an open loop beside the closed one
 * @property {number} [warmUpMs] for each server; by default 1000, shared out among the loads of a lesson: it takes V8 that long
 *   to compile the code of a fast server. A fresh load is not warmed up
 */

/**
 * @typedef {object} Probe
 * @property {Stream} stream
 * @property {number} rate requests a second
 */

/**
 * One row of the table that decides. `target` stands here and nowhere else.
 *
 * @typedef {object} Gate
 * @property {string} name `movies`
 * @property {'rate' | 'latency' | 'degradation' | 'accepted' | 'refusal' | 'retained' | 'footprint' | 'calls' | 'apart' | 'alike'} kind
 *   rate: answers a second, yours / baseline, at least `target`;
 *   latency: a percentile of the probe's latency, baseline / yours, at least `target`;
 *   degradation: time of the last third / time of the first third of an `exactly` load, yours alone, at most `target`;
 *   accepted: share of the arrivals that were not refused, yours / baseline, at least `target`;
 *   refusal: a percentile of the time until a refusal, yours alone, at most `target` ms;
 *   retained: bytes of heap and buffers that each request of a load with `batches` leaves behind, baseline / yours, at
 *   least `target`;
 *   footprint: the same of the resident memory of the whole process tree, coarser, where the system tells it;
 *   calls: upstream calls for one answer, yours / baseline, at most `target`;
 *   apart: of a profile, how many times slower it shows the slower server to be, at least `target`;
 *   alike: of a profile, how far the figures of two identical servers lie apart, typically (root mean square of the log ratio), at
 *   most `target`
 * @property {string} load the name of the load; a profile has none
 * @property {number | ((machine: { cores: number }) => number | undefined)} [target]
 *   a function where the target follows the machine; undefined drops the gate on this machine
 * @property {Record<string, number>} [tiers] instead of a target: targets by name, from the lowest, which is the pass
 *   line, to the highest
 * @property {'probe' | 'load'} [of] whose latency: that of the probe (default), or of the accepted answers of a load with
 *   `arrivals`
 * @property {number} [percentile] of a latency or refusal gate, default 99
 * @property {string} [dropped] why the gate can be dropped, one sentence
 * @property {string} look where to look when this gate fails: a question or a place, one line
 */

/**
 * @typedef {object} Mechanism
 * @property {string} expected what should have moved, one line
 * @property {string} load the load in which to look
 * @property {'falls' | 'stays'} cpuPerRequest what the server's CPU time for one answer should do: `falls` when work
 *   is saved, `stays` when the same work is done elsewhere
 * @property {Shows[]} [shows] what else should move
 *
 * @typedef {object} Shows
 * @property {import('../judge/figures.js').FigureName} figure
 * @property {'falls' | 'stays' | 'rises'} does
 * @property {string[]} [of] names of functions, for the figure `function`: the share of the main thread's time of the largest
 */

/**
 * @typedef {object} SourceHint
 * @property {RegExp} pattern
 * @property {RegExp} [unless]
 * @property {string} warning one sentence for the learner
 */

/**
 * A seeded source of randomness.
 *
 * @typedef {object} Random
 * @property {() => number} next in [0, 1)
 * @property {(low: number, high: number) => number} int whole number in [low, high], both included
 * @property {<T>(list: readonly T[]) => T} pick
 * @property {<T>(list: readonly T[]) => T[]} shuffle a new list
 * @property {(length: number) => string} word lower-case letters
 * @property {(length: number) => Buffer} bytes
 * @property {(label: string) => Random} fork an independent source, the same for the same label
 */

export {}
