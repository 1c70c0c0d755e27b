import { constants } from 'node:os'
import {
  cpuTime,
  findOurs,
  isStopped,
  processTable,
  residentBytes,
  treeOf,
  watchConnections,
  watchOurs
} from '../../system/index.js'
import { capture, trimOutput } from './output.js'
import { stopTree } from './stop.js'

/**
 * A running server, as the rest of the workshop sees it.
 *
 * @import { ChildProcess } from 'node:child_process'
 * @import { Entry, Proof } from '../../system/index.js'
 * @import { Upstream } from '../upstream/types.js'
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
