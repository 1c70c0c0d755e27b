import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * V8's CPU profile as a tree of frames with times. Pure, but for the platform's idea of a path.
 *
 * @typedef {'yours' | 'package' | 'node' | 'native' | 'gc' | 'idle'} Owner yours: the files of the server that was
 *   profiled; node: Node.js' own JavaScript; native: C++ that V8 can name, and what it cannot see into
 *
 * @typedef {object} Frame
 * @property {string} name of the function; for one without a name, its place
 * @property {Owner} owner
 * @property {string} place `lib/users.js:31`, `express/lib/router.js:12`, `node:crypto:8`; empty for native code
 * @property {string} url
 * @property {number} line from 1
 * @property {number} column from 1
 * @property {number} selfMs
 * @property {number} totalMs with everything that it called
 * @property {Frame[]} children
 * @property {[line: number, ms: number][]} lines where its self time was seen, as far as V8 knows
 *
 * @typedef {object} CpuProfile
 * @property {Frame} root
 * @property {number} wallMs
 * @property {{ frame: Frame, ms: number }[]} samples in order of time
 */

/** How native code is called that V8 gives no name. */
export const program = 'native code that V8 cannot name'
export const unnamed = 'unnamed native code'

/** Its frames are left out. */
const recorder = new URL('../recorder/', import.meta.url).href

/**
 * @param {any} profile as `Profiler.stop` gives it, or a .cpuprofile file
 * @param {{ dir: string }} options the folder of the server
 * @returns {CpuProfile}
 * @throws {TypeError} it is no CPU profile
 */
export function readCpuProfile (profile, { dir }) {
  if (!Array.isArray(profile?.nodes) || !Array.isArray(profile.samples) || !Array.isArray(profile.timeDeltas)) {
    throw new TypeError('This is no CPU profile of V8.')
  }
  const base = pathToFileURL(dir + path.sep).href
  /** @type {Map<number, any>} */
  const frames = new Map()
  for (const { id, callFrame } of profile.nodes) frames.set(id, frameOf(callFrame, base))
  /** @type {CpuProfile['samples']} */
  const samples = profile.samples.map((/** @type {number} */ id, /** @type {number} */ at) => ({
    frame: frames.get(id),
    // A sample represents the time until the next one.
    ms: Math.max(0, profile.timeDeltas[at + 1] ?? 0) / 1000
  }))
  for (const { frame, ms } of samples) frame.selfMs += ms
  for (const { id, children = [], positionTicks = [] } of profile.nodes) {
    const frame = frames.get(id)
    frame.lines = linesOf(positionTicks, frame.selfMs)
    frame.children = children.map((/** @type {number} */ child) => frames.get(child))
  }
  /** @type {Frame} */
  const root = frames.get(profile.nodes[0].id)
  hideRecorder(root)
  addUp(root)
  return { root, wallMs: root.totalMs, samples: samples.filter(({ frame }) => !isRecorders(frame)) }
}

/**
 * V8 counts samples by line over the whole recording, also over a part that was cut off: their shares count.
 *
 * @param {readonly { line: number, ticks: number }[]} positions
 * @param {number} selfMs
 * @returns {Frame['lines']}
 */
function linesOf (positions, selfMs) {
  const all = positions.reduce((sum, { ticks }) => sum + ticks, 0)
  return positions.map(({ line, ticks }) => [line, selfMs * ticks / all])
}

/** What the recorder called is left out with it. @param {Frame} frame */
function hideRecorder (frame) {
  frame.children = frame.children.filter((child) => !isRecorders(child))
  for (const child of frame.children) hideRecorder(child)
}

/** @param {Frame} frame */
function isRecorders ({ url }) {
  return url.startsWith(recorder)
}

/** @param {Frame} frame @returns {number} */
export function addUp (frame) {
  frame.totalMs = frame.selfMs + frame.children.reduce((sum, child) => sum + addUp(child), 0)
  return frame.totalMs
}

/**
 * @param {{ functionName: string, url: string, lineNumber: number, columnNumber: number }} callFrame
 * @param {string} base
 * @returns {Frame}
 */
function frameOf ({ functionName, url, lineNumber, columnNumber }, base) {
  const { owner, file } = whose(url, functionName, base)
  const line = lineNumber + 1
  const place = file === '' ? '' : `${file}:${line}`
  return {
    name: nameOf(functionName, owner, place),
    owner,
    place,
    url,
    line,
    column: columnNumber + 1,
    selfMs: 0,
    totalMs: 0,
    children: [],
    lines: []
  }
}

/** @param {string} url @param {string} functionName @param {string} base @returns {{ owner: Owner, file: string }} */
function whose (url, functionName, base) {
  if (functionName === '(idle)') return { owner: 'idle', file: '' }
  if (functionName === '(garbage collector)') return { owner: 'gc', file: '' }
  if (url === '' || url.startsWith('wasm:')) return { owner: 'native', file: '' }
  if (url.startsWith('node:')) return { owner: 'node', file: url }
  const href = asHref(url)
  const at = href.lastIndexOf('/node_modules/')
  if (at >= 0) return { owner: 'package', file: decodeURIComponent(href.slice(at + '/node_modules/'.length)) }
  if (href.startsWith(base)) return { owner: 'yours', file: decodeURIComponent(href.slice(base.length)) }
  return { owner: 'yours', file: href.startsWith('file:') ? fileURLToPath(href) : href }
}

/** Some modules are named by path, not by URL. @param {string} url */
function asHref (url) {
  return path.isAbsolute(url) ? pathToFileURL(url).href : url
}

/** @param {string} functionName @param {Owner} owner @param {string} place */
function nameOf (functionName, owner, place) {
  if (owner === 'idle') return 'idle'
  if (owner === 'gc') return 'garbage collection'
  if (functionName === '(root)') return 'all'
  if (functionName === '(program)') return program
  if (functionName === '') return place === '' ? unnamed : `function at ${place}`
  return functionName
}
