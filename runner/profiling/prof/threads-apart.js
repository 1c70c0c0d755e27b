import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before a server that runs with --prof: V8 names a log after its isolate's address, which doesn't say whose
 * it is. The main thread's log is already open, so this is for the threads that it starts.
 */
const flag = process.execArgv.find((flag) => flag.startsWith('--logfile='))
if (isMainThread && flag !== undefined) {
  const folder = path.dirname(flag.slice('--logfile='.length))
  setFlagsFromString(`--logfile=${path.join(folder, 'thread.log')}`)
}
