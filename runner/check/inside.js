import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  asChangeable, openHub, placeToLook, readCpuProfile, recordLoop, seeWhatHangs, summarise
} from '../inside/index.js'
import { kindOf, median } from '../judge/index.js'
import { createRandom } from '../shared/random.js'

/**
 * A look inside servers: inside both after the verdict, at the limit of this machine, or at where one hangs. All of it
 * stands next to the verdict and decides nothing.
 *
 * @import { Hub, LoopRecording, Member, RecordedFigures } from '../inside/index.js'
 * @import { Decision, Evidence, Sample, Sides } from '../judge/index.js'
 * @import { Item, Lesson } from '../lesson/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Role, Server, ServerFolder, Session } from '../process/index.js'
 * @import { Context } from './context.js'
 *
 * @typedef {{ server: Server | null, hub: Hub }} Side
 * @typedef {Pick<Context, 'lesson' | 'session'> & { generator: Generator, kept: readonly string[] }} LookGiven
 * @typedef {{ samples: Sides, limits: Map<string, number>, loops?: LoopRecording[] | null }} Inside limits: of a bare
 *   server by load, answers/s; loops: of the slow server and of yours
 */

/** @type {Inside} */
export const nothingInside = { samples: { baseline: null, yours: null }, limits: new Map() }

/**
 * If it fails, the verdict doesn't change.
 *
 * @param {Context} context
 * @param {{ limits: boolean, loops: boolean, kept: readonly string[] }} what limits: measure those of the machine, too;
 *   loops: record a moment of both event loops, too, where the lesson offers it; kept: files that need no change
 * @returns {Promise<Inside>}
 */
export async function lookInside (context, what) {
  const generator = await context.getGenerator()
  /** @template T @param {Promise<T>} promise @param {T} instead */
  const or = (promise, instead) => promise.catch((error) => {
    if (context.session.signal?.aborted) throw error
    return instead
  })
  context.phase('inside', 'Looking inside both servers')
  const seen = { ...nothingInside, ...await or(sampleInside(context, generator, what), nothingInside) }
  if (!what.limits) return seen
  context.phase('inside', 'Measuring the limit of this machine')
  return { ...seen, limits: await or(measureLimits(context, generator), nothingInside.limits) }
}

/** About how long it takes, and the machine's limit after it, ms: the budget of the rounds leaves room for it. */
export const insideMs = 3000
const warmUpMs = 200
const sliceMs = 300
const intervalUs = 500
const orderMs = 3000

/**
 * A sample apart from the rounds: a separate pair, each with a recorder in it, is loaded for a moment. A server that
 * can't be sampled is no worse for it. Its event loops are recorded after that, because hooks change what is sampled.
 *
 * @param {Context} context
 * @param {Generator} generator
 * @param {{ loops?: boolean, kept?: readonly string[] }} [what]
 * @returns {Promise<Pick<Inside, 'samples' | 'loops'>>}
 */
export async function sampleInside ({ lesson, session, submission }, generator, { loops = false, kept = [] } = {}) {
  const given = { lesson, session, generator, kept }
  const hubs = await Promise.all([openHub(), openHub()])
  /** @type {Side[]} */
  const sides = []
  /** @param {Role} role @param {ServerFolder} folder @param {Hub} hub */
  const startRecorded = async (role, folder, hub) => {
    const { server } = await session.start(role, folder, { env: hub.env })
    const side = { server, hub }
    sides.push(side)
    return side
  }
  try {
    const [baseline, yours] = await Promise.all([
      startRecorded('baseline', session.baseline, hubs[0]),
      startRecorded('yours', submission, hubs[1])
    ])
    // Warming up side by side saves time; what is recorded is recorded one at a time.
    const [known, ours] = await Promise.all([warmUp(given, baseline), warmUp(given, yours)])
    const samples = { baseline: await takeSample(given, baseline, known), yours: await takeSample(given, yours, ours) }
    return { samples, loops: loops ? await recordLoops(given, [baseline, yours]).catch(() => null) : null }
  } finally {
    await Promise.all(sides.map(({ server }) => server && session.stop(server)))
    // Even if no server came, or not in time: a hub that is left open keeps us alive.
    await Promise.all(hubs.map((hub) => hub.close()))
    await Promise.all(['baseline#looked-into', 'yours#looked-into'].map(generator.forget))
  }
}

/**
 * The profile begins before the warm-up: V8 names no code that it replaced meanwhile.
 *
 * @param {LookGiven} given @param {Side} side
 * @returns {Promise<Member[]>} the threads that are being recorded
 */
async function warmUp ({ lesson, generator }, { server, hub }) {
  if (!server) return []
  const members = hub.members()
  await hub.ask('startCpu', { intervalUs }, { to: members, timeoutMs: orderMs })
  const { mechanism: { load } } = lesson
  if (!lesson.loads[load].fresh) await generator.slice(orderFor(lesson, server, warmUpMs))
  return members
}

/** @param {LookGiven} given @param {Side[]} sides @returns {Promise<LoopRecording[] | null>} null: not of both */
async function recordLoops ({ lesson, generator }, sides) {
  if (!lesson.eventLoop) return null
  const load = lesson.eventLoop.load ?? lesson.mechanism.load
  const { arrivals, fresh } = lesson.loads[load]
  /** @type {number | undefined} */
  let rate
  const recorded = []
  for (const { server, hub } of sides) {
    if (!server) return null
    const further = { load, exactly: undefined, withoutProbe: false, traced: true }
    const slice = (/** @type {number} */ ms) => generator.slice({ ...orderFor(lesson, server, ms), ...further, rate })
    if (arrivals !== undefined) rate ??= arrivals * (await slice(warmUpMs)).rate
    const leadMs = fresh ? 0 : warmUpMs
    recorded.push(await recordLoop({ hub, server, leadMs, load: async (ms) => (await slice(ms)).sent ?? [] }))
  }
  const found = recorded.flatMap((one) => one ?? [])
  return found.length === sides.length ? found : null
}

/**
 * Without the probe: what it asks for isn't the work that the gates judge.
 *
 * @param {Lesson} lesson @param {Server} server @param {number} ms
 */
function orderFor ({ mechanism: { load }, loads }, server, ms) {
  return {
    instance: `${server.role}#looked-into`,
    load,
    port: server.port,
    sliceMs: ms,
    sliceAnswers: 1,
    exactly: loads[load].fresh ? loads[load].exactly : undefined,
    unchecked: true,
    withoutProbe: true
  }
}

/**
 * @param {LookGiven} given
 * @param {Side} side
 * @param {Member[]} recording threads whose profile has begun
 * @returns {Promise<Sample | null>}
 */
async function takeSample ({ lesson, generator, session, kept }, { server, hub }, recording) {
  session.signal?.throwIfAborted()
  if (!server) return null
  const { mechanism } = lesson
  const to = hub.members()
  const ask = (/** @type {string} */ order, params = {}) => hub.ask(order, params, { to, timeoutMs: orderMs })
  const callsBefore = await server.upstream?.count() ?? null
  await ask('startFigures')
  await hub.ask(
    'startCpu',
    { intervalUs },
    { to: to.filter((member) => !recording.includes(member)), timeoutMs: orderMs }
  )
  await ask('markCpu')
  const { answers } = await generator.slice(orderFor(lesson, server, sliceMs))
  const profiles = await ask('stopCpu')
  const figures = await ask('stopFigures')
  const callsAfter = await server.upstream?.count() ?? null
  const [event] = mechanism.shows?.find(({ figure }) => figure === 'listeners')?.of ?? []
  const listeners = event === undefined ? [] : await ask('listeners', { event })
  if (answers === 0 || server.hasExited()) return null
  return sampleOf({
    answers,
    upstreamCalls: callsBefore !== null && callsAfter !== null ? (callsAfter - callsBefore) / answers : null,
    threads: to.flatMap((member) => {
      const profile = profiles.find((one) => one.member === member)?.value
      const its = figures.find((one) => one.member === member)?.value
      return profile && its ? [{ profile, figures: its }] : []
    }),
    listeners: listeners.length > 0 ? Math.max(...listeners.map(({ value }) => value ?? 0)) : null,
    dir: server.dir,
    kept
  })
}

/**
 * @param {object} given
 * @param {number} given.answers
 * @param {number | null} given.upstreamCalls for one answer
 * @param {{ profile: any, figures: RecordedFigures }[]} given.threads
 * @param {number | null} given.listeners
 * @param {string} given.dir
 * @param {readonly string[]} given.kept files that need no change
 * @returns {Sample | null} null where no thread was recorded
 */
export function sampleOf ({ answers, upstreamCalls, threads, listeners, dir, kept }) {
  if (threads.length === 0) return null
  // Not the event loop utilisation: a profiler's signals interrupt the waiting, and libuv then counts it as work.
  const seen = threads.map(({ profile, figures }) => {
    const { root } = readCpuProfile(profile, { dir })
    const summary = summarise(root)
    return { figures, root, summary, busy: 1 - summary.shares.idle }
  })
  const mostBusy = Math.max(...seen.map(({ busy }) => busy))
  const serving = seen.find(({ figures, busy }) => figures.cpuMs !== null && busy >= mostBusy / 2) ?? seen[0]
  const { summary } = serving
  const processes = threads.flatMap(({ figures: { cpuMs, wallMs } }) => cpuMs === null ? [] : [{ cpuMs, wallMs }])
  return {
    cpuPerRequestMs: processes.length === 0 ? null : processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / answers,
    loopBusy: serving.busy,
    loopDelayMs: serving.figures.delayP99Ms,
    gcShare: serving.figures.gcMs / serving.figures.wallMs,
    heapBytes: threads.reduce((sum, { figures }) => sum + figures.heapBytes, 0),
    cores: processes.length === 0 ? null : processes.reduce((sum, { cpuMs, wallMs }) => sum + cpuMs / wallMs, 0),
    listeners,
    upstreamCalls,
    functions: summary.functions.map(({ name, owner, totalMs }) => ({
      name,
      owner,
      share: summary.wallMs > 0 ? totalMs / summary.wallMs : 0
    })),
    place: placeToLook(summarise(asChangeable(serving.root, kept)))
  }
}

const [limitSlices, limitSliceMs] = [3, 150]
const bareServer = { dir: fileURLToPath(new URL('bare-server', import.meta.url)), shownDir: 'bare server' }

/**
 * What a bare Node.js server answers under the load of each gate whose kind has a limit.
 *
 * @param {Pick<Context, 'lesson' | 'session'>} context
 * @param {Generator} generator
 * @returns {Promise<Map<string, number>>} answers a second, by load
 */
async function measureLimits ({ lesson, session }, generator) {
  /** @type {Map<string, number>} */
  const limits = new Map()
  const loads = limitedLoads(lesson)
  if (loads.length === 0) return limits
  const { server, failure } = await session.start('baseline', bareServer)
  if (failure !== null) return limits
  try {
    for (const load of loads) {
      // Its answers are not those of the lesson: they are not verified.
      const given = { instance: 'limit#1', port: server.port, sliceMs: limitSliceMs, sliceAnswers: 10 }
      const order = { ...given, load, unchecked: true }
      // A process that has just started is slow.
      await generator.slice(order)
      const rates = []
      for (let slice = 0; slice < limitSlices; slice++) rates.push((await generator.slice(order)).rate)
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

/** A stream soon repeats what it asks. */
const mostDrawn = 200
const silence = /(?:([A-Z]+ \/\S*): )?no answer within/
const notListening = /^server\.js did not listen on process\.env\.PORT within/

/**
 * Why a server did not answer, or did not get as far as listening: where it is stuck. Takes about 3 s, and only where
 * an answer did not come.
 *
 * @param {Pick<Context, 'session' | 'submission' | 'lesson'>} context
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
 * Patterns in the submission's source that a test from outside cannot see. They warn; they never decide.
 *
 * @param {Lesson} lesson
 * @param {string} dir
 * @returns {string[]}
 */
export function sourceWarnings ({ sourceHints = [] }, dir) {
  if (sourceHints.length === 0) return []
  const source = fs.readdirSync(dir)
    .filter((name) => /\.[cm]?[jt]s$/.test(name))
    .map((name) => fs.readFileSync(path.join(dir, name), 'utf8'))
    .join('\n')
  return sourceHints
    .filter(({ pattern, unless }) => pattern.test(source) && !unless?.test(source))
    .map(({ warning }) => warning)
}
