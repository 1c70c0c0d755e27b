import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../../shared/errors.js'
import { firstFew } from '../../shared/format.js'
import { threadTitle } from '../../inside/index.js'
import { capabilitiesOf, createTheme } from '../../report/index.js'
import { shownPath } from '../../shared/text.js'
import { align, summariseTrace } from '../trace/over-time.js'
import { chartsOf, tracePage } from '../pages/trace-page.js'
import { diagnose, figureSections, overTimeSection, readingSections } from '../trace/trace-report.js'
import { cannotBeRecorded, underLoad } from '../under-load.js'

/**
 * @import { Hub, Member } from '../../inside/index.js'
 * @import { ToolGiven, ToolResult } from '../profile-files.js'
 * @import { Recording } from '../trace/over-time.js'
 * @import { LoadOutcome, Target } from '../under-load.js'
 */

/**
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, which, title, seconds, files, say }) {
  say(`Recording ${which} over time: half a second of rest, ${seconds} s of load, half a second of rest …`)
  const { recording, seen, spareCores, missing } = await recordTrace(target, { seconds })
  const { connections, arrivals } = target.entry.lesson.loads[target.loadName]
  const summary = summariseTrace(recording, {
    answers: seen.answers,
    seconds: seen.seconds,
    connections: arrivals === undefined ? connections : null,
    spareCores
  })
  const findings = diagnose(summary, { command: commandFor(target) })
  const reading = readingSections({ findings, missing, problems: seen.problems })
  const figures = figureSections(summary)
  const page = tracePage({ title, reading, figures, charts: chartsOf(recording, summary) })
  const report = await files.write('.html', page)
  const raw = { title, load: target.loadName, node: process.version, findings, summary, recording }
  const kept = [await files.write('.json', JSON.stringify(raw))]
  const { marks } = createTheme({ unicode: capabilitiesOf(process.stdout).unicode })
  return { sections: [...reading, overTimeSection(recording, summary, marks.spark), ...figures], report, kept }
}

/** The command that profiles the same server. @param {Target} target */
function commandFor ({ dir, entry, own }) {
  if (own) return own.command
  const command = `npm run profile lesson-${entry.number}`
  const same = (/** @type {string} */ other) => path.resolve(dir) === path.resolve(other)
  if (same(entry.workspaceDir)) return command
  if (same(entry.slowDir)) return `${command} slow`
  return same(entry.solutionDir) ? `${command} solution` : `${command} -- --server ${shownPath(dir)}`
}

const everyMs = 50
/** Before and after the load, to show what rest looks like. */
const restMs = 500
const newcomersMs = 100

/**
 * Every process and thread of one server over time: at rest, under load, at rest; the cores of the whole machine that
 * were idle under load; and a sentence about the threads that couldn't be recorded.
 *
 * @param {Target} target
 * @param {{ seconds: number }} options of load
 * @throws {WorkshopError}
 */
export async function recordTrace (target, { seconds }) {
  return underLoad(target, async ({ server, hub, load }) => {
    if (hub.members().length === 0) throw cannotBeRecorded()
    const rest = () => sleep(restMs, undefined, { signal: target.signal }).catch(() => target.signal.throwIfAborted())
    const startedAt = Date.now()
    const follow = followMembers(hub)
    try {
      await rest()
      const [fromAt, coresBefore] = [Date.now(), os.cpus()]
      const { atEnd: { toAt, coresAfter }, ...seen } = await load(seconds * 1000, async () => ({
        toAt: Date.now(),
        coresAfter: os.cpus()
      }))
      await rest()
      const answers = await follow.take()
      const taken = answers.flatMap(({ member, value }) => value === null ? [] : [{ member, timeline: value }])
      if (taken.length === 0) {
        throw new WorkshopError(
          `Nothing was recorded: ${answers[0]?.error ?? 'the server’s processes ended'}. Does the server end, or ` +
            'kill its own processes, under load?'
        )
      }
      const failed = follow.members.filter((member) => !taken.some((one) => one.member === member))
        .map((member) => ({ ...member, why: answers.find((one) => one.member === member)?.error ?? 'it ended' }))
      const unrecorded = hub.unrecorded()
        .map((one) => ({ ...one, why: 'it was started without its process’s environment or flags' }))
      return {
        recording: align(taken, { serverPid: server.pid, startedAt, fromAt, toAt }),
        seen,
        spareCores: spareCores(coresBefore, coresAfter),
        missing: sayNotRecorded([...failed, ...unrecorded], server.pid)
      }
    } finally {
      follow.end()
    }
  })
}

/**
 * Starts the timeline of every member, including those that join later: some servers start their workers with the first
 * request.
 *
 * @param {Hub} hub
 */
function followMembers (hub) {
  /** @type {Member[]} */
  const members = []
  /** @type {Promise<unknown>[]} */
  const starting = []
  const start = () => {
    const newcomers = hub.members().filter((member) => !members.includes(member))
    if (newcomers.length === 0) return
    members.push(...newcomers)
    starting.push(hub.ask('startTimeline', { everyMs }, { to: newcomers }))
  }
  start()
  const timer = setInterval(start, newcomersMs)
  return {
    members,
    end: () => clearInterval(timer),
    take: async () => {
      clearInterval(timer)
      await Promise.all(starting)
      return hub.ask('stopTimeline', {}, { to: members })
    }
  }
}

/**
 * @param {{ pid: number, threadId: number, why: string }[]} missing
 * @param {number} ownPid of the server's first process
 * @returns {string | null} one sentence
 */
export function sayNotRecorded (missing, ownPid) {
  if (missing.length === 0) return null
  return `Not recorded: ${firstFew(missing.map((one) => `${threadTitle(one, ownPid)} (${one.why})`))}.`
}

/**
 * How many of the machine’s cores were idle between two readings. Pure.
 *
 * @typedef {{ times: { user: number, nice: number, sys: number, idle: number, irq: number } }} Core as os.cpus() has
 *   it, ms
 *
 * @param {readonly Core[]} before
 * @param {readonly Core[]} after
 * @returns {number | null} null: the system doesn't tell
 */
export function spareCores (before, after) {
  const sum = (/** @type {(times: Core['times']) => number} */ of) =>
    after.reduce((ms, { times }) => ms + of(times), 0) - before.reduce((ms, { times }) => ms + of(times), 0)
  const idle = sum((times) => times.idle)
  const all = sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq)
  return before.length === 0 || before.length !== after.length || all <= 0
    ? null
    : Math.max(0, (idle / all) * after.length)
}
