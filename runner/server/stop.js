import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, marked, tree } from './processes.js'

/** Every server of one check carries this variable, so that what it leaves behind can be found. */
export const markerName = 'MAKE_IT_FAST_RUN'
/** … and this one tells it from the other servers of the check. */
export const ownMarkerName = 'MAKE_IT_FAST_SERVER'

const windows = process.platform === 'win32'

/**
 * Stops a server with everything that it started: asks first, then insists.
 *
 * @param {object} server
 * @param {number} server.pid
 * @param {string} server.marker `NAME=value`, this server's own
 * @param {() => boolean} server.hasExited
 * @param {number} [server.graceMs] how long it may take to end by itself
 * @returns {Promise<{ forced: boolean, strays: number }>} forced: it ignored the request to stop;
 *   strays: processes that it had left behind
 */
export async function stopTree ({ pid, marker, hasExited, graceMs = 400 }) {
  if (windows) return stopOnWindows(pid, hasExited)
  const descendants = await tree(pid)
  if (!hasExited()) signalGroup(pid, 'SIGTERM')
  await until(() => hasExited() && !descendants.some(isAlive), graceMs)
  const forced = !hasExited()
  const strays = new Set([...descendants, ...marked(marker)].filter((child) => child !== pid && isAlive(child)))
  signalGroup(pid, 'SIGKILL')
  for (let tries = 0; tries < 20; tries++) {
    const left = [...new Set([...descendants, ...marked(marker)])].filter(isAlive)
    if (left.length === 0) break
    for (const child of left) signal(child, 'SIGKILL')
    await sleep(10)
  }
  return { forced, strays: strays.size }
}

/**
 * The last resort, synchronous and without questions: used when we ourselves are about to end.
 *
 * @param {readonly number[]} pids
 * @param {string} marker
 */
export function stopEverything (pids, marker) {
  for (const pid of pids) {
    if (windows) execFile('taskkill', ['/PID', String(pid), '/T', '/F'], () => {})
    else signalGroup(pid, 'SIGKILL')
  }
  for (const pid of marked(marker)) signal(pid, 'SIGKILL')
}

/** Windows has no signals: taskkill ends the tree. Untested by us. @param {number} pid @param {() => boolean} hasExited */
async function stopOnWindows (pid, hasExited) {
  await new Promise((resolve) => execFile('taskkill', ['/PID', String(pid), '/T', '/F'], resolve))
  await until(hasExited, 2000)
  return { forced: false, strays: 0 }
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signalGroup (pid, name) {
  signal(-pid, name)
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal (pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone already.
  }
}

/** @param {() => boolean} condition @param {number} timeoutMs */
async function until (condition, timeoutMs) {
  const end = performance.now() + timeoutMs
  while (!condition() && performance.now() < end) await sleep(5)
}
