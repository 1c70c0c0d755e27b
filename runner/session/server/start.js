import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { PortTaken } from '../../errors.js'
import { dieWithParent, entryOf, markerNames, markerOf } from '../../system/index.js'
import { passedEnvironment } from './environment.js'
import { createHandle } from './handle.js'
import { freePort } from './port.js'
import { taken, waitUntilReady } from './ready.js'

/**
 * @import { Entry } from '../../system/index.js'
 * @import { Upstream } from '../upstream/types.js'
 * @import { Role, Server } from './handle.js'
 *
 * @typedef {{ server: Server, failure: null } | { server: null, failure: string, output: string }} Started
 *
 * @typedef {object} ServerOptions
 * @property {string} dir the folder with server.js
 * @property {string} shownDir what the learner calls that folder
 * @property {string} [called] what sentences call the program: default `server.js`
 * @property {Role} role
 * @property {string} dataDir DATA_DIR
 * @property {number} [patience] how many times the usual time it may take to start and to answer: default 1
 * @property {Upstream | null} [upstream]
 * @property {string[]} [nodeArgs] flags for node
 * @property {Record<string, string>} [env] further variables of its environment
 * @property {boolean | 'discoverable'} [inspect] with V8's inspector, whose address we alone learn; discoverable:
 *   Chrome DevTools may ask its port for it
 * @property {(server: { dir: string, nodeArgs: string[] }) => Through} [through] how it is started
 * @property {Launch} [launch] wraps the command, so that a sandbox starts the server
 * @property {string} runMarker of the whole run
 * @property {string} [ownMarker] of this server alone
 * @property {(one: Entry) => void} [onNote] called for the server at once, before it is ready, and for what it has left
 *   in its process group when it ends; not where the system does not tell
 * @property {number} [readyTimeoutMs]
 * @property {(server: Server) => void} [onSpawn] gets it before it listens
 * @property {AbortSignal} [signal]
 * @property {'pipe' | 'inherit'} [stdio]
 * @property {number} [port]
 *
 * @typedef {object} Through another way than `node server.js`
 * @property {string[]} args for node: a file and what it is to do
 * @property {string} [shell] instead: a line for the shell
 * @property {string} cwd where it runs
 * @property {Record<string, string>} [env] further variables of its environment
 *
 * @typedef {object} Command
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} env
 *
 * @typedef {object} Launch what starts a server in a sandbox
 * @property {(command: Command, server: { dir: string, dataDir: string, reads?: string[] }) => Command} wrap
 *   reads: what else it may read
 * @property {number} depth how many generations below the process that is spawned the server runs
 */

const readyMs = 10_000
const mostStarts = 3
// A learner's own server may be debugged as they like.
const baselineArgs = ['--import', new URL('no-debugger.js', import.meta.url).href]
// Its address goes to stderr only, and is not served on its port.
const inspectArgs = ['--inspect=127.0.0.1:0', '--inspect-publish-uid=stderr']
const discoverableArgs = ['--inspect=127.0.0.1:0']

/**
 * Starts `node server.js` in a folder and waits until its port answers.
 *
 * @param {ServerOptions} options
 * @returns {Promise<Started>} failure: one sentence that names the way out
 * @throws {PortTaken} another program took each port that we had found free
 */
export async function startServer (options) {
  for (let attempt = 1; ; attempt++) {
    const started = await startOnce(options)
    if (started.failure === null || options.port !== undefined) return started
    const isForeign = started.failure.startsWith(taken)
    // Another program took the port before the server could listen on it.
    if (!isForeign && !/EADDRINUSE/.test(started.output)) return started
    if (attempt < mostStarts) continue
    if (isForeign) throw new PortTaken()
    return started
  }
}

/** @param {ServerOptions} options @returns {Promise<Started>} */
async function startOnce (options) {
  const { dir, shownDir, called, role, dataDir, patience = 1, upstream = null, signal } = options
  const { readyTimeoutMs = patience * readyMs } = options
  const port = options.port ?? await freePort()
  // After the last wait: what is started when the run is over would never be stopped.
  signal?.throwIfAborted()
  const marker = markerOf('server', options.ownMarker ?? options.runMarker)
  const child = spawnServer(options, port)
  const server = createHandle({ role, port, dir, dataDir, patience, upstream }, {
    child,
    // No other process can have its pid before we wait again.
    identity: entryOf(child.pid),
    marker,
    onNote: options.onNote,
    inspected: Boolean(options.inspect),
    depth: options.launch?.depth ?? 0,
    shownDir
  })
  options.onSpawn?.(server)
  const failure = await waitUntilReady(server, { readyTimeoutMs, called, signal })
  if (failure === null) return { server, failure }
  await server.stop()
  // The pipes may still hold the last lines.
  await sleep(20)
  const output = server.output()
  const inUse = /EADDRINUSE/.test(server.errors()) ? '\nEADDRINUSE' : ''
  return { server: null, failure: withCause(failure, output), output: `${output}${inUse}` }
}

/** @param {ServerOptions} options @param {number} port */
function spawnServer (options, port) {
  const { dir, role, dataDir, nodeArgs = [], inspect, through, launch, stdio } = options
  const ownArgs = [
    ...inspect === 'discoverable' ? discoverableArgs : inspect ? inspectArgs : [],
    ...role === 'baseline' && !through ? baselineArgs : [],
    ...nodeArgs
  ]
  /** @type {Through} */
  const way = through?.({ dir, nodeArgs: ownArgs }) ?? { args: [...ownArgs, 'server.js'], cwd: dir }
  const isWindows = process.platform === 'win32'
  const [command, args] = way.shell === undefined
    ? dieWithParent(process.execPath, way.args)
    : isWindows ? [way.shell, []] : dieWithParent('/bin/sh', ['-c', way.shell])
  const given = { command, args, env: environmentFor(options, port, way.env) }
  const { command: first, args: all, env } = launch?.wrap(given, { dir: way.cwd, dataDir }) ?? given
  return spawn(first, all, {
    shell: isWindows && way.shell !== undefined,
    cwd: way.cwd,
    env,
    stdio: stdio === 'inherit' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true
  })
}

/** @param {ServerOptions} options @param {number} port @param {Record<string, string>} [more] */
function environmentFor ({ dataDir, env, upstream, runMarker, ownMarker = runMarker }, port, more) {
  return {
    ...passedEnvironment(),
    ...env,
    ...more,
    ...upstream ? { UPSTREAM_URL: upstream.url } : {},
    PORT: String(port),
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    [markerNames.run]: runMarker,
    [markerNames.server]: ownMarker
  }
}

/** @param {string} failure @param {string} output */
function withCause (failure, output) {
  const cause = output.split('\n').find((line) => /^(\w*Error|Error)\b.*[:[]/.test(line.trim()))
  const place = /([^\s()]+\.[cm]?js:\d+)/.exec(output)?.[1]
  if (!cause) return `${failure}.`
  return `${failure}: ${cause.trim()}${place ? ` (${place})` : ''}.`
}
