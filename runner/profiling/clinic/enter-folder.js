import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/** The variable that tells the server's process its own folder. */
export const homeName = 'MAKE_IT_FAST_CLINIC'

/**
 * Loaded before a server that clinic starts. clinic runs in a temporary folder; the server changes to where it would
 * run without it. Threads and processes that it starts would write into its main thread's files, which then
 * couldn't be read: theirs go elsewhere.
 */
const home = process.env[homeName]
if (isMainThread && home !== undefined) {
  const { dir, others } = JSON.parse(home)
  delete process.env[homeName]
  process.chdir(dir)
  for (const name of ['NODE_CLINIC_DOCTOR_DATA_PATH', 'NODE_CLINIC_BUBBLEPROF_DATA_PATH', 'HEAP_PROFILER_PATH']) {
    if (process.env[name] !== undefined) process.env[name] = others
  }
  if (process.execArgv.includes('--prof')) {
    setFlagsFromString(`--logfile=${path.join(others.replaceAll('%', '%%'), '%p-v8.log')}`)
  }
  // This process has already read clinic's options in it.
  delete process.env.NODE_OPTIONS
}
