import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { cpuTime, isStopped, residentBytes } from './cpu.js'
import { isThere, processTable, treeOf } from './proc.js'
import { endTreeOnWindows, findOurs, hasEnded, signalChild, signalOurs, watchOurs } from './signals.js'
import { watchConnections } from './sockets.js'

/**
 * A running server, as the rest of the workshop sees it.
 *
 * @import { ChildProcess } from 'node:child_process'
 * @import { Upstream } from './faults.js'
 * @import { Entry } from './proc.js'
 * @import { Proof } from './signals.js'
 *
 * @typedef {'baseline' | 'yours'} Role
 *
 * @typedef {object} Server
 * @property {Role} role
 * @property {number} pid
 * @property {number} port on 127.0.0.1
 * @property {string} dir the folder in which it runs
 * @property {string} dataDir its DATA_DIR
 * @property {number} patience how many times the usual time it may take to start and to answer
 * @property {Upstream | null} upstream what it talks to, where the lesson has one
 * @property {string} origin `http://127.0.0.1:PORT`
 * @property {Proof} proof what proves that a process is this server's
 * @property {() => boolean} hasExited
 * @property {Promise<void>} exited
 * @property {() => string | null} howItEnded a sentence, null while it runs
 * @property {() => Promise<number[] | null>} children the processes below it; null where the system does not tell
 * @property {() => string} output what it wrote, trimmed for a learner
 * @property {() => number} outputBytes how much it wrote
 * @property {() => Promise<{ cpuMs: number, waitMs: number } | null>} use CPU time so far, and time that it waited for
 *   a core, of its whole tree; null where the system does not tell
 * @property {() => Promise<number | null>} resident bytes in RAM of its whole tree; null where the system does not tell
 * @property {() => readonly number[]} members the processes of its tree when `use` was called last
 * @property {() => boolean} isStopped by a signal, right now; false where the system does not tell
 * @property {(port: number) => boolean} isConnectedTo does its tree hold a connection to that port of this machine?
 *   False where the system does not tell
 * @property {() => string | null} inspector URL of its inspector; null where it was started without one
 * @property {(options?: { graceMs?: number }) => Promise<{ forced: boolean, orphans: number }>} stop ends its whole
 *   tree; graceMs: how long it may take to end by itself
 *
 * @typedef {object} HandleOptions
 * @property {ChildProcess} child
 * @property {Entry | null} identity the child, as it was when it was spawned; null where the system does not tell
 * @property {string} marker of this server alone
 * @property {(one: Entry) => void} [onNote]
 * @property {boolean} inspected
 * @property {number} depth how many generations below the child the server runs: 0 without a sandbox
 * @property {string} shownDir
 */

const inspectorLine = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/[\w-]+)$/m

/**
 * @param {Pick<Server, 'role' | 'port' | 'dir' | 'dataDir' | 'patience' | 'upstream'>} known
 * @param {HandleOptions} options
 * @returns {Server & { errors: () => string }} errors: its stderr, untrimmed
 */
export function createHandle (known, { child, identity, marker, onNote, inspected, depth, shownDir }) {
  const { port, dir } = known
  const pid = child.pid ?? 0
  const stdout = child.stdout ? capture(child.stdout) : null
  const stderr = child.stderr ? capture(child.stderr) : null
  const errors = () => stderr?.text() ?? ''
  /** @type {Entry[]} */
  const noted = []
  const proof = { noted, markers: [marker] }
  const note = (/** @type {Entry} */ one) => {
    noted.push(one)
    onNote?.(one)
  }
  if (identity) note(identity)
  const leader = leaderOf(pid, depth)
  const end = endOf(child, depth > 0, () => {
    // With it goes the proof for those of its group that carry no marker.
    if (identity) findOurs({ noted: [], markers: [], leaders: [identity] }).forEach(note)
  })
  /** @type {ReturnType<Server['stop']> | undefined} */
  let stopping
  return {
    ...known,
    pid,
    origin: `http://127.0.0.1:${port}`,
    proof,
    ...end,
    ...whatItDoes(pid, proof),
    children: async () => {
      if (process.platform === 'win32') return null
      const server = leader()?.pid ?? pid
      return treeOf(processTable(), server).filter((one) => one !== server)
    },
    errors,
    output: () => trimOutput(`${errors()}\n${stdout?.text() ?? ''}`, { dir, shownDir }),
    outputBytes: () => (stdout?.bytes() ?? 0) + (stderr?.bytes() ?? 0),
    inspector: () => inspected ? inspectorLine.exec(errors())?.[1] ?? null : null,
    stop: (options) => (stopping ??= stopTree({ child, proof, leader: leader(), ...options }))
  }
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
 * @returns {Pick<Server, 'exited' | 'hasExited' | 'howItEnded'>}
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
      const name = isWrapped && code !== null ? signalBehind(code) ?? signal : signal
      end ??= name ? `was ended by ${name}` : `ended with exit code ${code}`
      onExit()
      resolve()
    })
  })
  return { exited, hasExited: () => end !== null, howItEnded: () => end }
}

/** @param {number} code */
function signalBehind (code) {
  return Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
}

/**
 * What its processes use and hold, from outside, also one that has left its tree. Linux only.
 *
 * @param {number} pid
 * @param {Proof} proof
 * @returns {Pick<Server, 'use' | 'resident' | 'members' | 'isStopped' | 'isConnectedTo'>}
 */
function whatItDoes (pid, proof) {
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
    use: async () => cpuTime(lookAgain()),
    resident: async () => residentBytes(lookAgain()),
    members: () => family,
    isStopped: () => family.some(isStopped),
    isConnectedTo: (port) => {
      if (!watches.has(port)) watches.set(port, watchConnections(port))
      return watches.get(port)?.(family) ?? false
    }
  }
}

const mostBytes = 64 * 1024
const mostLines = 12
/** Those that look for something in it take the square of its length. */
const longestLine = 2000
/** Lines that V8's inspector writes, which mean nothing to the learner. */
const ofInspector = new RegExp('^(Debugger (listening on ws:|attached|ending on ws:)|' +
  'For help, see: https://nodejs\\.org/|Waiting for the debugger to disconnect)')

/**
 * Keeps the first and the last part of what a stream says, and reads on for ever, so that a server that floods its
 * stdout neither blocks nor fills our memory.
 *
 * @param {import('node:stream').Readable} stream
 * @returns {{ text: () => string, bytes: () => number }}
 */
export function capture (stream) {
  /** @type {Buffer[]} */
  let head = []
  let headBytes = 0
  let tail = Buffer.alloc(0)
  let bytes = 0
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    bytes += chunk.length
    if (headBytes < mostBytes / 2) {
      head.push(chunk.subarray(0, mostBytes / 2 - headBytes))
      chunk = chunk.subarray(mostBytes / 2 - headBytes)
      headBytes = Math.min(bytes, mostBytes / 2)
    }
    if (chunk.length > 0) tail = Buffer.concat([tail, chunk.subarray(-mostBytes / 2)]).subarray(-mostBytes / 2)
  })
  stream.on('error', () => {})
  return {
    bytes: () => bytes,
    text: () => {
      head = [Buffer.concat(head)]
      const left = bytes - headBytes - tail.length
      const gap = left > 0 ? `\n… ${left} bytes left out …\n` : ''
      return head[0].toString() + gap + tail.toString()
    }
  }
}

/**
 * What a server wrote, as a learner should see it: its own lines, stack frames only of its own files, with paths
 * relative to its folder; at most twelve lines.
 *
 * @param {string} text
 * @param {{ dir: string, shownDir: string }} places dir: where it ran; shownDir: what to call it
 * @returns {string}
 */
export function trimOutput (text, { dir, shownDir }) {
  const own = stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map((line) => line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
    .filter((line) => line.trim() !== '')
    .filter((line) => !/^\s+at /.test(line) || (line.includes(dir) && !line.includes('node_modules')))
    .filter((line) => !/^Node\.js v\d/.test(line) && !/^node:internal/.test(line))
    .filter((line) => !ofInspector.test(line))
    .map((line) => line.replace(/file:\/\/\/?/g, (match) => (match.length === 8 ? '/' : '')).replaceAll(dir, shownDir))
  const left = own.length - mostLines
  return (left > 0 ? [...own.slice(0, mostLines - 1), `… ${left + 1} more lines`] : own).join('\n')
}

const windows = process.platform === 'win32'
/** So many looks one after the other have to find nothing, since something may be started during one. */
const quietLooks = 2
const mostLooks = 40

/**
 * Stops a child of ours with everything that it started: asks first, then insists.
 *
 * @param {object} given
 * @param {import('node:child_process').ChildProcess} given.child
 * @param {Proof} given.proof
 * @param {Entry | null} [given.leader] which of its processes is asked to stop, where that isn't the child
 * @param {number} [given.graceMs] how long it may take to end by itself
 * @returns {Promise<{ forced: boolean, orphans: number }>} forced: it ignored the request to stop;
 *   orphans: processes that it had left behind
 */
export async function stopTree ({ child, proof, leader = null, graceMs = 400 }) {
  if (windows) return stopOnWindows(child)
  const hasExited = () => hasEnded(child)
  // The look comes before the signals: its descendants can be found only while it lives.
  const family = signalOurs(
    proof,
    'SIGTERM',
    ({ pid, group }) => !hasExited() && (pid === (leader?.pid ?? child.pid) || group === (leader?.group ?? child.pid))
  )
  // Where the system's table tells nothing there is the handle.
  if (!family.some(({ pid }) => pid === child.pid)) signalChild(child, 'SIGTERM')
  const deadline = performance.now() + graceMs
  await until(() => hasExited() && !family.some(isThere), graceMs)
  const forced = !hasExited()
  // Processes that lost their parent meanwhile, and carry no marker, are known from the first look.
  const known = { ...proof, noted: [...proof.noted, ...family] }
  // A process that was just being started ends as soon as it notices that its parent is gone.
  if (!forced) await until(() => findOurs(known).length === 0, deadline - performance.now())
  signalChild(child, 'SIGKILL')
  const orphans = (await killAll(known)).filter(({ pid }) => pid !== child.pid).length
  await until(hasExited, 1000)
  return { forced, orphans }
}

/** @param {Proof} proof @returns {Promise<Entry[]>} what the first look found */
async function killAll (proof) {
  let { noted } = proof
  /** @type {Entry[] | undefined} */
  let first
  for (let looks = 0, quiet = 0; looks < mostLooks && quiet < quietLooks; looks++) {
    const found = signalOurs({ ...proof, noted }, 'SIGKILL')
    first ??= found
    noted = [...noted, ...found]
    quiet = found.length === 0 ? quiet + 1 : 0
    if (quiet === 0) await sleep(10)
  }
  return first ?? []
}

/**
 * Windows has no signals and no question: its tree is ended. Untested by us.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
async function stopOnWindows (child) {
  await endTreeOnWindows(child)
  await until(() => hasEnded(child), 2000)
  return { forced: false, orphans: 0 }
}

/** @param {() => boolean} condition @param {number} timeoutMs */
async function until (condition, timeoutMs) {
  const end = performance.now() + timeoutMs
  while (!condition() && performance.now() < end) await sleep(5)
}
