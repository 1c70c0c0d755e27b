// Made by `npm run generate` of runner/judge/result.schema.json: change that, and never this.

/**
 * @typedef {object} ResultRecord The only thing that a check hands out and every report reads.
 * @property {1} version
 * @property {{ id: string, number: number, title: string }} lesson
 * @property {{ before: string, after: string, says: 'faster' | 'slower' | 'better' | 'worse' | 'mixed' |
 *   'no difference' | 'inconclusive' | 'different answers' | 'crashed' | 'error' }} [comparison] of two servers outside
 *   the lessons; missing in a check
 * @property {string} submission the folder that was graded
 * @property {Verdict} verdict
 * @property {string} reason one or two sentences
 * @property {ContractResult[]} contract
 * @property {{ hold: number, of: number }} [rules] of the lesson's text, and of all servers: how many are known to hold
 * @property {GateResult[]} gates
 * @property {RoundResult[]} rounds
 * @property {LoadResult} load
 * @property {LatencyResult[]} [latencies] over the rounds that count; left out where nothing was measured
 * @property {MechanismResult | null} mechanism null when nothing was measured
 * @property {WaterfallResult | null} waterfall the upstream calls of one request; null where none needs several
 * @property {string} next one line: what to look at now
 * @property {string[]} warnings full sentences
 * @property {{ server: string, text: string }[]} output what the servers wrote, trimmed; only when it helps
 * @property {MachineResult} machine
 * @property {string} seed
 * @property {string} startedAt ISO 8601
 * @property {number} durationMs
 *
 * @typedef {'pass' | 'fail' | 'inconclusive' | 'error'} Verdict
 *
 * @typedef {[number, number]} Interval low, high
 *
 * @typedef {object} ContractResult
 * @property {string} name
 * @property {'before' | 'during' | 'after'} when
 * @property {'pass' | 'fail'} status
 * @property {string} message empty when it passed
 * @property {string[]} [requests] lines for a shell that show it, in their order
 * @property {string} [promised] of one that failed: the words of the lesson's text that promise it
 *
 * @typedef {object} GateResult
 * @property {string} name
 * @property {'rate' | 'latency' | 'degradation' | 'accepted' | 'refusal' | 'retained' | 'footprint' | 'leak' | 'level'
 *   | 'calls' | 'work' | 'cpu' | 'cores' | 'apart' | 'alike'} kind
 * @property {string} unit of baseline and yours: `requests/s`, `ms`, `share accepted`, `bytes/request`,
 *   `calls/request`, `cores` or `×` (degradation: last third / first third)
 * @property {number | null} baseline geometric mean over the rounds that the ratio is a mean of (`alike`: median)
 * @property {number | null} yours the same; the two divide to the ratio, and a kind that is judged by itself has yours
 *   = ratio
 * @property {number | null} ratio the better the larger where the direction is `at least`
 * @property {string} ratioUnit of ratio, intervals and target: `×`, or a unit where yours is judged by itself
 * @property {Interval | null} interval95 of the ratio, with a confidence of 95 %: what is shown
 * @property {Interval | null} interval of the ratio, the wider one that decides
 * @property {number} confidence of `interval`, as 0.998
 * @property {'at least' | 'at most'} direction
 * @property {number | null} target null when the gate is dropped on this machine
 * @property {'pass' | 'fail' | 'inconclusive' | 'dropped' | 'not measured'} verdict
 * @property {'faster' | 'slower' | 'less' | 'more' | 'no difference' | 'inconclusive'} [answer] of a comparison: what
 *   is said instead of the verdict
 * @property {string[]} [servers] what the two are called, where not baseline and yours
 * @property {number} rounds how many rounds it rests on
 * @property {number | null} moreSeconds when inconclusive: about how many more seconds would settle it
 * @property {string} look where to look when it fails
 * @property {string} note one sentence: why dropped, why inconclusive; else empty
 * @property {TierResult[] | null} tiers from low to high, where the lesson has them; the lowest is the pass line
 * @property {{ target: number, reached: boolean }} [halfway] a ratio on the way to the target, and whether 95 % of the
 *   interval lies beyond it: decides nothing
 * @property {number | null} limit what a bare Node.js server answers under the same load, in `unit`; only of a kind
 *   that has such a limit, and only where the inside was looked at
 * @property {number} [reference] the ratio that the reference solution reached where the project measured it
 * @property {CoursePoint[]} [course] its state after each round that changed it
 *
 * @typedef {object} TierResult
 * @property {string} name
 * @property {number} target
 * @property {'pass' | 'fail' | 'inconclusive'} verdict
 *
 * @typedef {object} CoursePoint
 * @property {number} round its number
 * @property {number} ratio
 * @property {Interval | null} interval95
 *
 * @typedef {object} RoundResult
 * @property {string} load name of the load
 * @property {number} number from 1, for each load
 * @property {'baseline' | 'yours'} first which server was measured first
 * @property {string} [unit] of the two, where it is not requests/s
 * @property {[string, string]} [servers] what to call them, where they are not baseline and yours
 * @property {number} baseline requests/s
 * @property {number} yours requests/s
 * @property {string | null} disturbed why this round does not count, null when it counts
 *
 * @typedef {object} LatencyResult
 * @property {string} load its name
 * @property {'answers' | 'accepted' | 'probes'} of whose latency it is: of all answers, as seen by clients that wait
 *   for each one; of those that were not refusals, or of requests sent alongside the load, both from the moment at
 *   which they were due
 * @property {LatencyFigures} baseline
 * @property {LatencyFigures} yours
 *
 * @typedef {object} LatencyFigures in ms, percentiles within 2.2 %; null where there were too few answers to tell
 * @property {number} count of answers
 * @property {number | null} p50
 * @property {number | null} p75
 * @property {number | null} p90
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} p999
 * @property {number | null} max
 *
 * @typedef {object} LoadResult
 * @property {number} requests answers that the submission gave under load
 * @property {number} errors connections lost, answers cut, no answer
 * @property {number} non2xx answers with a status other than the expected one
 * @property {number} mismatches answers with a wrong body or header
 * @property {number} disturbedRounds
 * @property {number | null} generatorBusy largest event loop utilisation of the load generator in a counted round, 0 to
 *   1
 * @property {string[]} problems the first few, as sentences
 *
 * @typedef {object} MechanismResult
 * @property {string} expected
 * @property {string} seen
 * @property {boolean | null} confirmed true on a pass alone, where each figure that the lesson names agrees; null where
 *   nothing can be said: `note` says why
 * @property {string} note why nothing can be said; else empty
 * @property {MechanismFigure[]} figures those that the lesson names first
 *
 * @typedef {object} MechanismFigure what was sampled of both servers
 * @property {string} name
 * @property {number} baseline
 * @property {number} yours
 * @property {string} text both, with their unit
 * @property {'falls' | 'stays' | 'rises' | null} does what it should do; null where the lesson does not say
 * @property {boolean | null} agrees null where nothing could be said
 *
 * @typedef {object} WaterfallResult in the order of the calls
 * @property {WaterfallBar[]} baseline
 * @property {WaterfallBar[]} yours
 *
 * @typedef {object} WaterfallBar
 * @property {string} path of the upstream call
 * @property {number} startMs ms from the start of the first call
 * @property {number | null} endMs null where the call was not answered
 *
 * @typedef {object} MachineResult
 * @property {string} node
 * @property {string} v8
 * @property {string} cpu
 * @property {number} work the share of a lesson’s work that this run’s data requires: less than 1 if the cores are
 *   slower than those on which the targets were set
 * @property {number} cores
 * @property {string} platform
 * @property {number | null} steal share of CPU time stolen by other machines during the rounds, 0 to 1; null if unknown
 * @property {string[]} warnings full sentences
 *
 * @typedef {Pick<ResultRecord, 'version' | 'verdict' | 'seed' | 'startedAt' | 'durationMs'> & { lesson:
 *   Pick<ResultRecord['lesson'], 'id' | 'number' | 'title'>, contract: Pick<ContractResult, 'name' | 'when' |
 *   'status'>[], gates: Pick<GateResult, 'name' | 'kind' | 'unit' | 'baseline' | 'yours' | 'ratio' | 'ratioUnit' |
 *   'interval95' | 'interval' | 'confidence' | 'direction' | 'target' | 'verdict' | 'rounds' | 'moreSeconds' | 'tiers'
 *   | 'limit' | 'reference'>[], load: Pick<LoadResult, 'requests' | 'errors' | 'non2xx' | 'mismatches' |
 *   'disturbedRounds' | 'generatorBusy'> & { problems: number }, machine: Pick<MachineResult, 'work' | 'node' | 'v8' |
 *   'cpu' | 'cores' | 'platform' | 'steal' | 'warnings'> }} SentRecord What of it leaves the learner’s machine once
 *   they have joined a room: numbers and names of checks. No source code, no output of a server, no answer, no path; of
 *   the problems only how many.
 */

export {}
