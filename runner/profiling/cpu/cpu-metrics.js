import { keyOf, summarise } from '../../inside/index.js'

/**
 * A CPU profile as figures, for views other than the report. Pure.
 *
 * @import { Change, FunctionTime, Owner, Summary } from '../../inside/index.js'
 * @import { Recording } from '../record-cpu.js'
 *
 * @typedef {object} CpuAnalysis
 * @property {Summary} summary of the thread with the most work
 * @property {FunctionTime[]} functions of all threads
 * @property {string[]} sentences
 *
 * @typedef {object} SeenFunction
 * @property {string} name
 * @property {string} place `lib/users.js:31`; empty for native code
 * @property {string | null} file `lib/users.js`, relative to the server's folder; null: not the server's own
 * @property {number} line from 1
 * @property {Owner} owner
 * @property {string} thread in which it has the largest share: `main thread`
 * @property {number} self share of that thread's time, 0 to 1
 * @property {number} total including everything it called
 * @property {number} charged for the server's own only: itself, and foreign code that it called directly. These add up
 * @property {number} totalMs per request, in all threads
 * @property {{ line: number, self: number }[]} [lines] for the server's own: the share of each line
 *
 * @typedef {object} CpuFigures
 * @property {1} version
 * @property {string[]} sentences
 * @property {number} requestMs time of all recorded threads per request, without idling
 * @property {number} answers
 * @property {SeenFunction[]} functions the largest total first, without idling
 * @property {Omit<CpuFigures, 'version' | 'slow' | 'changes'> | null} slow null: not compared
 * @property {Change[]} changes the largest first; empty if not compared
 */

/** Too small to matter in any table. */
const leastShare = 0.0005
const mostChanges = 30

/**
 * @param {CpuAnalysis} read
 * @param {Recording} recording
 * @param {{ before: CpuAnalysis, slow: Recording, changes: Change[] } | null} compared
 * @returns {CpuFigures}
 */
export function cpuFigures (read, recording, compared) {
  return {
    version: 1,
    ...figuresOf(read, recording),
    slow: compared && figuresOf(compared.before, compared.slow),
    changes: compared === null ? [] : compared.changes.slice(0, mostChanges)
  }
}

/** @param {CpuAnalysis} read @param {Recording} recording */
function figuresOf (read, recording) {
  return {
    sentences: read.sentences,
    requestMs: requestMs(read, recording),
    answers: recording.answers,
    functions: functionsOf(read, recording)
  }
}

/**
 * Time that all recorded threads together spend per request, ms, without idling.
 *
 * @param {CpuAnalysis} read @param {Recording} recording
 */
export function requestMs ({ functions }, { answers }) {
  return functions.filter(({ owner }) => owner !== 'idle').reduce((sum, { selfMs }) => sum + selfMs, 0) /
    Math.max(1, answers)
}

/** @param {CpuAnalysis} read @param {Recording} recording @returns {SeenFunction[]} */
function functionsOf ({ functions }, { threads, answers }) {
  /** @type {Map<string, { one: FunctionTime, thread: string, wallMs: number }>} */
  const largest = new Map()
  for (const { title: thread, profile } of threads) {
    const { wallMs } = profile
    for (const one of summarise(profile).functions) {
      const known = largest.get(keyOf(one))
      if (!known || one.totalMs / wallMs > known.one.totalMs / known.wallMs) {
        largest.set(keyOf(one), { one, thread, wallMs })
      }
    }
  }
  const inAll = new Map(functions.map((one) => [keyOf(one), one.totalMs]))
  return [...largest.values()]
    .filter(({ one, wallMs }) => one.owner !== 'idle' && one.totalMs >= leastShare * wallMs)
    .map(({ one, thread, wallMs }) => ({
      name: one.name,
      place: one.place,
      file: one.owner === 'yours' ? one.place.slice(0, -`:${one.line}`.length) : null,
      line: one.line,
      owner: one.owner,
      thread,
      self: rounded(one.selfMs / wallMs),
      total: rounded(one.totalMs / wallMs),
      charged: rounded(one.chargedMs / wallMs),
      totalMs: rounded((inAll.get(keyOf(one)) ?? one.totalMs) / Math.max(1, answers)),
      ...one.owner === 'yours' && { lines: linesOf(one, wallMs) }
    }))
    .sort((a, b) => b.total - a.total)
}

/** @param {FunctionTime} one @param {number} wallMs */
function linesOf ({ lineMs }, wallMs) {
  return Object.entries(lineMs).map(([line, ms]) => ({ line: Number(line), self: rounded(ms / wallMs) }))
    .filter(({ self }) => self >= leastShare)
}

/** A page shows three digits at most. @param {number} value */
function rounded (value) {
  return Number(value.toPrecision(4))
}
