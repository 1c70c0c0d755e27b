import { fork, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PortTaken } from '../shared/errors.js'
import { createPendingRequests } from '../shared/pending-requests.js'
import { entryOf } from './proc.js'
import { markerNames, newRunMarker, signalChild } from './signals.js'

/**
 * A helper: a process of ours next to the run. It takes orders over IPC and answers each.
 *
 * @import { ForkOptions } from 'node:child_process'
 * @import { Entry } from './proc.js'
 * @import { TemporaryFolder } from './temporary.js'
 * @import { Upstream } from './upstream.js'
 *
 * @typedef {object} HelperOptions
 * @property {string} file the module to run, which calls serveOrders
 * @property {string} name what to call it when it fails: `the load generator`
 * @property {{ runMarker: string, note: (one: Entry) => void }} [guard] of the run that it belongs to
 * @property {string[]} [args]
 * @property {NodeJS.ProcessEnv} [env] default: ours
 * @property {string[]} [execArgv] further options for its Node
 * @property {typeof dieWithParent} [through] starts it in a sandbox, which ends it with its parent
 * @property {boolean} [outlives] it has something to do when we are gone: in a separate session, which no signal
 *   to our terminal or our process group reaches
 * @property {boolean} [isMuted] what it writes to stderr is lost: foreign code could drive our terminal
 * @property {AbortSignal} [signal]
 *
 * One more process of a session, with its first order.
 * @typedef {(options: Omit<HelperOptions, 'guard' | 'signal'>, type: string, order: any) =>
 *   Promise<ReturnType<typeof spawnHelper>>} StartHelper
 */

/** No order takes so much longer than its own time. A helper that was stopped (SIGSTOP) would never answer. */
export const patienceMs = 60_000

/** @param {HelperOptions} options */
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
    /** As it was when it was spawned; null where the system doesn't tell. */
    entry,
    /**
     * Rejects when the order fails, the helper ends, the check is stopped, or no answer comes in time.
     *
     * @param {string} type @param {any} order
     */
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
    /** An order whose answer isn't waited for. @param {string} type @param {any} order */
    tell: (type, order) => {
      if (child.connected) child.send({ id: 0, type, order }, () => {})
    },
    /** At once, whatever it's doing. */
    close: async () => {
      signalChild(child, 'SIGKILL')
      await exited
    }
  }
}

/** @param {HelperOptions} options */
function forkHelper (options) {
  const { file, guard, args = [], env = process.env, execArgv = [], through = dieWithParent } = options
  const { outlives, isMuted } = options
  // A signal would open our process's inspector to any user of this machine; Node 20 can't forbid it.
  const noDebugger = process.allowedNodeEnvironmentFlags.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []
  const flags = [...noDebugger, ...execArgv]
  const [execPath, allFlags] = outlives ? [process.execPath, flags] : through(process.execPath, flags)
  /** @type {ForkOptions & { windowsHide: boolean }} */
  const given = {
    env: guard === undefined ? env : { ...env, [markerNames.helper]: guard.runMarker },
    serialization: 'advanced',
    execPath,
    execArgv: allFlags,
    detached: outlives,
    windowsHide: true,
    // A reader of our stderr would wait for the end of what outlives us.
    stdio: ['ignore', 'ignore', outlives || isMuted ? 'ignore' : 'inherit', 'ipc']
  }
  return fork(file, args, given)
}

const endFlags = ['--pdeathsig', 'KILL']

/** @type {boolean | undefined} */
let hasSetpriv

/**
 * A command that the kernel ends together with its parent, however that ends: setpriv(1) of util-linux sets
 * PR_SET_PDEATHSIG (prctl(2)) and then becomes the command, under the same pid. For the kernel the parent is a thread,
 * so it has to live as long as the run. Without setpriv the command is unchanged: the guard is the first safeguard.
 *
 * @param {string} command @param {readonly string[]} args @returns {[command: string, args: string[]]}
 */
export function dieWithParent (command, args) {
  hasSetpriv ??=
    process.platform === 'linux' && spawnSync('setpriv', [...endFlags, 'true'], { stdio: 'ignore' }).status === 0
  return hasSetpriv ? ['setpriv', [...endFlags, command, ...args]] : [command, [...args]]
}

/**
 * The guard of a run: a process that does nothing but wait for the run's end. Should the run be killed, it stops
 * everything that the run has started and removes its temporary folder. It knows both from its start.
 *
 * @typedef {ReturnType<typeof startGuard>} Guard
 *
 * @param {Pick<TemporaryFolder, 'dir' | 'identity'>} folder
 */
export function startGuard (folder) {
  const runMarker = newRunMarker()
  const file = fileURLToPath(new URL('guard-process.js', import.meta.url))
  const args = [runMarker, folder.dir, folder.identity]
  const { tell, close } = spawnHelper({ file, args, name: 'The guard', outlives: true })
  return {
    /** Carried by everything that this run starts. */
    runMarker,
    /** One more process, for systems on which a marker can't be read, and for what carries none. @param {Entry} one */
    note: (one) => tell('note', one),
    /** @param {number} pid */
    forget: (pid) => tell('forget', { pid }),
    /** The run is over and has cleaned up itself. */
    close
  }
}

/**
 * Starts the service behind the servers.
 *
 * @param {StartHelper} startHelper
 * @param {{ module: string, data: any, seed: string }} order module: URL of a lesson with `upstream`
 * @returns {(order: { isSwift?: boolean }) => Promise<Upstream>} opens one more port; isSwift: what the lesson
 *   would wait for isn't waited for; the process ends with the session
 */
export function startUpstream (startHelper, order) {
  const file = fileURLToPath(new URL('upstream-process.js', import.meta.url))
  const starting = startHelper({ file, name: 'The upstream' }, 'load', order)
  // Only the first server waits for it, and is told of its failure.
  starting.catch(() => {})
  return async (order) => {
    const { ask } = await starting
    const port = await ask('open', order).catch((error) => {
      throw error.message.includes('EADDRINUSE') ? new PortTaken() : error
    })
    return {
      url: `http://127.0.0.1:${port}`,
      calls: () => ask('calls', { port }),
      count: () => ask('count', { port }),
      reset: (faults = []) => ask('reset', { port, faults })
    }
  }
}
