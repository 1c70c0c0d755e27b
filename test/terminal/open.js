import { spawn } from 'node:child_process'
import { once } from 'node:events'
import readline from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  dieWithParent, entryOf, findOurs, markerNames, markerOf, newRunMarker, signalChild, signalOurs
} from '../../runner/process/index.js'
import { withoutNpm } from '../cli/run.js'
import { keys } from './keys.js'
import { createScreen } from './screen.js'

/**
 * @import { Readable, Writable } from 'node:stream'
 *
 * @typedef {object} TerminalOptions
 * @property {string} command
 * @property {string[]} [args]
 * @property {number} [columns] default 80
 * @property {number} [rows] default 24
 * @property {NodeJS.ProcessEnv} [env] besides ours, which lacks what npm, the test runner and our terminal set in it
 * @property {string} [cwd]
 * @property {number} [graceMs] how long a program may clean up after its window was closed
 *
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit code: as a shell says it, 128 and the number
 *   of the signal for a program that died of one; signal: set only where the pseudo terminal itself was ended
 */

/** A busy machine is slow; what has not come then does not come. */
const patienceMs = 180_000

/**
 * Runs a program in a pseudo terminal, as a person would, through script(1) of util-linux. Whatever it has started is
 * ended after the test.
 *
 * @param {{ after: (act: () => Promise<void>) => void }} t of node:test
 * @param {TerminalOptions} options
 */
export async function openTerminal (t, options) {
  const { command, args = [], columns = 80, rows = 24, env, cwd, graceMs = 8000 } = options
  const marker = newRunMarker()
  const program = [command, ...args].map(quoted).join(' ')
  const child = startScript(`stty cols ${columns} rows ${rows}; exec ${program}`, {
    cwd, env: { ...env, [markerNames.helper]: marker }
  })
  const proof = { noted: [entryOf(child.pid) ?? []].flat(), markers: [markerOf('helper', marker)] }
  const [input, output, errors, third] = /** @type {[Writable, ...Readable[]]} */ (child.stdio)
  const type = (/** @type {string} */ text) => { input.write(text) }
  const screen = createScreen({ columns, rows, answer: type })
  // Whoever has ended reads no more keys.
  input.on('error', () => {})
  let drawn = Promise.resolve()
  for (const stream of [output, errors]) stream.on('data', (bytes) => { drawn = screen.write(bytes) })

  /** @type {Exit | null} */
  let ended = null
  const exit = once(child, 'close').then(async ([code, signal]) => {
    await drawn
    ended = { code, signal }
    await screen.write('')
    return ended
  })
  // An end that isn't awaited isn't reported.
  exit.catch(() => {})
  /** Closes the window, as a person would: the kernel hangs up (SIGHUP). What stays nevertheless is killed. */
  const close = async () => {
    signalChild(child, 'SIGKILL')
    await untilGone(proof, graceMs)
    for (const stream of [input, output, errors, third]) stream.destroy()
  }
  t.after(close)
  const tty = await Promise.race([once(readline.createInterface(third), 'line'), exit])
  if (!Array.isArray(tty)) {
    throw new Error(`No terminal was made (exit code ${tty.code}): ${screen.screen().join('\n')}`)
  }
  return {
    /** @param {string} text as it is typed */
    type,
    /** @param {keyof typeof keys} name */
    key: (name) => type(keys[name]),
    screen: screen.screen,
    lines: screen.lines,
    wrapped: screen.wrapped,
    picture: screen.picture,
    onDraw: screen.onDraw,
    exit,
    close,

    /** @param {Parameters<typeof comes>[1]} what @param {{ timeoutMs?: number }} [options] */
    waitFor: (what, options) => comes(screen, what, { ...options, exit: () => ended })
  }
}

/**
 * Waits until the screen shows something.
 *
 * @param {ReturnType<typeof createScreen>} screen
 * @param {RegExp | ((screen: string[]) => boolean)} what a pattern is tried on all rows, joined by line breaks
 * @param {{ timeoutMs?: number, exit?: () => Exit | null }} [given] exit: null as long as the program runs
 * @returns {Promise<string[]>} the screen
 * @throws the program has ended, or the time is over, and it is not there: says what is
 */
export function comes (screen, what, { timeoutMs = patienceMs, exit = () => null } = {}) {
  return new Promise((resolve, reject) => {
    const isThere = () => what instanceof RegExp ? what.test(screen.screen().join('\n')) : what(screen.screen())
    const end = (/** @type {() => void} */ settle) => {
      clearTimeout(timer)
      stopWatching()
      settle()
    }
    const look = () => {
      const ended = exit()
      if (isThere()) end(() => resolve(screen.screen()))
      else if (ended) end(() => reject(missing(`it ended with ${ended.signal ?? ended.code}`)))
    }
    const missing = (/** @type {string} */ why) => new Error(`${what} did not come: ${why}. The screen:\n${
      framed(screen.screen())}`)
    const stopWatching = screen.onDraw(look)
    const timer = setTimeout(() => end(() => reject(missing(`${timeoutMs} ms are over`))), timeoutMs)
    look()
  })
}

/** @param {string} shell what it runs @param {{ cwd?: string, env: NodeJS.ProcessEnv }} where */
function startScript (shell, { cwd, env }) {
  // script(1) passes its other files on: the third one tells which terminal it has made.
  return spawn(...dieWithParent('script', ['-qefc', `tty >&3; exec 3>&-; ${shell}`, '/dev/null']), {
    cwd,
    env: { ...environment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe']
  })
}

/** @param {Parameters<typeof findOurs>[0]} proof @param {number} graceMs */
async function untilGone (proof, graceMs) {
  const startedAt = performance.now()
  while (findOurs(proof).length > 0) {
    if (performance.now() - startedAt > graceMs) signalOurs(proof, 'SIGKILL')
    await sleep(20)
  }
}

/** For a shell. @param {string} text */
function quoted (text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** What says how our own terminal looks must not say it of this one. @returns {NodeJS.ProcessEnv} */
function environment () {
  const { COLUMNS, LINES, NO_COLOR, FORCE_COLOR, NODE_DISABLE_COLORS, ...kept } = withoutNpm({ ...process.env })
  return { ...kept, SHELL: '/bin/sh', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' }
}

/** @param {string[]} screen */
function framed (screen) {
  return screen.map((line) => `  │${line}`).join('\n')
}
