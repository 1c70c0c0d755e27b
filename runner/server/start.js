import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { capture, trimOutput } from './output.js'
import { answers, freePort } from './port.js'
import { dieWithParent, entryOf, findOurs, markerNames, markerOf, processTable, treeOf } from '../system/index.js'
import { cpuTime, isStopped, listening, residentBytes, watchConnections } from './processes.js'
import { stopTree } from './stop.js'

/**
 * @typedef {object} Server a running server
 * @property {'baseline' | 'yours'} role
 * @property {number} pid
 * @property {number} port on 127.0.0.1
 * @property {string} dir the folder in which it runs
 * @property {string} dataDir its DATA_DIR
 * @property {import('../upstream/index.js').Upstream | null} upstream what it talks to, where the lesson has one
 * @property {string} origin `http://127.0.0.1:PORT`
 * @property {import('../system/ours.js').Proof} proof what proves that a process is this server's
 * @property {() => boolean} hasExited
 * @property {Promise<void>} exited
 * @property {() => string | null} howItEnded a sentence, null while it runs
 * @property {() => Promise<number[] | null>} children the processes below it; null where the system does not tell
 * @property {() => string} output what it wrote, trimmed for a learner
 * @property {() => number} outputBytes how much it wrote
 * @property {() => Promise<{ cpuMs: number, waitMs: number } | null>} use CPU time so far, and time that it waited for a
 *   core, of its whole tree; null where the system does not tell
 * @property {() => Promise<number | null>} resident bytes in RAM of its whole tree; null where the system does not tell
 * @property {() => readonly number[]} members the processes of its tree when `use` was called last
 * @property {() => boolean} isStopped by a signal, right now; false where the system does not tell
 * @property {(port: number) => boolean} isConnectedTo does its tree hold a connection to that port of this machine? False where
 *   the system does not tell
 * @property {() => string | null} inspector URL of its inspector; null where it was started without one
 * @property {() => Promise<{ forced: boolean, strays: number }>} stop ends its whole tree
 *
 * @typedef {{ server: Server, failure: null } | { server: null, failure: string, output: string }} Started
 */

/**
 * @typedef {object} Through a program for Node.js that starts `node server.js` itself
 * @property {string[]} args for node: its file and what it is to do
 * @property {string} cwd where it runs
 * @property {Record<string, string>} [env] further variables of its environment
 */

const readyMs = 10_000
// A learner's own server may be debugged as they like.
const baselineArgs = ['--import', new URL('no-debugger.js', import.meta.url).href]
// Its address goes to stderr only, not to everybody who asks the port for it.
const inspectArgs = ['--inspect=127.0.0.1:0', '--inspect-publish-uid=stderr']
const discoverableArgs = ['--inspect=127.0.0.1:0']
const passedOn = ['PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']

/**
 * Starts `node server.js` in a folder and waits until its port answers.
 *
 * @param {object} options
 * @param {string} options.dir the folder with server.js
 * @param {string} options.shownDir what the learner calls that folder
 * @param {'baseline' | 'yours'} options.role
 * @param {string} options.dataDir DATA_DIR
 * @param {import('../upstream/index.js').Upstream | null} [options.upstream]
 * @param {string[]} [options.nodeArgs] flags for node
 * @param {Record<string, string>} [options.env] further variables of its environment
 * @param {boolean | 'discoverable'} [options.inspect] with V8's inspector, whose address nobody else learns; discoverable: Chrome
 *   DevTools may ask its port for it
 * @param {(server: { dir: string, nodeArgs: string[] }) => Through} [options.through] another program that starts the server
 * @param {string} options.runMarker of the whole check
 * @param {string} [options.ownMarker] of this server alone
 * @param {(one: import('../system/process-table.js').Entry) => void} [options.onNote] called for the server at once, before it is
 *   ready, and for what it has left in its process group when it ends; not where the system does not tell
 * @param {number} [options.readyTimeoutMs]
 * @param {AbortSignal} [options.signal]
 * @param {'pipe' | 'inherit'} [options.stdio]
 * @param {number} [options.port]
 * @returns {Promise<Started>} failure: one sentence that names the mend
 */
export async function startServer (options) {
  for (let attempt = 1; ; attempt++) {
    const started = await startOnce(options)
    // Somebody else took the port between our asking for it and the server's listening on it.
    if (started.failure !== null && /EADDRINUSE/.test(started.output) && options.port === undefined && attempt < 3) continue
    return started
  }
}

/** @param {Parameters<typeof startServer>[0]} options @returns {Promise<Started>} */
async function startOnce (options) {
  const { dir, shownDir, role, dataDir, upstream = null, nodeArgs = [], env = {}, inspect = false, through, runMarker, ownMarker = runMarker, onNote, readyTimeoutMs = readyMs, signal } = options
  const marker = markerOf('server', ownMarker)
  const port = options.port ?? await freePort()
  // Behind the last wait: what is started when the check is over, nobody would stop.
  signal?.throwIfAborted()
  const ownArgs = [...inspect === 'discoverable' ? discoverableArgs : inspect ? inspectArgs : [], ...role === 'baseline' ? baselineArgs : [], ...nodeArgs]
  /** @type {Through} */
  const { args, cwd, env: throughEnv } = through?.({ dir, nodeArgs: ownArgs }) ?? { args: [...ownArgs, 'server.js'], cwd: dir }
  const [command, allArgs] = dieWithParent(process.execPath, args)
  const child = spawn(command, allArgs, {
    cwd,
    env: { ...passedEnvironment(), ...env, ...throughEnv, ...(upstream ? { UPSTREAM_URL: upstream.url } : {}), PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'production', DATA_DIR: dataDir, [markerNames.run]: runMarker, [markerNames.server]: ownMarker },
    stdio: options.stdio === 'inherit' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true
  })
  // Nobody else can have its pid before we wait for the next time.
  const identity = entryOf(child.pid)
  /** @type {import('../system/process-table.js').Entry[]} */
  const noted = []
  const proof = { noted, markers: [marker] }
  const note = (/** @type {import('../system/process-table.js').Entry} */ one) => {
    noted.push(one)
    onNote?.(one)
  }
  if (identity) note(identity)
  /** @type {string | null} */
  let end = null
  const exited = new Promise((/** @type {(value: void) => void} */ resolve) => {
    child.once('error', (error) => {
      end ??= `could not be started: ${error.message}`
      resolve()
    })
    child.once('exit', (code, name) => {
      end ??= name ? `was ended by ${name}` : `ended with exit code ${code}`
      // With it goes the proof for those of its group that carry no marker.
      if (identity) findOurs({ noted: [], markers: [], leaders: [identity] }).forEach(note)
      resolve()
    })
  })
  const pid = child.pid ?? 0
  const stdout = child.stdout ? capture(child.stdout) : null
  const stderr = child.stderr ? capture(child.stderr) : null
  const output = () => trimOutput(`${stderr?.text() ?? ''}\n${stdout?.text() ?? ''}`, { dir, shownDir })
  const hasExited = () => end !== null
  /** @type {Promise<{ forced: boolean, strays: number }> | undefined} */
  let stopping
  /** @type {number[]} */
  let family = [pid]
  /** By port. @type {Map<number, ReturnType<typeof watchConnections>>} */
  const watches = new Map()

  /** @type {Server} */
  const server = {
    role,
    pid,
    port,
    dir,
    dataDir,
    upstream,
    origin: `http://127.0.0.1:${port}`,
    proof,
    hasExited,
    exited,
    howItEnded: () => end,
    children: async () => process.platform === 'win32' ? null : treeOf(processTable(), pid).filter((child) => child !== pid),
    output,
    outputBytes: () => (stdout?.bytes() ?? 0) + (stderr?.bytes() ?? 0),
    use: async () => {
      if (process.platform === 'linux') family = treeOf(processTable(), pid)
      return cpuTime(family)
    },
    resident: async () => process.platform === 'linux' ? residentBytes(treeOf(processTable(), pid)) : null,
    members: () => family,
    isStopped: () => family.some(isStopped),
    isConnectedTo: (other) => {
      if (!watches.has(other)) watches.set(other, watchConnections(other))
      return watches.get(other)?.(family) ?? false
    },
    inspector: () => inspect ? /^Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/[\w-]+)$/m.exec(stderr?.text() ?? '')?.[1] ?? null : null,
    stop: () => (stopping ??= stopTree({ child, proof }))
  }

  const failure = await waitUntilReady({ server, readyTimeoutMs, signal, })
  if (failure === null) return { server, failure }
  await server.stop()
  // The pipes may still hold the last lines.
  await sleep(20)
  return { server: null, failure: withCause(failure, output()), output: `${output()}${/EADDRINUSE/.test(stderr?.text() ?? '') ? '\nEADDRINUSE' : ''}` }
}

/**
 * @param {{ server: Server, readyTimeoutMs: number, signal?: AbortSignal }} given
 * @returns {Promise<string | null>} null when it is ready, else what is wrong
 */
async function waitUntilReady ({ server, readyTimeoutMs, signal }) {
  const deadline = performance.now() + readyTimeoutMs
  while (performance.now() < deadline) {
    if (signal?.aborted) {
      await server.stop()
      signal.throwIfAborted()
    }
    if (server.hasExited()) return `server.js ${server.howItEnded()} before it listened on process.env.PORT`
    if (await answers('127.0.0.1', server.port)) return await whoseIsIt(server)
    await sleep(10)
  }
  return await whyNotReady(server, readyTimeoutMs)
}

/** A port that answers proves something only if the server itself, or a child of it, listens there. @param {Server} server */
async function whoseIsIt (server) {
  // Right after listen() the system's table may lag behind, and a server may be ending: ask more than once.
  for (let tries = 0; tries < 3; tries++) {
    if (server.hasExited()) return `server.js ${server.howItEnded()}, and something else answers on its port: server.js has to keep running and to answer by itself`
    const own = listening(membersOf(server))
    if (own === null || own.some(({ port }) => port === server.port)) return null
    await sleep(30)
  }
  return 'another program answers on the port that was meant for server.js'
}

/** @param {Server} server @param {number} waitedMs */
async function whyNotReady (server, waitedMs) {
  const waited = `within ${Math.round(waitedMs / 1000)} s`
  const own = listening(membersOf(server))
  const right = own?.find(({ port }) => port === server.port)
  if (right || await answers('::1', server.port)) {
    return `server.js listens on ${right?.host ?? '::1'} only and does not answer on 127.0.0.1: give listen() process.env.HOST as the host`
  }
  const other = own?.[0]?.port ?? await usualPort()
  if (other) return `server.js listens on port ${other}, not on process.env.PORT: give listen() process.env.PORT`
  return `server.js did not listen on process.env.PORT ${waited}: does it call listen(process.env.PORT), and does it get there?`
}

/** Also those that are no longer below it. @param {Server} server */
function membersOf ({ proof }) {
  return findOurs(proof).map(({ pid }) => pid)
}

/** Where the system does not tell who listens where, the ports of the tutorials are worth a look. */
async function usualPort () {
  if (process.platform === 'linux') return undefined
  for (const port of [3000, 8080, 8000, 5000]) if (await answers('127.0.0.1', port)) return port
}

/** @param {string} failure @param {string} output */
function withCause (failure, output) {
  const cause = output.split('\n').find((line) => /^(\w*Error|Error)\b.*[:[]/.test(line.trim()))
  const place = /([^\s()]+\.[cm]?js:\d+)/.exec(output)?.[1]
  if (!cause) return `${failure}.`
  return `${failure}: ${cause.trim()}${place ? ` (${place})` : ''}.`
}

/** What a server may see of our environment: enough to run, no secrets, no NODE_OPTIONS. */
export function passedEnvironment () {
  const wanted = new Set(passedOn)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.has(name.toUpperCase())))
}
