import { post } from './session.js'

/** @param {{ intervalUs: number }} params time between two samples, µs */
export async function startCpu ({ intervalUs }) {
  await post('Profiler.enable')
  await post('Profiler.setSamplingInterval', { interval: intervalUs })
  await post('Profiler.start')
}

/** @returns {Promise<any>} V8's CPU profile */
export async function stopCpu () {
  const { profile } = await post('Profiler.stop')
  return profile
}

/** Counts calls from now on. It makes functions slower: never beside a CPU profile. */
export async function startCoverage () {
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}

/**
 * @param {{ under: string }} params URL of a folder: functions of files in it, packages left out
 * @returns {Promise<{ url: string, functions: { name: string, start: number, calls: number }[] }[]>} start: offset in the file
 */
export async function stopCoverage ({ under }) {
  const { result } = await post('Profiler.takePreciseCoverage')
  await post('Profiler.stopPreciseCoverage')
  return result
    .filter((/** @type {any} */ { url }) => url.startsWith(under) && !url.includes('/node_modules/'))
    .map((/** @type {any} */ { url, functions }) => ({
      url,
      functions: functions.map((/** @type {any} */ { functionName, ranges: [{ startOffset, count }] }) => ({ name: functionName, start: startOffset, calls: count }))
    }))
}
