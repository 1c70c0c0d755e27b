import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { PortTaken } from '../shared/errors.js'
import { cpuTime, fileBytes, isStopped, residentBytes } from './cpu.js'
import { dieWithParent } from './helper.js'
import { patienceNow } from './patience.js'
import { entryOf, processTable, treeOf } from './proc.js'
import { capture, trimOutput } from './server-output.js'
import { findOurs, markerNames, markerOf, watchOurs } from './signals.js'
import { answers, freePort, listening, listensOn, watchConnections } from './sockets.js'
import { stopTree } from './stop.js'

/**
 * A server, from its command line to a port that answers, and as the rest of the workshop sees it then.
 *
 * @import { ChildProcess } from 'node:child_process'
 * @import { Entry } from './proc.js'
 * @import { Proof } from './signals.js'
 * @import { Upstream } from './upstream.js'
 *
 * @typedef {'baseline' | 'yours'} Role
 *
 * @typedef {Omit<ReturnType<typeof createHandle>, 'errors'>} Server
 *
 * @typedef {{ server: Server, failure: null, isLate?: false, tookMs?: number }} Ready tookMs: until it answered
 * @typedef {Ready | { server: null, failure: string, isLate?: boolean, output: string }} Started isLate: it may only
 *   have needed more time
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
 * @property {Record<Role, string>} disks where the servers of each role have their DATA_DIRs: file systems of their own
 * @property {number} depth how many generations below the process that is spawned the server runs
 */

/** One that hasn't listened by then is started once more, and gets twice as long. */
const readyMs = 5000
const mostStarts = 3
// A learner's own server may be debugged as they like.
const baselineArgs = ['--import', new URL('slow-server.js', import.meta.url).href]
// The inspector's address goes to stderr only, and isn't served on its port.
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
  const { called, patience = 1, signal, readyTimeoutMs: fixedMs } = options
  const port = options.port ?? await freePort()
  // After the last wait: what is started when the run is over would never be stopped.
  signal?.throwIfAborted()
  const server = createHandle(spawnServer(options, port), options, port)
  options.onSpawn?.(server)
  const startedAt = performance.now()
  const allowedMs = async () => fixedMs ?? readyMs * await patienceNow(server)
  const failure = await waitUntilReady(server, { timeoutMs: fixedMs ?? readyMs * patience, allowedMs, called, signal })
  if (failure === null) return { server, failure, tookMs: performance.now() - startedAt }
  await server.stop()
  // The pipes may still hold the last lines.
  await sleep(20)
  const output = server.output()
  const inUse = /EADDRINUSE/.test(server.errors()) ? '\nEADDRINUSE' : ''
  const isLate = failure.includes(notYet)
  return { server: null, failure: withCause(failure, output), isLate, output: `${output}${inUse}` }
}

/** @param {ServerOptions} options @param {number} port */
function spawnServer (options, port) {
  const { dir, dataDir, nodeArgs = [], inspect, through, launch, stdio } = options
  const ownArgs = [
    ...inspect === 'discoverable' ? discoverableArgs : inspect ? inspectArgs : [],
    ...isWatched(options) ? baselineArgs : [],
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
    stdio: ['ignore', ...stdio === 'inherit' ? inherited : piped, ...isWatched(options) ? [piped[0]] : []],
    detached: !isWindows,
    windowsHide: true
  })
}

const inherited = /** @type {const} */ (['inherit', 'inherit'])
const piped = /** @type {const} */ (['pipe', 'pipe'])

/** @param {ServerOptions} options */
function isWatched ({ role, through }) {
  return role === 'baseline' && !through
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
  if (!cause) return failure.endsWith('?') ? failure : `${failure}.`
  return `${failure}: ${cause.trim()}${place ? ` (${place})` : ''}.`
}

/** Variables that a Node.js process may need to run at all, on any system. */
const passedOn = [
  'PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR',
  'COMSPEC', 'PATHEXT', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'
]

/** The part of our environment that a server may see: enough to run, no secrets, no NODE_OPTIONS. */
export function passedEnvironment () {
  const wanted = new Set(passedOn)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.has(name.toUpperCase())))
}

const inspectorLine = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/[\w-]+)$/m

/** @param {ChildProcess} child that has just been spawned @param {ServerOptions} options @param {number} port */
function createHandle (child, { role, dir, dataDir, shownDir, patience = 1, upstream = null, ...options }, port) {
  const depth = options.launch?.depth ?? 0
  const pid = child.pid ?? 0
  // No other process can have its pid before we wait again.
  const identity = entryOf(child.pid)
  const stdout = child.stdout ? capture(child.stdout) : null
  const stderr = child.stderr ? capture(child.stderr) : null
  const errors = () => stderr?.text() ?? ''
  /** @type {Entry[]} */
  const noted = []
  const proof = { noted, markers: [markerOf('server', options.ownMarker ?? options.runMarker)] }
  const note = (/** @type {Entry} */ one) => {
    noted.push(one)
    options.onNote?.(one)
  }
  if (identity) note(identity)
  const leader = leaderOf(pid, depth)
  const end = endOf(child, depth > 0, () => {
    // With it goes the proof for those of its group that carry no marker.
    if (identity) findOurs({ noted: [], markers: [], leaders: [identity] }).forEach(note)
  })
  /** @type {ReturnType<typeof stopTree> | undefined} */
  let stopping
  return {
    role,
    pid,
    port,
    /** The folder in which it runs. */
    dir,
    dataDir,
    /** How many times the usual time it may take to start and to answer. */
    patience,
    /** The service that it talks to, where the lesson has one. */
    upstream,
    origin: `http://127.0.0.1:${port}`,
    /** Does it share its network with nothing but the other servers, and us? */
    isApart: depth > 0,
    /** Connections that it has been seen to accept; null: it doesn't tell. */
    accepted: countOf(child),
    /** Proof that a process is this server's. @type {Proof} */
    proof,
    ...end,
    ...whatItDoes(pid, proof, () => depth > 0 ? [dataDir, `/proc/${leader()?.pid}/root/tmp`] : []),
    /** The processes below it; null where the system doesn't tell. @returns {Promise<number[] | null>} */
    children: async () => {
      if (process.platform === 'win32') return null
      const server = leader()?.pid ?? pid
      return treeOf(processTable(), server).filter((one) => one !== server)
    },
    /** Stderr, untrimmed. */
    errors,
    /** All that it wrote, trimmed for a learner. */
    output: () => trimOutput(`${errors()}\n${stdout?.text() ?? ''}`, { dir, shownDir }),
    outputBytes: () => (stdout?.bytes() ?? 0) + (stderr?.bytes() ?? 0),
    /** URL of its inspector; null where it was started without one. */
    inspector: () => options.inspect ? inspectorLine.exec(errors())?.[1] ?? null : null,
    /** Ends its whole tree. @param {{ graceMs?: number }} [options] how long it may take to end by itself */
    stop: (options) => (stopping ??= stopTree({ child, proof, leader: leader(), ...options }))
  }
}

/** @param {ChildProcess} child @returns {() => number | null} */
function countOf (child) {
  let bytes = 0
  const pipe = /** @type {import('node:stream').Readable | undefined} */ (child.stdio[3])
  pipe?.on('data', ({ length }) => { bytes += length }).on('error', () => {})
  return () => pipe ? bytes : null
}

/**
 * The server itself, below the sandbox that started it: the oldest child of the only child, in bubblewrap's case.
 *
 * @param {number} pid
 * @param {number} depth
 * @returns {() => Entry | null} null without a sandbox, and while it isn't there
 */
function leaderOf (pid, depth) {
  /** @type {Entry | null} */
  let found = null
  return () => {
    if (depth === 0 || found !== null) return found
    const table = processTable()
    let parent = pid
    for (let level = 0; level < depth; level++) {
      const [oldest] = table.filter((one) => one.parent === parent).sort((a, b) => a.start - b.start || a.pid - b.pid)
      if (oldest === undefined) return null
      parent = oldest.pid
      if (level === depth - 1) found = oldest
    }
    return found
  }
}

/**
 * @param {ChildProcess} child
 * @param {boolean} isWrapped its sandbox reports a signal as a shell does, as 128 and its number
 * @param {() => void} onExit
 */
function endOf (child, isWrapped, onExit) {
  /** @type {string | null} */
  let end = null
  const exited = new Promise((/** @type {(value: void) => void} */ resolve) => {
    child.once('error', (error) => {
      end ??= `could not be started: ${error.message}`
      resolve()
    })
    child.once('exit', (code, signal) => {
      const [behind] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? []
      const name = isWrapped ? behind ?? signal : signal
      end ??= name ? `was ended by ${name}` : `ended with exit code ${code}${codes[code ?? 0] ?? ''}`
      onExit()
      resolve()
    })
  })
  return {
    exited,
    hasExited: () => end !== null,
    /** A sentence; null while it runs. */
    howItEnded: () => end
  }
}

/** What Node.js means by them, where it doesn't say so. @type {Record<number, string>} */
const codes = { 13: ' (an `await` outside of functions never came to an end)' }

/**
 * Resources of its processes, seen from outside, also of those that have left its tree. Linux only: elsewhere null or
 * false.
 *
 * @param {number} pid @param {Proof} proof @param {() => string[]} disks folders of file systems of its own
 */
function whatItDoes (pid, proof, disks) {
  /** @type {number[]} */
  let family = [pid]
  const look = watchOurs(proof)
  const lookAgain = () => {
    if (process.platform === 'linux') family = [...new Set([pid, ...look().map((one) => one.pid)])]
    return family
  }
  /** By port. @type {Map<number, ReturnType<typeof watchConnections>>} */
  const watches = new Map()
  return {
    /** CPU time so far, and time that it waited for a core, of its whole tree. */
    use: async () => cpuTime(lookAgain()),
    /** Bytes of its whole tree in RAM, and in files that may be there, too. */
    footprint: async () => {
      const bytes = residentBytes(lookAgain())
      return bytes === null ? null : bytes + fileBytes(family, disks())
    },
    /** The processes of its tree when `use` was called last. @returns {readonly number[]} */
    members: () => family,
    /** By a signal, right now. */
    isStopped: () => family.some(isStopped),
    /** Does its tree hold a connection to that port of this machine? @param {number} port */
    isConnectedTo: (port) => {
      const watch = watches.get(port) ?? watchConnections(port)
      watches.set(port, watch)
      return watch(family)
    }
  }
}

/** A process that ends may need so long after it has closed its port, ms. */
const endingMs = 1000

/** A failure that isn't the server's fault. */
const taken = 'another program answers on the port that was meant for server.js'

/** A failure that more time might have spared it. */
const notYet = 'did not listen on process.env.PORT'

/** A server that listens only on another port after so long will hardly listen on the right one. */
const elsewhereMs = 2500

/**
 * Waits until a server answers on its port.
 *
 * @param {Server} server
 * @param {{ timeoutMs: number, allowedMs: () => Promise<number>, called?: string, signal?: AbortSignal }} options
 *   timeoutMs: after this long, allowedMs says how long it may take altogether; called: what sentences call it
 * @returns {Promise<string | null>} null when it is ready, else what is wrong
 */
async function waitUntilReady (server, { timeoutMs, allowedMs, called = 'server.js', signal }) {
  const startedAt = performance.now()
  let [limitMs, elsewhere] = [timeoutMs, startedAt + elsewhereMs]
  for (;;) {
    if (performance.now() - startedAt >= limitMs) {
      const allowed = await allowedMs()
      if (allowed <= limitMs) break
      limitMs = allowed
    }
    if (signal?.aborted) {
      await server.stop()
      signal.throwIfAborted()
    }
    if (server.hasExited()) return `${called} ${server.howItEnded()} before it listened on process.env.PORT`
    if (await answers('127.0.0.1', server.port)) return await whoseIsIt(server, called)
    if (performance.now() > elsewhere) {
      if (portsOf(server)?.some(({ port }) => port !== server.port)) break
      elsewhere += elsewhereMs
    }
    await sleep(10)
  }
  return await whyNotReady(server, called, limitMs)
}

/**
 * A port that answers proves something only if the server itself, or a child of it, listens there.
 *
 * @param {Server} server @param {string} called
 */
async function whoseIsIt (server, called) {
  const answersStill = () => answers('127.0.0.1', server.port)
  // Right after listen() the system's table may lag behind: ask more than once.
  for (let tries = 0; tries < 3 && !server.hasExited(); tries++) {
    if (listensOn(pidsOf(server), server.port) !== false) return null
    await sleep(30)
  }
  // What closes its port may be ending.
  if (!server.hasExited() && !await answersStill()) await Promise.race([server.exited, sleep(endingMs)])
  if (!server.hasExited()) return taken
  return await answersStill()
    ? `${called} ${server.howItEnded()}, and something else answers on its port: ` +
      'it has to keep running and to answer by itself'
    : `${called} ${server.howItEnded()} as soon as it listened on process.env.PORT`
}

/** @param {Server} server @param {string} called @param {number} waitedMs */
async function whyNotReady (server, called, waitedMs) {
  const late = `${called} ${notYet} within ${Math.round(waitedMs / 1000)} s: does it call listen(process.env.PORT), ` +
    'and does it get there?'
  const own = portsOf(server)
  // Since the last time it was asked, it has begun to.
  if (await answers('127.0.0.1', server.port)) return late
  const right = own?.find(({ port }) => port === server.port)
  if (right && anyone.includes(right.host)) return late
  if (right || await answers('::1', server.port)) {
    return `${called} listens on ${right?.host ?? '::1'} only and does not answer on 127.0.0.1: ` +
      'give listen() process.env.HOST as the host'
  }
  const other = own?.[0]?.port ?? await usualPort()
  if (other) return `${called} listens on port ${other}, not on process.env.PORT: give listen() process.env.PORT`
  return late
}

/** Hosts at which 127.0.0.1 is heard: by the next time that it's asked, it answers. */
const anyone = ['127.0.0.1', '0.0.0.0', '::']

/** But for the inspector's, which is open long before the server's. @param {Server} server */
function portsOf (server) {
  const inspector = server.inspector()
  const own = inspector === null ? null : Number(new URL(inspector).port)
  return listening(pidsOf(server))?.filter(({ port }) => port !== own) ?? null
}

/** Also those that are no longer below it. @param {Server} server */
function pidsOf ({ proof }) {
  return findOurs(proof).map(({ pid }) => pid)
}

/** Where the system doesn't say which process listens where, the ports of tutorials are worth a try. */
async function usualPort () {
  if (process.platform === 'linux') return undefined
  for (const port of [3000, 8080, 8000, 5000]) if (await answers('127.0.0.1', port)) return port
}
