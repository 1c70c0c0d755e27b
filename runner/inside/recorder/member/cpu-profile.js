import { performance } from 'node:perf_hooks'
import { afterMark } from './after-mark.js'
import { post } from './session.js'

let startedAt = 0
let markedAt = 0

/**
 * Begins a profile. Begin before the warm-up, and mark where it ends: V8 does not tell a profile that is begun later of
 * all code that was compiled before (loops that it has replaced while they ran), and charges their time to the caller.
 *
 * @param {{ intervalUs: number }} params time between two samples, µs
 */
export async function startCpu ({ intervalUs }) {
  await post('Profiler.enable')
  await post('Profiler.setSamplingInterval', { interval: intervalUs })
  await post('Profiler.start')
  startedAt = markedAt = performance.now()
}

/** What was before does not count. */
export function markCpu () {
  markedAt = performance.now()
}

/** @returns {Promise<any>} V8's CPU profile from the mark on */
export async function stopCpu () {
  const { profile } = await post('Profiler.stop')
  return afterMark(profile, (markedAt - startedAt) * 1000)
}

/** Counts calls from now on. It makes functions slower: never during a CPU profile. */
export async function startCoverage () {
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}

/**
 * @param {{ under: string }} params URL of a folder: functions of files in it, packages left out
 * @returns {Promise<{ url: string, functions: { name: string, start: number, calls: number }[] }[]>} start: offset in
 *   the file
 */
export async function stopCoverage ({ under }) {
  const { result } = await post('Profiler.takePreciseCoverage')
  await post('Profiler.stopPreciseCoverage')
  return result
    .filter((/** @type {any} */ { url }) => url.startsWith(under) && !url.includes('/node_modules/'))
    .map((/** @type {any} */ { url, functions }) => ({
      url,
      functions: functions.map((/** @type {any} */ { functionName, ranges: [{ startOffset, count }] }) => ({
        name: functionName,
        start: startOffset,
        calls: count
      }))
    }))
}
