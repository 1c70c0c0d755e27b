import { percent } from '../shared/format.js'

/**
 * One slice of load on one server: its types, which the load generator and the rounds fill in and the judge reads, and
 * whether the machine disturbed it.
 *
 * Plain figures of one slice.
 * @typedef {object} SliceFigures
 * @property {number} answers all of them, including those still in flight when the slice's time was up
 * @property {number} elapsedMs from the first request to the last answer
 * @property {number} rate answers a second
 * @property {Histogram} latencies of these answers: in an open loop of the accepted ones, from
 *   the moment at which each request was due
 * @property {number | null} degradation time of the last third of the answers / time of the first third
 * @property {number | null} littlesLaw rate × mean latency / connections: 1 when the generator kept all connections
 *   busy
 *
 * The load generator's report of a slice.
 * @typedef {SliceFigures & GeneratorFigures} SliceReport
 *
 * @typedef {object} GeneratorFigures
 * @property {number[]} accepted in an open loop: latencies of the answers that were no refusals, ms from the moment at
 *   which each request was due
 * @property {number[]} refused in an open loop: the same of the refusals
 * @property {number} lateMs in an open loop: 99th percentile of how late the generator itself sent
 * @property {number} busy the generator's event loop utilisation, 0 to 1
 * @property {number} cpuMs the generator's CPU time
 * @property {number[]} probes latencies of the open loop in ms, from the moment at which each request was due
 * @property {number} probeLateMs 99th percentile of how late the generator itself sent them
 * @property {number} [begun] connections that the generator has begun to this server so far
 * @property {Problem[]} lost connections and answers that were lost
 * @property {number} wrong answers that were complete and wrong
 * @property {number} badStatus those of them with a status of 400 or more
 * @property {Problem[]} problems the first few of the wrong ones
 *
 * @typedef {object} Problem
 * @property {'interim' | 'closed' | 'cut' | 'no answer' | 'unasked' | 'refused' | 'status' |
 *   'mismatch'} kind
 * @property {string} message one sentence
 *
 * The machine during one slice. Shares are of one core: 1 is one core busy all the time.
 * @typedef {object} SliceConditions
 * @property {number | null} steal share of all CPU time that other machines took, 0 to 1
 * @property {number | null} foreign cores kept busy by programs that are not part of the check
 * @property {number | null} busy share of all cores that was busy, 0 to 1
 * @property {number | null} waiting share of the time in which the server had work and no core to do it on, 0 to 1
 * @property {boolean} [stopped] a signal had stopped the server at some moment
 * @property {boolean} [connectedToBaseline] the other server was connected to it
 * @property {string | null} [interfered] what else was done to the baseline, a sentence
 * @property {number | null} idleServer cores kept busy by the server that was not being measured
 *
 * One slice: what the generator reports, and what the machine and the server were doing meanwhile.
 * @typedef {SliceReport & ServerFigures} Slice
 *
 * @typedef {object} ServerFigures
 * @property {SliceConditions} conditions
 * @property {number | null} cpuPerRequestMs CPU time of the server's whole process tree for one answer; null where the
 *   system does not tell
 * @property {number | null} retained bytes of heap and buffers that one request leaves behind; null without batches
 * @property {number | null} held bytes of heap and buffers after the first batch; null without batches
 * @property {number | null} footprint bytes of resident memory of the whole tree that one request leaves behind; null
 *   where unknown
 * @property {number | null} upstreamCalls calls that the server made; null where there is no upstream
 */

/**
 * Times in logarithmic buckets: small enough to be sent after each slice, and sums of them are exact. Pure.
 *
 * @typedef {object} Histogram
 * @property {number[]} counts by bucket: the first holds all up to 0.01 ms, each further one those up to 4.4 % more; no
 *   longer than it has to be
 * @property {number} max ms; 0 where it is empty
 */

const leastMs = 0.01
const perDoubling = 16

/** @param {readonly number[]} values ms @returns {Histogram} */
export function histogramOf (values) {
  /** @type {number[]} */
  const counts = []
  let max = 0
  for (const value of values) {
    const bucket = Math.max(0, Math.ceil(Math.log2(value / leastMs) * perDoubling))
    while (counts.length <= bucket) counts.push(0)
    counts[bucket]++
    max = Math.max(max, value)
  }
  return { counts, max }
}

/** @param {readonly Histogram[]} histograms @returns {Histogram} */
export function mergeHistograms (histograms) {
  /** @type {number[]} */
  const counts = []
  for (const { counts: added } of histograms) {
    added.forEach((count, at) => { counts[at] = (counts[at] ?? 0) + count })
  }
  return { counts, max: Math.max(0, ...histograms.map(({ max }) => max)) }
}

/** @param {Histogram} histogram */
export function countIn ({ counts }) {
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * @param {Histogram} histogram
 * @param {number} share 0 to 1
 * @returns {number | null} ms, within 2.2 % (a bucket's middle); null where not one value lies above: too few to tell
 */
export function timeAt ({ counts, max }, share) {
  const total = countIn({ counts, max })
  if (total * (1 - share) < 1 - 1e-9) return null
  let seen = 0
  const bucket = counts.findIndex((count) => (seen += count) >= total * share)
  return Math.min(max, leastMs * 2 ** ((bucket - 0.5) / perDoubling))
}

/** More than this share of the CPU stolen disturbs a slice. */
const mostSteal = 0.1
/** More than this much of one core taken by other programs disturbs a slice … */
const mostForeign = 0.3
/** … where the cores are this busy: with cores to spare they do not compete. */
const crowded = 0.85
/** A server that is not asked anything may use this much of one core. */
const mostIdle = 0.25

/**
 * Why a round does not count, or null. Looks at the machine only, never at the round's figures: a round is not thrown
 * away because its value displeases.
 *
 * @param {readonly SliceConditions[]} slices the two slices of the round
 * @param {string} [baseline] what sentences call that server
 * @returns {{ cause: 'steal' | 'stopped' | 'interfered' | 'foreign' | 'idle server', text: string } | null}
 */
export function disturbance (slices, baseline = 'the slow server') {
  if (slices.some(({ stopped }) => stopped)) {
    return { cause: 'stopped', text: 'a signal had stopped a server while it was measured' }
  }
  const interfered = slices.find((slice) => slice.interfered)
  if (interfered) {
    return { cause: 'interfered', text: `at ${baseline}: ${interfered.interfered?.replace(/\.$/, '')}` }
  }
  const worst = (/** @type {'steal' | 'foreign' | 'idleServer'} */ key) =>
    Math.max(...slices.map((slice) => slice[key] ?? 0))
  if (worst('steal') > mostSteal) {
    return { cause: 'steal', text: `${percent(worst('steal'))} of the CPU time was taken by other virtual machines` }
  }
  if (worst('idleServer') > mostIdle) {
    return {
      cause: 'idle server',
      text: `the server that was not being measured kept ${percent(worst('idleServer'))} of a core busy`
    }
  }
  if (slices.some(({ foreign, busy }) => (foreign ?? 0) > mostForeign && (busy ?? 1) > crowded)) {
    return { cause: 'foreign', text: `other programs kept ${percent(worst('foreign'))} of a core busy` }
  }
  return null
}

/** The slices of a disturbed round that counts all the same differ by no more than this in what they had to wait. */
const even = 0.1

/**
 * Did other programs or machines disturb both servers about equally? Such a round says the same of their ratio, with
 * more noise, which the scatter of many pairs shows. Pure.
 *
 * @param {SliceConditions} baseline @param {SliceConditions} yours
 */
export function isEven (baseline, yours) {
  return !isTouched(baseline) && !isTouched(yours) && Math.abs(harmOf(yours) - harmOf(baseline)) <= even
}

/** @param {SliceConditions} conditions */
function isTouched ({ stopped, interfered, idleServer }) {
  return Boolean(stopped || interfered) || (idleServer ?? 0) > mostIdle
}

/**
 * Not the share of the others: who leaves a core idle gives it to them, and loses nothing.
 *
 * @param {SliceConditions} conditions
 */
function harmOf ({ waiting, steal }) {
  return (waiting ?? 0) + (steal ?? 0)
}

/** The two slices of a round may differ by so much in what they had to wait, and still be called equally disturbed. */
const alike = 0.02

/**
 * Was a disturbed round at least as hard on yours as on the baseline? Such a round can only make yours look slower than
 * it is: it cannot fail a fix, and it may help to pass one. Pure.
 *
 * @param {SliceConditions} baseline @param {SliceConditions} yours
 */
export function isHandicap (baseline, yours) {
  if (isTouched(baseline) || yours.interfered) return false
  return harmOf(yours) >= harmOf(baseline) - alike
}
