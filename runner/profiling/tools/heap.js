import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../../shared/errors.js'
import { firstFew } from '../../shared/format.js'
import { threadTitle } from '../../inside/index.js'
import { readAllocations } from '../heap/heap-messages.js'
import { compareFiles, heapPage, heapSections } from '../heap/heap-report.js'
import { cannotBeRecorded, sourceOf, underLoad } from '../under-load.js'

/**
 * @import { ToolGiven, ToolResult } from '../profile-files.js'
 * @import { Target } from '../under-load.js'
 */

/**
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, which, title, seconds, files, say }) {
  say(`Recording the heap of ${which} for ${seconds} s …`)
  const { dir, before, after, allocations: raw, seen, missing } = await recordHeap(target, { seconds, files, say })
  const profile = await files.write('.heapprofile', JSON.stringify(raw))
  say('Comparing the snapshots …')
  // The server may have been a copy, which is gone by now.
  const comparison = await compareFiles({
    before,
    after,
    answers: seen.answers,
    dir,
    sourceOf: (file) => sourceOf(path.join(target.dir, file))
  })
  target.signal.throwIfAborted()
  const allocations = readAllocations(raw, { dir })
  const sections = heapSections({ comparison, allocations, missing, problems: seen.problems })
  return { sections, report: await files.write('.html', heapPage(title, sections)), kept: [profile, before, after] }
}

const warmUpMs = 700
/** Lets the server clean up after its last answers. */
const settleMs = 150
/** Small enough to show 60 bytes for each of a thousand requests. */
const intervalBytes = 2048
/** Writing a large heap takes long, and blocks the server. */
const snapshotMs = 120_000

/**
 * Two snapshots of the server's main thread, and the load between them.
 *
 * @param {Target} target
 * @param {Pick<ToolGiven, 'seconds' | 'files' | 'say'>} options
 * @throws {WorkshopError}
 */
async function recordHeap (target, { seconds, files, say }) {
  const [before, after] = ['before', 'after'].map((when) => files.name(`.${when}.heapsnapshot`))
  try {
    return await underLoad(target, async ({ server, hub, load }) => {
      const members = hub.members()
      const main = members.find((member) => member.pid === server.pid && member.main)
      if (!main) throw cannotBeRecorded()
      const ask = async (/** @type {string} */ order, params = {}, timeoutMs = 20_000) => {
        const [answer] = await hub.ask(order, params, { to: [main], timeoutMs })
        target.signal.throwIfAborted()
        return answer ?? { value: null, error: 'it ended' }
      }
      const snapshot = async (/** @type {string} */ which, /** @type {string} */ file) => {
        await sleep(settleMs)
        const { error } = await ask('snapshot', { file }, snapshotMs)
        if (error !== null) throw new WorkshopError(notWritten(which, error, files.dir))
      }
      await load(Math.max(warmUpMs, target.entry.lesson.loads[target.loadName].warmUpMs ?? 0))
      // V8 makes objects for the inspector when it's first used: they must be there before.
      await ask('startHeap', { intervalBytes })
      await ask('stopHeap')
      say('First heap snapshot …')
      await snapshot('first', before)
      const { error: failure } = await ask('startHeap', { intervalBytes })
      if (failure !== null) {
        throw new WorkshopError(
          `Allocations could not be recorded: ${failure}. Does the server end, or kill its own process, under load?`
        )
      }
      const seen = await load(seconds * 1000)
      const { value: allocations, error } = await ask('stopHeap')
      if (error !== null) {
        throw new WorkshopError(
          `No heap profile was written: ${error}. Does the server end, or kill its own process, under load?`
        )
      }
      say('Second heap snapshot …')
      await snapshot('second', after)
      const others = [...hub.members().filter((member) => member !== main), ...hub.unrecorded()]
      const missing = sayNotLookedAt({ pid: server.pid, others })
      return { dir: server.dir, before, after, allocations, seen, missing }
    })
  } catch (error) {
    // A single or partial snapshot is useless, and large.
    for (const file of [before, after]) fs.rmSync(file, { force: true })
    throw error
  }
}

/** @param {string} which @param {string} error @param {string} dir @returns {string} */
export function notWritten (which, error, dir) {
  if (error === 'it ended') {
    return `The ${which} heap snapshot was not written: the server ended first. Does it end, or kill its own ` +
      'process? A snapshot takes about as much memory again as the heap has.'
  }
  if (error.startsWith('it did not answer')) {
    return `The ${which} heap snapshot was not written within ${snapshotMs / 1000} s. Is the server’s event loop ` +
      'blocked, or its heap very large?'
  }
  return `The ${which} heap snapshot was not written to ${dir} (${error}): is there room, and may the folder be ` +
    'written?'
}

/**
 * @param {{ pid: number, others: { pid: number, threadId: number }[] }} given pid: of the server's first process
 * @returns {string | null}
 */
export function sayNotLookedAt ({ pid, others }) {
  if (others.length === 0) return null
  return `Only the main thread of the server’s first process (${pid}) was looked at. Not looked at, each with a heap ` +
    `of its own: ${firstFew(others.map((other) => threadTitle(other, pid)))}.`
}
