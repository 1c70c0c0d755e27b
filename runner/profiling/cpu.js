import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { WorkshopError } from '../errors.js'
import { keyOf, readCpuProfile, summarise } from '../inside/index.js'
import { cannotBeRecorded, underLoad } from './under-load.js'

/**
 * CPU profiles of every process and thread of one server under load.
 *
 * @import { Change, CpuProfile, FunctionTime, Hub, Member, Owner, Summary } from '../inside/index.js'
 * @import { Server } from '../process/index.js'
 * @import { Target } from './under-load.js'
 *
 * @typedef {object} Thread
 * @property {string} title `main thread`, `worker thread 1`, `main thread of process 4711`
 * @property {any} raw V8's profile
 * @property {CpuProfile} profile
 *
 * @typedef {object} Recording
 * @property {Thread[]} threads the one with the most work first
 * @property {string[]} missing threads that couldn't be recorded, as sentences
 * @property {number} answers
 * @property {number | null} cores kept busy by all processes together
 * @property {string[]} problems wrong or lost answers
 * @property {{ url: string, functions: { name: string, start: number, calls: number }[] }[]} coverage of the learner's
 *   files
 * @property {number} countedAnswers while calls were counted
 */

const intervalUs = 500
const warmUpMs = 700
const countingMs = 400

/**
 * @param {Target} target
 * @param {{ seconds: number, withLoad?: typeof underLoad }} options withLoad: another one in tests
 * @returns {Promise<Recording>}
 * @throws {WorkshopError}
 */
export async function recordCpu (target, { seconds, withLoad = underLoad }) {
  return withLoad({ ...target, withoutProbe: true }, async ({ server, hub, load }) => {
    const { fresh } = target.entry.lesson.loads[target.loadName]
    const first = hub.members()
    const started = await hub.ask('startCpu', { intervalUs }, { to: first })
    // If the cost grows with the requests served, the beginning is part of the picture.
    if (!fresh) await load(warmUpMs)
    const members = hub.members()
    if (members.length === 0) throw cannotBeRecorded()
    started.push(
      ...(await hub.ask('startCpu', { intervalUs }, { to: members.filter((member) => !first.includes(member)) }))
    )
    await hub.ask('markCpu', {}, { to: members })
    await hub.ask('startFigures', {}, { to: members })
    const { answers, problems, atEnd: { stopped, figures } } = await load(seconds * 1000, async () => ({
      stopped: await hub.ask('stopCpu', {}, { to: members }),
      figures: await hub.ask('stopFigures', {}, { to: members })
    }))

    await hub.ask('startCoverage', {}, { to: members })
    const counted = await load(countingMs)
    const under = pathToFileURL(server.dir + path.sep).href
    const coverage = await hub.ask('stopCoverage', { under }, { to: members })

    const threads = threadsOf(stopped, server)
    if (threads.length === 0) {
      throw new WorkshopError(
        `No profile was written: ${stopped[0]?.error ?? started[0]?.error ?? 'the server ended'}. Does the server ` +
          'end, or kill its own processes, under load?'
      )
    }
    const cpu = figures.flatMap(({ value }) => value?.cpuMs != null ? [value.cpuMs / value.wallMs] : [])
    return {
      threads,
      missing: missingThreads(stopped, hub, server.pid),
      answers,
      cores: cpu.length > 0 ? cpu.reduce((sum, cores) => sum + cores, 0) : null,
      problems,
      coverage: addUpCoverage(coverage.flatMap(({ value }) => value ?? [])),
      countedAnswers: counted.answers
    }
  })
}

/**
 * @param {Awaited<ReturnType<Hub['ask']>>} stopped
 * @param {Server} server
 * @returns {Thread[]} the one with the most work first
 */
function threadsOf (stopped, { dir, pid }) {
  return stopped.filter(({ error }) => error === null).map(({ member, value }) => ({
    title: titleOf(member, pid),
    raw: value,
    profile: readCpuProfile(value, { dir })
  })).sort((a, b) => busyMs(b) - busyMs(a))
}

/**
 * @param {Awaited<ReturnType<Hub['ask']>>} stopped
 * @param {Hub} hub
 * @param {number} ownPid
 * @returns {string[]} sentences
 */
function missingThreads (stopped, hub, ownPid) {
  return [
    ...stopped.filter(({ error }) => error !== null)
      .map(({ member, error }) => `${titleOf(member, ownPid)} was not recorded: ${error}.`),
    ...hub.unrecorded().map(({ pid, threadId }) =>
      `Worker thread ${threadId} of process ${pid} was not recorded: it was started from a string, or ` +
        'without this process’s environment or flags.')
  ]
}

/** @param {string} url of a file @returns {string | null} */
export function sourceOf (url) {
  try {
    return fs.readFileSync(url.startsWith('file:') ? fileURLToPath(url) : url, 'utf8')
  } catch {
    return null
  }
}

/** @param {Thread} thread */
function busyMs ({ profile: { root, wallMs } }) {
  return wallMs - root.children.filter(({ owner }) => owner === 'idle').reduce((sum, { selfMs }) => sum + selfMs, 0)
}

/** @param {Member} member @param {number} ownPid */
function titleOf ({ pid, threadId, main }, ownPid) {
  const thread = main ? 'main thread' : `worker thread ${threadId}`
  return pid === ownPid ? thread : `${thread} of process ${pid}`
}

/** Several processes run the same files. @param {Recording['coverage']} parts @returns {Recording['coverage']} */
function addUpCoverage (parts) {
  /** @type {Map<string, Map<string, { name: string, start: number, calls: number }>>} */
  const files = new Map()
  for (const { url, functions } of parts) {
    const file = files.get(url) ?? new Map()
    files.set(url, file)
    for (const { name, start, calls } of functions) {
      const key = `${start} ${name}`
      const known = file.get(key)
      if (known) known.calls += calls
      else file.set(key, { name, start, calls })
    }
  }
  return [...files].map(([url, functions]) => ({ url, functions: [...functions.values()] }))
}

/**
 * A CPU profile as figures, for views other than the report. Pure.
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
