import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sourceMaps } from './source-map.js'

/**
 * V8's CPU profile as a tree of frames with times. Pure, but for the platform's idea of a path, and source maps.
 *
 * @import { Place } from './source-map.js'
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
 * @property {Place} [compiled] what V8 ran, if a source map names what it was made of
 * @property {number} selfMs
 * @property {number} totalMs with everything that it called
 * @property {Frame[]} children
 * @property {[line: number, ms: number][]} lines where its self time was seen, as far as V8 knows
 *
 * @typedef {{ root: Frame, samples: { frame: Frame, ms: number, atUs: number }[] }} CpuProfile samples: in order of
 *   time; atUs: by V8's clock, which is that of process.hrtime()
 */

/** How native code is called that V8 gives no name. */
export const program = 'native code that V8 cannot name'
const unnamed = 'unnamed native code'

/** Frames of the recorder's own files are left out. */
const recorder = new URL('recorder/', import.meta.url).href

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
  const originalOf = sourceMaps()
  for (const { id, callFrame } of profile.nodes) frames.set(id, frameOf(callFrame, base, originalOf))
  let atUs = profile.startTime
  /** @type {CpuProfile['samples']} */
  const samples = profile.samples.map((/** @type {number} */ id, /** @type {number} */ at) => ({
    frame: frames.get(id),
    atUs: (atUs += profile.timeDeltas[at]),
    // A sample represents the time until the next one.
    ms: Math.max(0, profile.timeDeltas[at + 1] ?? 0) / 1000
  }))
  for (const { frame, ms } of samples) frame.selfMs += ms
  for (const { id, children = [], positionTicks = [] } of profile.nodes) {
    const frame = frames.get(id)
    frame.lines = linesOf(positionTicks, frame, originalOf)
    frame.children = children.map((/** @type {number} */ child) => frames.get(child))
  }
  /** @type {Frame} */
  const root = frames.get(profile.nodes[0].id)
  addUp(root)
  return { root, samples: samples.filter(({ frame }) => !isRecorders(frame)) }
}

/** @param {Frame} root @returns {(frame: Frame) => Frame[]} its stack, from the outermost function, without the root */
export function stacksBelow (root) {
  const parents = new Map()
  const link = (/** @type {Frame} */ frame) => {
    for (const child of frame.children) {
      parents.set(child, frame)
      link(child)
    }
  }
  link(root)
  return (frame) => {
    const stack = []
    for (let one = frame; one !== root && one !== undefined; one = parents.get(one)) stack.unshift(one)
    return stack
  }
}

/**
 * V8 counts samples by line over the whole recording, also over a part that was cut off: their shares count.
 *
 * @param {readonly { line: number, ticks: number }[]} positions @param {Frame} frame
 * @param {ReturnType<typeof sourceMaps>} originalOf @returns {Frame['lines']}
 */
function linesOf (positions, { selfMs, compiled }, originalOf) {
  const all = positions.reduce((sum, { ticks }) => sum + ticks, 0)
  const lineOf = (/** @type {number} */ line) =>
    compiled ? originalOf({ url: compiled.url, line, column: Infinity })?.line ?? line : line
  return positions.map(({ line, ticks }) => [lineOf(line), selfMs * ticks / all])
}

/** @param {Frame} frame */
function isRecorders ({ url }) {
  return url.startsWith(recorder)
}

/** Leaves out the recorder with all that it called, and adds up the rest. @param {Frame} frame @returns {number} */
function addUp (frame) {
  frame.children = frame.children.filter((child) => !isRecorders(child))
  frame.totalMs = frame.selfMs + frame.children.reduce((sum, child) => sum + addUp(child), 0)
  return frame.totalMs
}

/**
 * @param {{ functionName: string, url: string, lineNumber: number, columnNumber: number }} callFrame
 * @param {string} base
 * @param {ReturnType<typeof sourceMaps>} originalOf
 * @returns {Frame}
 */
function frameOf ({ functionName, url, lineNumber, columnNumber }, base, originalOf) {
  const href = path.isAbsolute(url) ? pathToFileURL(url).href : url
  const ran = { url: href, line: lineNumber + 1, column: columnNumber + 1 }
  const original = whose(url, functionName, base).owner === 'yours' ? originalOf(ran) : null
  const { url: shownUrl, line, column } = original ?? { ...ran, url }
  const { owner, file } = whose(shownUrl, functionName, base)
  const place = file === '' ? '' : `${file}:${line}`
  return {
    name: nameOf(functionName, owner, place),
    owner,
    place,
    url: shownUrl,
    line,
    column,
    ...original && { compiled: ran },
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
  // Some modules are named by path, not by URL.
  const href = path.isAbsolute(url) ? pathToFileURL(url).href : url
  const at = href.lastIndexOf('/node_modules/')
  if (at >= 0) return { owner: 'package', file: decodeURIComponent(href.slice(at + '/node_modules/'.length)) }
  if (href.startsWith(base)) return { owner: 'yours', file: decodeURIComponent(href.slice(base.length)) }
  return { owner: 'yours', file: href.startsWith('file:') ? fileURLToPath(href) : href }
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

/**
 * The findings of a CPU profile. Pure.
 *
 * @typedef {Omit<Frame, 'children' | 'lines'> & { chargedMs: number, lineMs: Record<number, number> }} FunctionTime one
 *   function, wherever it was called from; one that calls itself counts once in totalMs; chargedMs: only of yours, its
 *   own time and that of foreign code that it called itself; a package that calls the server's code again (a framework,
 *   on the way to a handler) is charged to none; lineMs: its self time by line, as far as V8 knows the line
 *
 * @typedef {{ name: string, place: string, owner: Owner, share: number }} Caller
 *
 * @typedef {object} Summary
 * @property {number} wallMs
 * @property {{ javascript: number, native: number, gc: number, idle: number }} shares of the wall time, 0 to 1
 * @property {FunctionTime[]} functions by self time
 * @property {FunctionTime | null} hottest with the largest self time; idle, GC and native code that has no name left
 *   out
 * @property {Caller[]} callers of the hottest, from the nearest; share: of its time that came through this chain
 * @property {FunctionTime | null} charged the one of yours with the largest charged time
 * @property {FunctionTime | null} heaviest of the foreign functions that the charged one calls; null where most is its
 *   own time
 */

/** @param {Frame} root @returns {Summary} */
export function summarise (root) {
  const wallMs = root.totalMs
  const functions = functionTimes(root).sort((a, b) => b.selfMs - a.selfMs)
  const hottest = functions.find(({ owner, name }) => owner !== 'idle' && owner !== 'gc' && !namesNothing(name)) ?? null
  const [charged = null] = functions.filter(({ chargedMs }) => chargedMs > 0).sort((a, b) => b.chargedMs - a.chargedMs)
  return {
    wallMs,
    shares: sharesOf(functions, wallMs),
    functions,
    hottest,
    callers: hottest ? callersOf(root, hottest) : [],
    charged,
    heaviest: charged ? heaviestBelow(root, charged) : null
  }
}

/** One function has one key, whatever called it. @param {Pick<Frame, 'name' | 'url' | 'line' | 'column'>} frame */
export function keyOf ({ name, url, line, column }) {
  return `${name}\n${url}\n${line}\n${column}`
}

/** @param {Frame} root @returns {FunctionTime[]} */
function functionTimes (root) {
  /** @type {Map<string, FunctionTime>} */
  const found = new Map()
  /** @param {Frame} frame @param {Set<FunctionTime>} above @param {FunctionTime | null} nearest */
  const visit = (frame, above, nearest) => {
    const entry = entryOf(frame, found)
    entry.selfMs += frame.selfMs
    for (const [line, ms] of frame.lines) entry.lineMs[line] = (entry.lineMs[line] ?? 0) + ms
    const isFirst = !above.has(entry)
    if (isFirst) {
      entry.totalMs += frame.totalMs
      above.add(entry)
    }
    const charged = frame.owner === 'yours' ? entry : nearest
    if (charged && frame.owner !== 'idle' && !isDispatch(frame)) charged.chargedMs += frame.selfMs
    for (const child of frame.children) visit(child, above, charged)
    if (isFirst) above.delete(entry)
  }
  const above = new Set()
  for (const child of root.children) visit(child, above, null)
  return [...found.values()]
}

/** @param {Frame} frame @param {Map<string, FunctionTime>} found gets a new entry if it has none */
function entryOf (frame, found) {
  const key = keyOf(frame)
  let entry = found.get(key)
  if (!entry) {
    const { children, lines, ...own } = frame
    entry = { ...own, selfMs: 0, totalMs: 0, chargedMs: 0, lineMs: {} }
    found.set(key, entry)
  }
  return entry
}

/** @param {Frame} frame of a package, that calls the server's own code @returns {boolean} */
function isDispatch ({ owner, children }) {
  return owner === 'package' && children.some((child) => child.owner === 'yours' || isDispatch(child))
}

/** @param {FunctionTime[]} functions @param {number} wallMs */
function sharesOf (functions, wallMs) {
  const shares = { javascript: 0, native: 0, gc: 0, idle: 0 }
  for (const { owner, selfMs } of functions) {
    const kind = owner === 'yours' || owner === 'package' || owner === 'node' ? 'javascript' : owner
    shares[kind] += wallMs > 0 ? selfMs / wallMs : 0
  }
  return shares
}

/**
 * The chain through which most of a function's time came, from its nearest caller up.
 *
 * @param {Frame} root @param {FunctionTime} wanted @returns {Caller[]}
 */
function callersOf (root, wanted) {
  const key = keyOf(wanted)
  /** @type {{ chain: Frame[], ms: number }[]} */
  const seen = []
  const visit = (/** @type {Frame} */ frame, /** @type {Frame[]} */ chain) => {
    if (keyOf(frame) === key && frame.selfMs > 0) seen.push({ chain, ms: frame.selfMs })
    for (const child of frame.children) visit(child, [frame, ...chain])
  }
  for (const child of root.children) visit(child, [])
  const whole = seen.reduce((sum, { ms }) => sum + ms, 0)
  /** @type {Caller[]} */
  const callers = []
  let left = seen
  for (let depth = 0; ; depth++) {
    /** @type {Map<string, { frame: Frame, ms: number, chains: typeof seen }>} */
    const next = new Map()
    for (const one of left) {
      const frame = one.chain[depth]
      if (!frame) continue
      const entry = next.get(keyOf(frame)) ?? { frame, ms: 0, chains: [] }
      entry.ms += one.ms
      entry.chains.push(one)
      next.set(keyOf(frame), entry)
    }
    const [most] = [...next.values()].sort((a, b) => b.ms - a.ms)
    if (!most) return callers
    const { name, place, owner } = most.frame
    callers.push({ name, place, owner, share: most.ms / whole })
    left = most.chains
  }
}

/**
 * Among the foreign functions that one of yours calls itself, the one that takes most of its time; null where its own
 * is more.
 *
 * @param {Frame} root @param {FunctionTime} charged @returns {FunctionTime | null}
 */
function heaviestBelow (root, charged) {
  const key = keyOf(charged)
  /** @type {Map<string, FunctionTime>} */
  const called = new Map()
  const visit = (/** @type {Frame} */ frame) => {
    for (const child of frame.children) {
      if (keyOf(frame) === key && child.owner !== 'yours' && child.owner !== 'idle') {
        const entry = entryOf(child, called)
        entry.selfMs += child.selfMs
        entry.totalMs += foreignMs(child)
      }
      visit(child)
    }
  }
  visit(root)
  const [most] = [...called.values()].sort((a, b) => b.totalMs - a.totalMs)
  return most === undefined || most.totalMs < charged.selfMs || namesNothing(most.name) ? null : most
}

/**
 * With what it called, as far as that is not yours again: a middleware calls the next one.
 *
 * @param {Frame} frame @returns {number}
 */
function foreignMs ({ selfMs, children }) {
  return children.filter(({ owner }) => owner !== 'yours').reduce((sum, child) => sum + foreignMs(child), selfMs)
}

/** @param {string} name */
function namesNothing (name) {
  return name === unnamed || name === program
}

/**
 * How often a function of a profile was called, from V8's precise coverage. Pure.
 *
 * The two name a function's place in different ways (the profile by line and column of its parameters, the coverage by
 * the offset of its first token), so that the same name on the same line has to do; where there are several, the
 * nearest before.
 *
 * @typedef {{ url: string, functions: { name: string, start: number, calls: number }[] }} Coverage of a file
 *
 * @param {Pick<FunctionTime, 'name' | 'url' | 'line' | 'column' | 'compiled'>} wanted
 * @param {readonly Coverage[]} coverage several processes run the same file: their calls add up
 * @param {(url: string) => string | null} sourceOf the text of a file
 * @returns {number | null} null where it was not counted, or not rightly: an async function
 */
export function callsOf (wanted, coverage, sourceOf) {
  const ran = wanted.compiled ?? wanted
  const functions = coverage.filter(({ url }) => url === ran.url).flatMap(({ functions }) => functions)
  const source = functions.length > 0 ? sourceOf(ran.url) : null
  if (source === null) return null
  const name = wanted.name.startsWith('function at ') ? '' : wanted.name.replace(/^.*[. ]/, '')
  const found = functions
    // The rest of an async function after each `await` counts as one more call of it.
    .filter(({ start }) => !/^async\b/.test(source.slice(start)) && !/\basync\s*$/.test(source.slice(0, start)))
    .filter((one) => one.name.replace(/^.*[. ]/, '') === name)
    .map(({ start, calls }) => ({ ...positionOf(source, start), calls }))
    .filter(({ line, column }) => line === ran.line && column <= ran.column)
  if (found.length === 0) return null
  const nearest = Math.max(...found.map(({ column }) => column))
  return found.filter(({ column }) => column === nearest).reduce((sum, { calls }) => sum + calls, 0)
}

/** @param {string} source @param {number} offset @returns {{ line: number, column: number }} from 1 */
function positionOf (source, offset) {
  const before = source.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/**
 * Several trees as one: the same function under the same callers becomes one frame, whatever thread or call it came
 * from. Pure.
 *
 * @param {readonly Frame[]} roots at least one
 * @param {(frame: Frame) => string} [sameAs] frames with the same word are one function
 * @returns {Frame} a new tree
 */
export function mergeTrees (roots, sameAs = keyOf) {
  /** @type {Map<string, Frame[]>} */
  const groups = new Map()
  for (const child of roots.flatMap(({ children }) => children)) {
    const key = sameAs(child)
    const group = groups.get(key)
    if (group) group.push(child)
    else groups.set(key, [child])
  }
  return {
    ...roots[0],
    selfMs: roots.reduce((sum, { selfMs }) => sum + selfMs, 0),
    totalMs: roots.reduce((sum, { totalMs }) => sum + totalMs, 0),
    lines: roots.flatMap(({ lines }) => lines),
    children: [...groups.values()].map((group) => mergeTrees(group, sameAs))
  }
}

/**
 * How the time of each function for one request changed between two servers. Pure.
 *
 * @typedef {object} Change
 * @property {string} name
 * @property {string} place in the second server, or in the first where it is gone
 * @property {Owner} owner
 * @property {number} beforeMs self time for one request
 * @property {number} afterMs
 *
 * @typedef {{ functions: readonly FunctionTime[], answers: number }} Recorded
 *
 * @param {Recorded} before
 * @param {Recorded} after
 * @returns {Change[]} the largest change first, whatever its sign; idle time left out
 */
export function changePerRequest (before, after) {
  /** @type {Map<string, Change>} */
  const changes = new Map()
  const add = (/** @type {'beforeMs' | 'afterMs'} */ side, /** @type {Recorded} */ { functions, answers }) => {
    for (const one of functions) {
      if (one.owner === 'idle') continue
      const key = sameFunction(one)
      const change = changes.get(key) ?? { name: one.name, place: one.place, owner: one.owner, beforeMs: 0, afterMs: 0 }
      change[side] += one.selfMs / Math.max(1, answers)
      if (side === 'afterMs') change.place = one.place
      changes.set(key, change)
    }
  }
  add('beforeMs', before)
  add('afterMs', after)
  return [...changes.values()].sort((a, b) => Math.abs(b.afterMs - b.beforeMs) - Math.abs(a.afterMs - a.beforeMs))
}

/**
 * The same function of two servers: an edit moves lines, so those of the learner's own files do not count, but for
 * functions without a name.
 *
 * @param {Pick<FunctionTime, 'name' | 'place' | 'owner'>} one
 */
export function sameFunction ({ name, place, owner }) {
  const file = owner === 'yours' && !name.startsWith('function at ') ? place.replace(/:\d+$/, '') : place
  return `${owner}\n${name}\n${file}`
}
