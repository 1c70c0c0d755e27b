import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createPendingRequests } from '../pending-requests.js'
import { dieWithParent } from './die-with-parent.js'
import { entryOf } from './proc.js'
import { markerNames, signalChild } from './signals.js'

/**
 * A helper: a process of ours next to the run. It takes orders over IPC and answers each.
 *
 * @import { ChildProcess, ForkOptions } from 'node:child_process'
 * @import { Upstream } from './faults.js'
 * @import { Entry } from './proc.js'
 *
 * @typedef {object} Helper
 * @property {ChildProcess} child
 * @property {Entry | null} entry as it was when it was spawned; null where the system does
 *   not tell
 * @property {(type: string, order: any, timeoutMs?: number) => Promise<any>} ask rejects when the order fails, the
 *   helper ends, the check is stopped, or no answer comes within timeoutMs, by default a minute
 * @property {(type: string, order: any) => void} tell an order whose answer isn't waited for
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
 * @property {typeof dieWithParent} [through] starts it in a sandbox, which ends it with its parent
 * @property {boolean} [outlives] it has something to do when we are gone: in a separate session, which no signal
 *   to our terminal or our process group reaches
 * @property {AbortSignal} [signal]
 *
 * @typedef {Omit<HelperOptions, 'guard' | 'signal'>} OwnHelper
 *
 * One more process of a session, with its first order.
 * @typedef {(options: OwnHelper, type: string, order: any) => Promise<Helper>} StartHelper
 */

/** No order takes so much longer than its own time. A helper that was stopped (SIGSTOP) would never answer. */
export const patienceMs = 60_000

/** @param {HelperOptions} options @returns {Helper} */
export function spawnHelper (options) {
  const { name, guard, signal } = options
  const child = forkHelper(options)
  const entry = entryOf(child.pid)
  if (entry) guard?.note(entry)
  const ended = `${name} ended before its work was done.`
  const { ask, answer, fail, failAll } = createPendingRequests()
  const exited = new Promise((/** @type {(value: void) => void} */ resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => { if (child.pid === undefined) resolve() })
  })
  const onAbort = () => failAll(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  child.on('message', (/** @type {any} */ message) => {
    // A helper that runs a learner's code can send anything.
    const { id, value, error } = message ?? {}
    if (error) fail(id, new Error(`${name} failed: ${error}`))
    else answer(id, value)
  })
  child.on('exit', () => {
    signal?.removeEventListener('abort', onAbort)
    failAll(new Error(ended))
  })
  child.on('error', (error) => failAll(new Error(`${name} could not be started: ${error.message}`)))

  return {
    child,
    entry,
    ask: async (type, order, timeoutMs = patienceMs) => {
      signal?.throwIfAborted()
      // Without a process there is not even a channel.
      if (child.pid === undefined) throw new Error(`${name} could not be started.`)
      // A helper that has ended: the channel has its own message for that.
      return ask((id) =>
        child.send({ id, type, order }, (cause) => {
          if (cause) fail(id, new Error(ended, { cause }))
        }),
      { timeoutMs, late: `${name} did not answer within ${timeoutMs / 1000} s: something keeps it from running.` })
    },
    tell: (type, order) => {
      if (child.connected) child.send({ id: 0, type, order }, () => {})
    },
    close: async () => {
      signalChild(child, 'SIGKILL')
      await exited
    }
  }
}

/** @param {HelperOptions} options */
function forkHelper ({ file, guard, args = [], env = process.env, execArgv = [], through = dieWithParent, outlives }) {
  // A signal would open our process's inspector to any user of this machine; Node 20 can't forbid it.
  const noDebugger = process.allowedNodeEnvironmentFlags.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []
  const flags = [...noDebugger, ...execArgv]
  const [execPath, allFlags] = outlives ? [process.execPath, flags] : through(process.execPath, flags)
  /** @type {ForkOptions & { windowsHide: boolean }} */
  const options = {
    env: guard === undefined ? env : { ...env, [markerNames.helper]: guard.runMarker },
    serialization: 'advanced',
    execPath,
    execArgv: allFlags,
    detached: outlives,
    windowsHide: true,
    // A reader of our stderr would wait for the end of what outlives us.
    stdio: ['ignore', 'ignore', outlives ? 'ignore' : 'inherit', 'ipc']
  }
  return fork(file, args, options)
}

/**
 * The service behind the servers, owned by the grader: a separate process, one port for each server, so that it knows
 * who called it, when and for what.
 *
 * @typedef {object} UpstreamProcess
 * @property {() => Promise<Upstream>} open one more port
 */

/**
 * @param {StartHelper} startHelper
 * @param {{ module: string, data: any, seed: string }} order module: URL of a lesson with `upstream`
 * @returns {Promise<UpstreamProcess>} its end is the session's
 */
export async function startUpstream (startHelper, order) {
  const file = fileURLToPath(new URL('upstream-process.js', import.meta.url))
  const { ask } = await startHelper({ file, name: 'The upstream' }, 'load', order)
  return {
    open: async () => {
      const port = await ask('open', {})
      return {
        url: `http://127.0.0.1:${port}`,
        calls: () => ask('calls', { port }),
        count: () => ask('count', { port }),
        reset: (faults = []) => ask('reset', { port, faults })
      }
    }
  }
}
