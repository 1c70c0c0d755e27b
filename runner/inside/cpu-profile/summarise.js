import { program, unnamed } from './read-profile.js'

/**
 * What a CPU profile says. Pure.
 *
 * @import { CpuProfile, Frame, Owner } from './read-profile.js'
 *
 * @typedef {object} FunctionTime one function, wherever it was called from
 * @property {string} name
 * @property {string} place
 * @property {string} url
 * @property {number} line
 * @property {number} column
 * @property {Owner} owner
 * @property {number} selfMs
 * @property {number} totalMs with everything that it called; a function that calls itself counts once
 * @property {number} chargedMs only of yours: its own time, and that of foreign code that it called itself; a package
 *   that calls the server's code again (a framework, on the way to a handler) is charged to none
 * @property {Record<number, number>} lineMs its self time by line, as far as V8 knows the line
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

/** @param {CpuProfile} profile @returns {Summary} */
export function summarise ({ root, wallMs }) {
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
    const { name, place, url, line, column, owner } = frame
    entry = { name, place, url, line, column, owner, selfMs: 0, totalMs: 0, chargedMs: 0, lineMs: {} }
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
 * @param {Frame} frame
 * @returns {number}
 */
function foreignMs ({ selfMs, children }) {
  return children.filter(({ owner }) => owner !== 'yours').reduce((sum, child) => sum + foreignMs(child), selfMs)
}

/** @param {string} name */
function namesNothing (name) {
  return name === unnamed || name === program
}
