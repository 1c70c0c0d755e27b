import { percent } from '../../shared/format.js'
import { readCpuProfile, summarise } from '../../inside/index.js'
import { formatCount } from '../../report/index.js'

/**
 * Two snapshots and a load between them, in sentences. Pure.
 *
 * @import { Owner } from '../../inside/index.js'
 *
 * @typedef {object} NamedHolder
 * @property {string} name `cache`, `.after`; may be empty
 * @property {string} kind `Map`
 * @property {string} place `server.js:15`, `server.js`; empty if unknown
 * @property {number} bytes how much more it holds than before the load
 * @property {number} items how many more objects it holds directly
 * @property {string | null} event whose listeners it holds; null: something else
 * @property {string} typical `function at metrics.js:11`: the most common kind of item
 * @property {number} typicalCount how many more of that kind it holds directly
 * @property {number} typicalBytes mean size of such an object with all new objects below it
 * @property {string[]} chain
 * @property {{ bytes: number, chain: string[] } | null} shared what would stay if it let go, and what else holds it
 *
 * @typedef {{ answers: number, heapBytes: number, ownBytes: number, holders: NamedHolder[] }} Growth heapBytes: how
 *   much more the whole heap holds; ownBytes: how much of it is V8's own; holders: those that grow with the requests
 */

/**
 * The thresholds of growth with the requests. A server at rest differs a little from itself: sockets, timers, a
 * cache with a few more entries than a moment ago. So a leak either gathers at least one object for every
 * twentieth answer, and too many for chance (fewer if they're large); or it's one object that gets
 * larger and larger, by this much per answer and in all.
 */
const leastItemsPerAnswer = 0.05
const leastItems = 16
const leastLargeItems = 4
const leastItemBytes = 1024
const leastBytes = 64 * 1024
const leastBytesPerAnswer = 32

/**
 * @param {{ bytes: number, items: number, isValue?: boolean }} holder isValue: the new value of a variable
 * @param {number} answers
 * @returns {boolean}
 */
export function growsWithRequests ({ bytes, items, isValue = false }, answers) {
  const gathers = items >= Math.max(bytes >= leastBytes ? leastLargeItems : leastItems, answers * leastItemsPerAnswer)
  return (
    (gathers && bytes >= leastItemBytes) ||
    ((items <= 1 || isValue) && bytes >= Math.max(leastBytes, answers * leastBytesPerAnswer))
  )
}

/**
 * Growth with every request is more surely a leak than growth with some: a cache gets new entries with some.
 *
 * @param {number} answers
 * @returns {(one: { bytes: number, items: number }, other: { bytes: number, items: number }) => number} for sort
 */
export function byWeight (answers) {
  const weight = (/** @type {{ bytes: number, items: number }} */ { bytes, items }) =>
    bytes * Math.min(1, Math.max(0.1, items / answers))
  return (one, other) => weight(other) - weight(one)
}

/** A smaller shared part isn't worth a sentence. */
const muchShared = 0.25

/** @param {Growth} growth @returns {string[]} */
export function growthSentences ({ answers, heapBytes, ownBytes, holders }) {
  if (holders.length === 0) {
    const own = ownBytes > heapBytes / 2 && heapBytes > 0 ? ' (most of it V8’s own: compiled code and the like)' : ''
    return [
      `Nothing grows with the requests: after ${formatCount(answers)} answers the heap holds ` +
        `${bytesText(Math.abs(heapBytes))} ${heapBytes < 0 ? 'less' : 'more'} than before${own}, and no object has ` +
        'gathered others.'
    ]
  }
  const whole = holders.reduce((sum, { bytes }) => sum + bytes, 0)
  const [first] = holders
  return [
    `Each request leaves ${bytesText(whole / answers)} ` +
      `behind${holders.length === 1 ? ', held' : `. ${bytesText(first.bytes / answers)} of it are held`} by ` +
      `${nameOf(first)}: ${gathered(first, answers)}.`,
    ...holders
      .slice(1)
      .map(
        (holder) =>
          `${bytesText(holder.bytes / answers)} of it are held by ${nameOf(holder)}: ${gathered(holder, answers)}.`
      ),
    ...holders.flatMap((holder) =>
      holder.shared && holder.shared.bytes >= muchShared * holder.bytes
        ? [
            `If ${shortName(holder)} let go, ${bytesText(holder.shared.bytes)} of its ${bytesText(holder.bytes)} ` +
              `would stay: they are held elsewhere as well, for instance by ${holder.shared.chain.join(' → ')}.`
          ]
        : []
    ),
    first.event === null
      ? `What removes entries from ${shortName(first)}, and when?`
      : `They are listeners for the event \`${first.event}\`. How often is one added, and what removes one?`,
    'A cache that is being filled looks like a leak for a while. With more `--seconds`, a leak leaves as much for ' +
      'each request, a cache leaves less.'
  ]
}

/** @param {NamedHolder} holder @returns {string} `` `cache` (Map), server.js:15`` */
export function nameOf ({ name, kind, place }) {
  return `${name === '' ? kind : `\`${name}\` (${kind})`}${place === '' ? '' : `, ${place}`}`
}

/** @param {NamedHolder} holder */
function shortName ({ name, kind }) {
  return name === '' ? `the ${kind}` : `\`${name}\``
}

/** @param {NamedHolder} holder @param {number} answers */
function gathered ({ bytes, typical, typicalCount, typicalBytes }, answers) {
  const sort = typical.startsWith('function ') ? `the ${typical}` : `of the kind ${typical}`
  return typicalCount > 1
    ? `${formatCount(typicalCount)} more than before (${perRequest(typicalCount / answers)}), each ${sort}, with ` +
      `${bytesText(typicalBytes)}`
    : `${bytesText(bytes)} more than before`
}

/** @param {number} items */
function perRequest (items) {
  return items >= 0.95 && items < 1.05
    ? 'one per request'
    : items < 0.95
      ? `one in ${Number((1 / items).toPrecision(2))} requests`
      : `${Number(items.toPrecision(2))} per request`
}

/** @param {Allocations} allocations @returns {string | null} */
export function allocationSentence ({ wholeBytes, functions }) {
  const [first] = functions
  if (!first || wholeBytes <= 0) return null
  const { name, place, owner, bytes, withOthers } = first
  const called = name.startsWith('function at ') ? `the ${name}` : `${name}${place === '' ? '' : ` (${place})`}`
  if (owner !== 'yours') {
    return `Your functions allocated nothing that is still held; most of it comes from ${called}.`
  }
  return `${percent(withOthers / wholeBytes)} of what was allocated under load and is still held was allocated by ` +
    `${called}${bytes < withOthers / 2 ? ', most of it by what it called' : ''}.`
}

/** @param {number} bytes @returns {string} `340 bytes`, `5.9 kB`, `12 MB` */
export function bytesText (bytes) {
  const size = Math.abs(bytes)
  if (size < 999.5) {
    return size > 0 && size < 10 ? `${Number(bytes.toPrecision(2))} bytes` : `${Math.round(bytes)} bytes`
  }
  const [value, unit] = size < 999_500 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  return `${Math.abs(value) < 9.95 ? value.toFixed(1) : formatCount(value)} ${unit}`
}

/** @param {number} value @param {(value: number) => string} text @returns {string} `+12,400`, `−340 bytes` */
export function signed (value, text) {
  return `${value < 0 ? '−' : '+'}${text(Math.abs(value))}`
}

/**
 * The functions that allocated what is still held: reads V8's sampling heap profile. Pure.
 *
 * @typedef {object} Allocator one function
 * @property {string} name
 * @property {string} place `pages.js:60`; empty for native code
 * @property {Owner} owner
 * @property {number} bytes allocated by the function itself, estimated by V8 from samples
 * @property {number} withOthers for yours: including allocations of foreign code that it called directly, else the same
 *
 * @typedef {{ wholeBytes: number, functions: Allocator[] }} Allocations functions: yours first, each by the bytes with
 *   others'
 *
 * @param {any} profile as `HeapProfiler.stopSampling` gives it, or a .heapprofile file
 * @param {{ dir: string }} options the folder of the server
 * @returns {Allocations}
 * @throws {TypeError} it isn't a sampling heap profile
 */
export function readAllocations (profile, { dir }) {
  if (!profile?.head?.callFrame) throw new TypeError('This is no sampling heap profile of V8.')
  const { root } = readCpuProfile(asCpuProfile(profile.head), { dir })
  const functions = summarise(root)
    .functions.map(({ name, place, owner, selfMs, chargedMs }) => ({
      name,
      place,
      owner,
      bytes: selfMs,
      withOthers: Math.max(selfMs, chargedMs)
    }))
    .filter(({ withOthers }) => withOthers > 0)
    .sort((a, b) => Number(b.owner === 'yours') - Number(a.owner === 'yours') || b.withOthers - a.withOthers)
  return { wholeBytes: root.totalMs, functions }
}

/**
 * The same tree, with bytes where a CPU profile has milliseconds: so the rules of whose a function is, and what it's
 * charged with, are in one place.
 *
 * @param {any} head
 */
function asCpuProfile (head) {
  /** @type {{ id: number, callFrame: any, children: number[] }[]} */
  const nodes = []
  const samples = []
  const timeDeltas = [0]
  const waiting = [head]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    nodes.push({
      id: node.id,
      callFrame: node.callFrame,
      children: node.children.map((/** @type {any} */ { id }) => id)
    })
    samples.push(node.id)
    timeDeltas.push(node.selfSize * 1000)
    waiting.push(...node.children)
  }
  return { nodes, samples, timeDeltas }
}
