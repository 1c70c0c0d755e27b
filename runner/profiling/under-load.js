import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WorkshopError } from '../shared/errors.js'
import { openHub, seeWhatHangs } from '../inside/index.js'
import { startGenerator } from '../load/index.js'
import { withOneServer } from '../process/index.js'
import { createRandom } from '../shared/random.js'
import { routeIn } from '../shared/text.js'

/**
 * One of a lesson's servers, with a recorder in each of its processes and threads, and the lesson's own load at hand.
 *
 * @import { Hub } from '../inside/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Generator, SentRequest } from '../load/index.js'
 * @import { Server, ServerFolder, Session, StartOptions } from '../process/index.js'
 *
 * @typedef {object} UnderLoad
 * @property {Server} server
 * @property {Hub} hub
 * @property {<T>(ms: number, whenLoaded?: () => Promise<T>) => Promise<LoadOutcome & { atEnd: T }>} load loads the
 *   server for about that long; whenLoaded: what it returns is atEnd; it's called before the answers are verified,
 *   which takes a while in which the server is idle
 *
 * @typedef {object} LoadOutcome what the load saw
 * @property {number} answers
 * @property {number} seconds
 * @property {string[]} problems wrong and lost answers, the first few, as sentences
 * @property {SentRequest[]} [sent] where the load was to be traced
 *
 * @typedef {object} Target what to profile
 * @property {LoadedLesson} entry
 * @property {string} dir the folder with server.js
 * @property {OwnServer} [own] instead: a server outside the lessons
 * @property {string} loadName
 * @property {string} seed
 * @property {AbortSignal} signal
 * @property {AbortSignal} [enough] ends the load early: what was recorded until then is worth a report
 *
 * @typedef {object} OwnServer
 * @property {ServerFolder} folder
 * @property {StartOptions} options
 * @property {string} command that profiles it
 * @property {(server: Server) => Promise<unknown>} prepare logs in and makes data; resolves to what the streams have to
 *   know of this server
 */

const answerTimeoutMs = 5000
const capacityMs = 400
const instance = 'profiled#1'

/**
 * @template T
 * @param {Target & { start?: StartOptions | ((hub: Hub) => StartOptions), recorded?: boolean,
 *   withoutProbe?: boolean, traced?: boolean }} target start: further ways to start it; recorded: false if a tool
 *   records by itself or brings its own recorder; withoutProbe: a tool that says which function is hottest is to see
 *   the judged load alone; traced: report when each request was sent
 * @param {(given: UnderLoad) => Promise<T>} use everything is stopped when it's done
 * @returns {Promise<T>}
 * @throws {WorkshopError} the server doesn't start, ends, or answers nothing
 */
export async function underLoad (target, use) {
  const { entry, dir, own, loadName, seed, signal, enough, withoutProbe, traced } = target
  const { start = own?.options ?? {}, recorded = true } = target
  const hub = await openHub()
  try {
    const ways = typeof start === 'function' ? start(hub) : start
    // A server outside the lessons brings its whole environment.
    const both = own ? { ...ways.env, ...hub.env } : { ...hub.env, ...ways.env }
    const env = recorded ? both : ways.env
    const started = { entry, dir, folder: own?.folder, seed, signal, start: { ...ways, env } }
    return await withOneServer(started, async ({ server, session }) => {
      const generator = await startGenerator(session)
      const findStuck = () => seeWhatHangs({
        request: firstRequest(entry, loadName, session),
        start: (options) =>
          session.start('yours', own?.folder ?? session.openSubmission(dir), { ...own?.options, ...options })
      })
      const kept = await own?.prepare(server)
      const load = loader({ entry, loadName, server, generator, findStuck, withoutProbe, traced, kept, enough })
      return use({ server, hub, load })
    })
  } finally {
    await hub.close()
  }
}

/** @param {LoadedLesson} entry @param {string} loadName @param {Session} session */
function firstRequest ({ lesson }, loadName, { data, seed }) {
  const { stream } = lesson.loads[loadName]
  return stream({ random: createRandom(`${seed}/stuck`), data, model: lesson.model?.({ data }) })()
}

/** A load that may be enough early is looked at so often. */
const pieceMs = 500

/**
 * @param {{ entry: LoadedLesson, loadName: string, server: Server, generator: Generator,
 *   findStuck: () => Promise<string | null>, withoutProbe?: boolean, traced?: boolean, kept?: unknown, enough?:
 *   AbortSignal }} given findStuck: what a silent server is doing, half a sentence
 * @returns {UnderLoad['load']}
 */
export function loader ({ entry, loadName, server, generator, findStuck, withoutProbe, traced, kept, enough }) {
  const { arrivals } = entry.lesson.loads[loadName]
  /** @type {number | undefined} */
  let capacity
  const slice = async (/** @type {number} */ ms, /** @type {number} */ rate = 0) => {
    const startedAt = performance.now()
    const report = await generator.slice({
      instance,
      load: loadName,
      port: server.port,
      sliceMs: ms,
      sliceAnswers: 1,
      rate: rate || undefined,
      answerTimeoutMs,
      withoutProbe,
      traced,
      kept,
      verifyLater: true
    })
    return { ...report, ms: performance.now() - startedAt }
  }
  const inPieces = async (/** @type {number} */ ms, /** @type {number} */ rate) => {
    const piece = () => slice(enough === undefined || traced ? ms : Math.min(ms, pieceMs), rate)
    const whole = await piece()
    while (whole.ms < ms && enough?.aborted === false) {
      const next = await piece()
      whole.answers += next.answers
      whole.refused.push(...next.refused)
      whole.lost.push(...next.lost)
      whole.ms += next.ms
    }
    return whole
  }
  return async (ms, whenLoaded) => {
    // An arrival rate relative to the capacity needs the capacity first.
    if (arrivals !== undefined) capacity ??= (await slice(capacityMs)).rate
    const report = await inPieces(ms, arrivals === undefined ? 0 : arrivals * (capacity ?? 1))
    if (server.hasExited()) {
      throw new WorkshopError(`The server ${server.howItEnded()} while it was profiled.${quoted(server.output())}`)
    }
    /** @type {any} */
    const atEnd = await whenLoaded?.()
    const verified = await generator.verify(instance)
    const answers = report.answers + report.refused.length
    const problems = [...report.lost, ...verified.problems].map(({ message }) => message)
    const isSilent = report.lost.some(({ kind }) => kind === 'no answer')
    const stuck = answers === 0 && isSilent ? await findStuck() : null
    if (stuck !== null) {
      throw new WorkshopError(`No request got an answer within ${answerTimeoutMs / 1000} s: ${stuck}`)
    }
    if (answers === 0) {
      throw new WorkshopError(
        `The server gave no answer within ${(report.ms / 1000).toPrecision(2)} s, so there is nothing to ` +
          `profile${problems[0] ? `: ${problems[0]}` : '.'} \`npm run serve\` starts it for a look by ` +
          `hand.${quoted(server.output())}`
      )
    }
    return { answers, seconds: report.ms / 1000, problems, sent: report.sent, atEnd }
  }
}

/** @returns {WorkshopError} the recorder isn't in the server */
export function cannotBeRecorded () {
  return new WorkshopError(
    'The server can’t be recorded: does it drop NODE_OPTIONS or --import? `--tool prof` works without.'
  )
}

/** @param {string} url of a file @returns {string | null} */
export function sourceOf (url) {
  try {
    return fs.readFileSync(url.startsWith('file:') ? fileURLToPath(url) : url, 'utf8')
  } catch {
    return null
  }
}

/** @param {string} dir of a server @returns {(place: string) => string | null} the route whose handler begins there */
export function routesIn (dir) {
  /** @type {Map<string, string[]>} */
  const files = new Map()
  return (place) => {
    const [, file = '', line] = /^(.+):(\d+)$/.exec(place) ?? []
    const lines = files.get(file) ?? sourceOf(path.join(dir, file))?.split('\n') ?? []
    files.set(file, lines)
    return routeIn(lines[Number(line) - 1])
  }
}

/** @param {string} output */
function quoted (output) {
  return output === '' ? '' : `\n\n${output}`
}

/** How long a server may run after its last request before process.exit() ends it, ms. */
const graceMs = 2000

/**
 * Lets a server run out of work and waits for its end: a signal would lose what it hasn't written yet.
 *
 * @param {object} given
 * @param {Server} given.server
 * @param {Hub} given.hub
 * @param {AbortSignal} given.signal
 * @param {number} given.timeoutMs
 * @returns {Promise<boolean>} has it ended? Otherwise it's still running
 */
export async function endServer ({ server, hub, signal, timeoutMs }) {
  await hub.ask('end', { graceMs })
  const waiting = new AbortController()
  const limit = sleep(timeoutMs, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => {})
  await Promise.race([server.exited, limit])
  waiting.abort()
  signal.throwIfAborted()
  return server.hasExited()
}
