import { readCpuProfile, summarise } from '../../inside/index.js'

/**
 * The functions that allocated what is still held: reads V8's sampling heap profile. Pure.
 *
 * @import { Owner } from '../../inside/index.js'
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
  const functions = summarise({ root, wallMs: root.totalMs, samples: [] })
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
