import { fork } from 'node:child_process'
import { dieWithParent, entryOf, markerNames, signalChild } from '../../system/index.js'

/**
 * A helper: a process of ours beside the run. It takes orders over IPC and answers each.
 *
 * @import { Entry } from '../../system/index.js'
 *
 * @typedef {object} Helper
 * @property {import('node:child_process').ChildProcess} child
 * @property {Entry | null} entry as it was when it was spawned; null where the system does
 *   not tell
 * @property {(type: string, order: any) => Promise<any>} ask rejects when the order fails, the helper ends or the check
 *   is stopped
 * @property {(type: string, order: any) => void} tell an order whose answer nobody waits for
 * @property {() => Promise<void>} close at once, whatever it is doing
 *
 * @typedef {object} HelperOptions
 * @property {string} file the module to run, which calls serveOrders
 * @property {string} name what to call it when it fails: `the load generator`
 * @property {{ runMarker: string, note: (one: Entry) => void }} [guard] of the run
 *   that it belongs to
 * @property {string[]} [args]
 * @property {NodeJS.ProcessEnv} [env] default: ours
 * @property {string[]} [execArgv] further options for its Node
 * @property {boolean} [outlives] it has something to do when we are gone: in a session of its own, which no signal
 *   to our terminal or our process group reaches
 * @property {AbortSignal} [signal]
 */

/** @param {HelperOptions} options @returns {Helper} */
export function spawnHelper ({
  file,
  name,
  guard,
  args = [],
  env = process.env,
  execArgv = [],
  outlives = false,
  signal
}) {
  // A signal would open the inspector of a process of ours to anybody on this machine; Node 20 cannot forbid it.
  const flags = [
    ...(process.allowedNodeEnvironmentFlags.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []),
    ...execArgv
  ]
  const [execPath, allFlags] = outlives ? [process.execPath, flags] : dieWithParent(process.execPath, flags)
  /** @type {import('node:child_process').ForkOptions & { windowsHide: boolean }} */
  const options = {
    env: guard === undefined ? env : { ...env, [markerNames.helper]: guard.runMarker },
    serialization: 'advanced',
    execPath,
    execArgv: allFlags,
    detached: outlives,
    windowsHide: true,
    // Whoever reads our stderr would wait for the end of what outlives us.
    stdio: ['ignore', 'ignore', outlives ? 'ignore' : 'inherit', 'ipc']
  }
  const child = fork(file, args, options)
  const entry = entryOf(child.pid)
  if (entry) guard?.note(entry)
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let last = 0
  const exited = new Promise((/** @type {(value: void) => void} */ resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => {
      if (child.pid === undefined) resolve()
    })
  })
  const rejectAll = (/** @type {Error} */ error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const onAbort = () => rejectAll(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  child.on('message', (/** @type {any} */ message) => {
    // A helper that runs a learner's code can send anything.
    const { id, value, error } = message ?? {}
    const asker = waiting.get(id)
    waiting.delete(id)
    if (error) asker?.reject(new Error(`${name} failed: ${error}`))
    else asker?.resolve(value)
  })
  child.on('exit', () => {
    signal?.removeEventListener('abort', onAbort)
    rejectAll(new Error(`${name} ended before its work was done.`))
  })
  child.on('error', (error) => rejectAll(new Error(`${name} could not be started: ${error.message}`)))

  return {
    child,
    entry,
    ask: (type, order) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        // Without a process there is not even a channel.
        if (child.pid === undefined) return reject(new Error(`${name} could not be started.`))
        const id = ++last
        waiting.set(id, { resolve, reject })
        // It has ended: the channel says so in words of its own.
        child.send({ id, type, order }, (error) => {
          if (error) reject(new Error(`${name} ended before its work was done.`, { cause: error }))
        })
      }),
    tell: (type, order) => {
      if (child.connected) child.send({ id: 0, type, order }, () => {})
    },
    close: async () => {
      signalChild(child, 'SIGKILL')
      await exited
    }
  }
}
