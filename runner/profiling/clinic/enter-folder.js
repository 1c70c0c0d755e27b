import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { homeName } from './home-name.js'

/**
 * Loaded before a server that clinic starts. clinic itself runs in a temporary folder; the server goes where it would
 * run without. Threads and processes that it starts would write into the very files of its main thread, which then
 * cannot be read: theirs go elsewhere.
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
  // What clinic asks for in it has been read for this process.
  delete process.env.NODE_OPTIONS
}
