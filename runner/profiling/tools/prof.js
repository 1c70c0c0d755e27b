import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { WorkshopError } from '../../shared/errors.js'
import { dieWithParent, makeTemporary } from '../../process/index.js'
import { endServer, underLoad } from '../under-load.js'

/**
 * @import { Section } from '../../report/index.js'
 * @import { ToolGiven, ToolResult } from '../profile-files.js'
 * @import { Target } from '../under-load.js'
 */

const endTimeoutMs = 20_000
const readTimeoutMs = 120_000
const mostBytes = 256 * 1024 * 1024

/**
 * V8's own profiler, as `node --prof` starts it, and the text of `node --prof-process`.
 *
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, seconds, files, say }) {
  const { dir: folder, remove } = await makeTemporary()
  try {
    say(`Recording with node --prof for ${seconds} s …`)
    const { dir, ended, problems } = await record({ folder, target, seconds })
    // One for each process and thread; the one with the most work is the largest.
    const [log, ...others] = fs.readdirSync(folder).filter((name) => name.endsWith('.log'))
      .map((name) => path.join(folder, name)).sort((a, b) => fs.statSync(b).size - fs.statSync(a).size)
    if (log === undefined) {
      throw new WorkshopError(
        'V8 wrote no log: does the server end, or start another program in its place? `--tool cpu` records without one.'
      )
    }
    say('node --prof-process reads V8’s log …')
    const text = await processLog(log, target.signal)
    const sections = profSections(text, dir)
    if (sections.length === 0) {
      throw new WorkshopError(
        '`node --prof-process` found nothing in V8’s log: did the server end before it was loaded? Record for longer ' +
          'with --seconds.'
      )
    }
    const notes = [
      ...others.length === 0 ? [] : [`V8 wrote ${others.length + 1} logs, one for each thread: this is the largest.`],
      ...ended
        ? []
        : ['The server didn’t exit when it was told to, and was killed: the last part of V8’s log may be missing.']
    ]
    return {
      sections: [...sections, { title: 'Note', text: notes }, { title: 'Wrong', text: problems.slice(0, 3) }],
      report: await files.write('.txt', text),
      kept: []
    }
  } finally {
    await remove()
  }
}

/** @param {{ folder: string, target: Target, seconds: number }} given folder: for the logs */
function record ({ folder, target, seconds }) {
  // V8 reads % as the start of a placeholder.
  const log = path.join(folder.replaceAll('%', '%%'), 'v8.log')
  const start = { nodeArgs: ['--prof', `--logfile=${log}`] }
  return underLoad({ ...target, withoutProbe: true, start }, async ({ server, hub, load }) => {
    const { problems } = await load(seconds * 1000)
    const ended = await endServer({ server, hub, signal: target.signal, timeoutMs: endTimeoutMs })
    return { dir: server.dir, ended, problems }
  })
}

/**
 * @param {string} file a log of `--prof`
 * @param {AbortSignal} signal
 * @returns {Promise<string>} its text
 * @throws {WorkshopError}
 */
async function processLog (file, signal) {
  try {
    const [command, args] = dieWithParent(process.execPath, ['--prof-process', file])
    const options = { signal, timeout: readTimeoutMs, maxBuffer: mostBytes, windowsHide: true }
    return (await promisify(execFile)(command, args, options)).stdout
  } catch (error) {
    signal.throwIfAborted()
    throw new WorkshopError(
      '`node --prof-process` could not read V8\'s log ' +
        `(${error.killed ? `not within ${readTimeoutMs / 1000} s` : `exit code ${error.code}`}): record for a ` +
        'shorter time with --seconds, or use `--tool cpu`.',
      { cause: error }
    )
  }
}

const mostRows = 6
/** Under each hot line are its callers. */
const mostBottomUp = 16
// A C++ name with its types may be wider than a terminal.
const longestName = 70

/**
 * The beginning of each part of the text, with paths relative to the server's folder or to node_modules. Pure.
 *
 * @param {string} text of `--prof-process`
 * @param {string} dir of the server
 * @returns {Section[]} empty: there's nothing in it
 */
export function profSections (text, dir) {
  const [head, ...parts] = text.replaceAll(`file://${dir}/`, '').replaceAll(/\/\S+\/node_modules\//g, '')
    .split(/^ \[(.+)\]:\s*$/m)
  if (!head.startsWith('Statistical profiling result')) return []
  const [, ticks = ''] = /\((\d+ ticks, \d+ unaccounted)/.exec(head) ?? []
  /** @type {Section[]} */
  const sections = [{ title: 'Ticks', text: [`${ticks}.`] }]
  for (let at = 0; at < parts.length; at += 2) {
    const isBottomUp = parts[at].startsWith('Bottom up')
    const all = parts[at + 1].split('\n').flatMap((line) => rowOf(line, { isBottomUp }))
    const rows = all.slice(0, isBottomUp ? mostBottomUp : mostRows)
    sections.push({
      title: parts[at],
      columns: ['#ticks', isBottomUp ? '#parent' : '#total', 'name'],
      rows,
      notes: rows.length < all.length ? [`… and ${all.length - rows.length} more in the report.`] : []
    })
  }
  return sections
}

/** @param {string} line @param {{ isBottomUp: boolean }} part @returns {string[][]} empty: prose */
function rowOf (line, { isBottomUp }) {
  const [, ticks, share, indent, name] =
    /^\s*(\d+)\s+([\d.]+%)(?:\s+[\d.]+%)? {2}( *)(\S.*)$/.exec(line) ?? []
  if (name === undefined) return []
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
  // Each call further up is indented by two more spaces.
  return [[ticks, share, isBottomUp ? '. '.repeat(indent.length / 2) + shown : shown]]
}
