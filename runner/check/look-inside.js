import { readCpuProfile, placeToLook, summarise } from '../cpu-profile/index.js'
import { openHub } from '../recorder/index.js'

/**
 * A look inside both servers, apart from the rounds: a pair of its own, each with a recorder in it, is loaded for a moment.
 * What it sees is evidence beside the verdict; a server that does not let itself be looked into is no worse for it.
 *
 * @typedef {import('../judge/figures.js').Sample} Sample
 * @typedef {{ dir: string, shownDir: string }} Place
 * @typedef {{ server: import('../server/start.js').Server | null, hub: import('../recorder/hub.js').Hub }} Side
 *
 * @typedef {object} LookGiven
 * @property {import('../catalogue/lesson.js').Lesson} lesson
 * @property {import('./crew.js').Crew} crew
 * @property {import('../load/index.js').Generator} generator
 * @property {Place} slow
 * @property {Place} submission
 * @property {AbortSignal} [signal]
 */

/** About how long it takes, ms: the budget of the rounds leaves room for it. */
export const lookMs = 2000
const warmUpMs = 200
const sliceMs = 300
const intervalUs = 500
const orderMs = 3000

/**
 * @param {LookGiven} given
 * @returns {Promise<import('../judge/mechanism.js').Sides>}
 */
export async function lookInside (given) {
  const [baseline, yours] = await Promise.all([startRecorded(given, 'baseline', given.slow), startRecorded(given, 'yours', given.submission)])
  try {
    // Warming up side by side saves time; what is recorded is recorded one at a time.
    const [known, ours] = await Promise.all([warmUp(given, baseline), warmUp(given, yours)])
    return { baseline: await takeSample(given, baseline, known), yours: await takeSample(given, yours, ours) }
  } finally {
    await Promise.all([baseline, yours].map(async ({ server, hub }) => {
      if (server) await given.crew.stop(server)
      await hub.close()
    }))
    await Promise.all(['baseline#looked-into', 'yours#looked-into'].map(given.generator.forget))
  }
}

/** @param {LookGiven} given @param {'baseline' | 'yours'} role @param {Place} place @returns {Promise<Side>} */
async function startRecorded ({ crew }, role, place) {
  const hub = await openHub()
  const { server } = await crew.start(role, place, { env: hub.env })
  return { server, hub }
}

/**
 * The profile begins before the warm-up: V8 names no code that it replaced meanwhile.
 *
 * @param {LookGiven} given @param {Side} side
 * @returns {Promise<import('../recorder/hub.js').Member[]>} the threads that are being recorded
 */
async function warmUp ({ lesson, generator }, { server, hub }) {
  if (!server) return []
  const members = hub.members()
  await hub.ask('startCpu', { intervalUs }, { to: members, timeoutMs: orderMs })
  const { mechanism: { load } } = lesson
  if (!lesson.loads[load].fresh) await generator.slice(orderFor(lesson, server, warmUpMs))
  return members
}

/** @param {import('../catalogue/lesson.js').Lesson} lesson @param {import('../server/start.js').Server} server @param {number} ms */
function orderFor ({ mechanism: { load }, loads }, server, ms) {
  return { life: `${server.role}#looked-into`, load, port: server.port, sliceMs: ms, sliceAnswers: 1, exactly: loads[load].fresh ? loads[load].exactly : undefined, unchecked: true }
}

/**
 * @param {LookGiven} given
 * @param {Side} side
 * @param {import('../recorder/hub.js').Member[]} recording threads whose profile has begun
 * @returns {Promise<Sample | null>}
 */
async function takeSample ({ lesson, generator, signal }, { server, hub }, recording) {
  signal?.throwIfAborted()
  if (!server) return null
  const { mechanism } = lesson
  const to = hub.members()
  const ask = (/** @type {string} */ order, params = {}) => hub.ask(order, params, { to, timeoutMs: orderMs })
  const callsBefore = await server.upstream?.count() ?? null
  await ask('startFigures')
  await hub.ask('startCpu', { intervalUs }, { to: to.filter((member) => !recording.includes(member)), timeoutMs: orderMs })
  await ask('markCpu')
  const { answers } = await generator.slice(orderFor(lesson, server, sliceMs))
  const profiles = await ask('stopCpu')
  const figures = await ask('stopFigures')
  const callsAfter = await server.upstream?.count() ?? null
  const listeners = mechanism.shows?.some(({ figure }) => figure === 'listeners') ? await ask('listeners') : []
  if (answers === 0 || server.hasExited()) return null
  return sampleOf({
    answers,
    upstreamCalls: callsBefore !== null && callsAfter !== null ? (callsAfter - callsBefore) / answers : null,
    threads: to.flatMap((member) => {
      const profile = profiles.find((one) => one.member === member)?.value
      const its = figures.find((one) => one.member === member)?.value
      return profile && its ? [{ profile, figures: its }] : []
    }),
    listeners: listeners.length > 0 ? Math.max(...listeners.map(({ value }) => value?.listeners ?? 0)) : null,
    dir: server.dir
  })
}

/**
 * @param {object} given
 * @param {number} given.answers
 * @param {number | null} given.upstreamCalls for one answer
 * @param {{ profile: any, figures: import('../recorder/member/figures.js').Figures }[]} given.threads
 * @param {number | null} given.listeners
 * @param {string} given.dir
 * @returns {Sample | null} null where no thread was recorded
 */
export function sampleOf ({ answers, upstreamCalls, threads, listeners, dir }) {
  if (threads.length === 0) return null
  const [busiest] = [...threads].sort((a, b) => b.figures.loopBusy - a.figures.loopBusy)
  const serving = threads.find(({ figures }) => figures.cpuMs !== null && figures.loopBusy >= busiest.figures.loopBusy / 2) ?? threads[0]
  const summary = summarise(readCpuProfile(serving.profile, { dir }))
  const processes = threads.flatMap(({ figures: { cpuMs, wallMs } }) => cpuMs === null ? [] : [{ cpuMs, wallMs }])
  return {
    cpuPerRequestMs: processes.length === 0 ? null : processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / answers,
    loopBusy: serving.figures.loopBusy,
    loopDelayMs: serving.figures.delayP99Ms,
    gcShare: serving.figures.gcMs / serving.figures.wallMs,
    heapBytes: threads.reduce((sum, { figures }) => sum + figures.heapBytes, 0),
    cores: processes.length === 0 ? null : processes.reduce((sum, { cpuMs, wallMs }) => sum + cpuMs / wallMs, 0),
    listeners,
    upstreamCalls,
    functions: summary.functions.map(({ name, owner, totalMs }) => ({ name, owner, share: summary.wallMs > 0 ? totalMs / summary.wallMs : 0 })),
    place: placeToLook(summary)
  }
}
