import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'

/** Reads /proc, where everything can vanish at any moment: null or an empty list then. */

/** @template T, I @param {() => T} read @param {I} instead */
export function attempt (read, instead) {
  try {
    return read()
  } catch {
    return instead
  }
}

/** @param {string} file */
export const readText = (file) => attempt(() => fs.readFileSync(file, 'latin1'), null)
/** No process's line in /proc is as long. */
const page = Buffer.alloc(4096)
/** With half of the calls that reading a whole file takes: a table has hundreds of them. @param {string} file */
const readPage = (file) => attempt(() => {
  const fd = fs.openSync(file, 'r')
  try {
    return page.toString('latin1', 0, fs.readSync(fd, page, 0, page.length, null))
  } finally {
    fs.closeSync(fd)
  }
}, null)
/** @param {string} file */
export const readLink = (file) => attempt(() => fs.readlinkSync(file), null)
/** @param {string} folder @returns {string[]} */
export const listNames = (folder) => attempt(() => fs.readdirSync(folder), [])

/** Fewer bytes than a page: the system makes up only what is read, and a whole table takes it milliseconds. */
const pieceBytes = 1024

/** Line by line, as far as the caller wants them. @param {string} file @returns {Generator<string>} */
export function * readLines (file) {
  const piece = Buffer.alloc(pieceBytes)
  let fd
  let rest = ''
  try {
    fd = fs.openSync(file, 'r')
    for (let read; (read = fs.readSync(fd, piece, 0, pieceBytes, null)) > 0;) {
      const lines = (rest + piece.toString('latin1', 0, read)).split('\n')
      rest = lines.pop() ?? ''
      yield * lines
    }
  } catch {} finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

const linux = process.platform === 'linux'

/** A clock tick of /proc: USER_HZ is 100 on every Linux that Node.js runs on. */
export const tickMs = 10

/**
 * A process in the system's table at one moment. Pids are reused; with its start, one names one process for good.
 *
 * @typedef {object} Identity
 * @property {number} pid
 * @property {number} start on the system's own scale: clock ticks since boot on Linux, ms since 1970 elsewhere
 *
 * @typedef {Identity & { parent: number, group: number, state: string }} Entry state: as ps(1) shows it, Z is a zombie
 */

/**
 * All processes as the system sees them now; empty on Windows, whose table cannot be read quickly.
 *
 * @returns {Entry[]}
 */
export function processTable () {
  if (linux) {
    return listNames('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => entryOf(Number(name)) ?? [])
  }
  if (process.platform === 'win32') return []
  return tableOfPs()
}

/** The same from ps, for systems without /proc, with starts in whole seconds. @returns {Entry[]} */
export function tableOfPs () {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    const args = ['-A', ...['pid', 'ppid', 'pgid', 'stat', 'lstart'].flatMap((name) => ['-o', `${name}=`])]
    return parsePs(execFileSync('ps', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return []
  }
}

/** @param {string} text of ps, in that order, with dates in UTC @returns {Entry[]} */
export function parsePs (text) {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line)
    if (!found) return []
    const [pid, parent, group] = found.slice(1, 4).map(Number)
    const start = Date.parse(`${found[5]} UTC`)
    return Number.isNaN(start) ? [] : [{ pid, parent, group, state: found[4], start }]
  })
}

/**
 * One process; null when it is gone, or where the system does not tell.
 *
 * @param {number | undefined} pid @returns {Entry | null}
 */
export function entryOf (pid) {
  if (!linux) return processTable().find((entry) => entry.pid === pid) ?? null
  const stat = readPage(`/proc/${pid}/stat`)
  return stat === null ? null : parseStat(stat)
}

/** @param {string} stat proc(5) @returns {Entry | null} */
export function parseStat (stat) {
  const fields = fieldsOf(stat)
  // Fields 3, 4, 5 and 22 of proc(5).
  const [pid, parent, group, start] = [stat.slice(0, stat.indexOf(' ')), fields[1], fields[2], fields[19]].map(Number)
  return Number.isInteger(start) ? { pid, parent, group, start, state: fields[0] } : null
}

/**
 * The fields from the third on, the state: the second, a program's name in parentheses, may hold anything.
 *
 * @param {string} stat proc(5)
 */
export function fieldsOf (stat) {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** False for a zombie. @param {Entry} entry */
export function isRunning ({ state }) {
  return !/^[ZX]/.test(state)
}

/** Is this process still running? @param {Identity} identity */
export function isThere ({ pid, start }) {
  const entry = entryOf(pid)
  return entry !== null && entry.start === start && isRunning(entry)
}

/**
 * `pid`, whether it is in the table or not, and the processes below it.
 *
 * @param {readonly Entry[]} table @param {number} pid @returns {number[]}
 */
export function treeOf (table, pid) {
  const found = new Set([pid])
  // Iterating a set includes what is added on the way.
  for (const parent of found) for (const entry of table) if (entry.parent === parent) found.add(entry.pid)
  return [...found]
}

const lookEveryMs = 300
/** npm sets it for everything that it starts. */
const ofNpm = 'npm_lifecycle_event'

/**
 * Watches for the end of the npm that started us. npm passes a signal to its shell at most, so we would stay, with our
 * servers and ports. Started without npm, we may be meant to outlive our parent.
 *
 * @param {() => void} onGone called once
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {() => void} ends the watching
 */
export function watchNpm (onGone, env = process.env) {
  if (env[ofNpm] === undefined) return () => {}
  const parent = process.ppid
  const above = npmAbove(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && above.every(isThere)) return
    clearInterval(timer)
    onGone()
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * npm starts a shell, which starts us or becomes us. An ancestor with npm's variable is that shell; npm is above it.
 *
 * @param {number} parent @returns {Identity[]} on Linux; empty elsewhere
 */
function npmAbove (parent) {
  /** @type {Identity[]} */
  const line = []
  for (let pid = parent; pid > 1;) {
    const entry = process.platform === 'linux' ? entryOf(pid) : null
    if (entry === null) break
    line.push(entry)
    const environment = readText(`/proc/${pid}/environ`) ?? ''
    if (!environment.split('\0').some((variable) => variable.startsWith(`${ofNpm}=`))) break
    pid = entry.parent
  }
  return line
}

/**
 * Opens a file or URL with the system's program for it. Untested on Windows and macOS.
 *
 * @param {string} file
 * @returns {Promise<boolean>} was it opened?
 */
export function openFile (file) {
  const [command, args] = process.platform === 'darwin'
    ? ['open', [file]]
    : process.platform === 'win32' ? ['explorer.exe', [file]] : ['xdg-open', [file]]
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      // Without a browser, xdg-open fails at once.
      const limit = setTimeout(() => resolve(true), 1500)
      child.once('exit', (code) => {
        clearTimeout(limit)
        // explorer.exe always exits with 1.
        resolve(process.platform === 'win32' || code === 0)
      })
    })
    child.unref()
  })
}
