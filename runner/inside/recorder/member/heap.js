import { writeHeapSnapshot } from 'node:v8'
import { post } from './session.js'

/** @param {{ intervalBytes: number }} params mean distance between two samples, bytes allocated */
export async function startHeap ({ intervalBytes }) {
  await post('HeapProfiler.enable')
  await post('HeapProfiler.startSampling', { samplingInterval: intervalBytes })
}

/** @returns {Promise<any>} V8's sampling heap profile: what was allocated meanwhile and is still held */
export async function stopHeap () {
  const { profile } = await post('HeapProfiler.stopSampling')
  return profile
}

/** @param {{ file: string }} params @returns {string} the file; V8 collects the garbage first */
export function snapshot ({ file }) {
  return writeHeapSnapshot(file)
}
