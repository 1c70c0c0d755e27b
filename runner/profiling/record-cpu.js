import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../shared/errors.js'
import { readCpuProfile, threadTitle } from '../inside/index.js'
import { cannotBeRecorded, underLoad } from './under-load.js'

/**
 * @import { Coverage, CpuProfile, Hub } from '../inside/index.js'
 * @import { Server } from '../process/index.js'
 * @import { Target } from './under-load.js'
 *
 * @typedef {object} Thread
 * @property {string} title `main thread`, `worker thread 1`, `main thread of process 4711`
 * @property {any} raw V8's profile
 * @property {CpuProfile} profile
 * @property {number} [coreless] share of the time in which it had work and no core
 */

const intervalUs = 500
const warmUpMs = 700
const countingMs = 400

/**
 * CPU profiles of every process and thread of one server under load.
 *
 * @typedef {Awaited<ReturnType<typeof recordCpu>>} CpuRecording
 *
 * @param {Target} target
 * @param {{ seconds: number, withLoad?: typeof underLoad }} options withLoad: another one in tests
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

    const threads = threadsOf(stopped, figures, server)
    if (threads.length === 0) {
      throw new WorkshopError(
        `No profile was written: ${stopped[0]?.error ?? started[0]?.error ?? 'the server ended'}. Does the server ` +
          'end, or kill its own processes, under load?'
      )
    }
    const cpu = figures.flatMap(({ value }) => value?.cpuMs != null ? [value.cpuMs / value.wallMs] : [])
    return {
      threads,
      /** Threads that couldn't be recorded, as sentences. */
      missing: missingThreads(stopped, hub, server.pid),
      answers,
      /** Kept busy by all processes together. */
      cores: cpu.length > 0 ? cpu.reduce((sum, cores) => sum + cores, 0) : null,
      problems,
      /** Of the learner's files, by each process and thread. @type {Coverage[]} */
      coverage: coverage.flatMap(({ value }) => value ?? []),
      /** While calls were counted. */
      countedAnswers: counted.answers
    }
  })
}

/**
 * @typedef {Awaited<ReturnType<Hub['ask']>>} Asked
 *
 * @param {Asked} stopped
 * @param {Asked} figures
 * @param {Server} server
 * @returns {Thread[]} the one with the most work first
 */
function threadsOf (stopped, figures, { dir, pid }) {
  return stopped.filter(({ error }) => error === null).map(({ member, value }) => {
    const { corelessMs = 0, wallMs = 1 } = figures.find((one) => one.member === member)?.value ?? {}
    const profile = readCpuProfile(value, { dir })
    return { title: threadTitle(member, pid), raw: value, profile, coreless: corelessMs / wallMs }
  }).sort((a, b) => busyMs(b) - busyMs(a))
}

/**
 * @param {Asked} stopped
 * @param {Hub} hub
 * @param {number} ownPid
 * @returns {string[]} sentences
 */
function missingThreads (stopped, hub, ownPid) {
  return [
    ...stopped.filter(({ error }) => error !== null)
      .map(({ member, error }) => `${threadTitle(member, ownPid)} was not recorded: ${error}.`),
    ...hub.unrecorded().map(({ pid, threadId }) =>
      `Worker thread ${threadId} of process ${pid} was not recorded: it was started from a string, or ` +
        'without this process’s environment or flags.')
  ]
}

/** @param {Thread} thread */
function busyMs ({ profile: { root } }) {
  return root.children.filter(({ owner }) => owner !== 'idle').reduce((sum, { totalMs }) => sum + totalMs, root.selfMs)
}
