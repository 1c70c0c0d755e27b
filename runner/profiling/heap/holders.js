import { findById } from './heap-graph.js'
import { isScopeName } from './retainers.js'

/**
 * @import { Paths } from './retainers.js'
 * @import { Dominators, HeapGraph } from './heap-graph.js'
 */

/** A holder has at least this share of all growth. */
const leastShare = 0.05
const mostHolders = 4

/**
 * Which objects hold more and more. Pure.
 *
 * Each new object is charged to the last old object on the shortest path to it: to the Map, not to its
 * table, which V8 replaces when it gets too small. If a variable has a new value, that value is the holder.
 * What has gone since is subtracted in the same way, so that a cache that replaces its entries holds no more than
 * before.
 *
 * @typedef {{ graph: HeapGraph, paths: Paths }} Heap
 *
 * @typedef {object} Holder
 * @property {number} node in the later snapshot
 * @property {number} bytes how much more it holds than before
 * @property {number} items how many more objects it holds directly; below zero: fewer
 * @property {number} typical a new object of the most common sort
 * @property {string} sort of that object: its constructor
 * @property {number} typicalCount how many more of that sort it holds directly
 * @property {number} typicalBytes mean size of such an object with all new objects below it
 * @property {{ name: string, count: number, bytes: number }[]} made the new objects by sort, most bytes first
 * @property {number[]} fresh all new objects below it
 * @property {boolean} isValue the new value of a variable
 * @property {boolean} isNative Node.js itself, outside JavaScript: handles of sockets and timers, parsers
 *
 * @param {Heap} before
 * @param {Heap} after
 * @returns {Holder[]} the largest first
 */
export function growingHolders (before, after) {
  const [inBefore, inAfter] = [findById(before.graph), findById(after.graph)]
  const come = charge(after, (id) => inBefore(id) < 0)
  const gone = charge(before, (id) => inAfter(id) < 0)

  const { count } = after.graph
  const [bytes, items] = [new Float64Array(count), new Float64Array(count)]
  for (const node of come.nodes) {
    bytes[come.owner[node]] += after.graph.selfSize[node]
    if (come.item[node] === node) items[come.owner[node]]++
  }
  for (const node of gone.nodes) {
    const owner = gone.isValue[gone.owner[node]]
      ? successor(before, after, gone.owner[node], inAfter)
      : inAfter(before.graph.id[gone.owner[node]])
    // A holder may still be there, but unreachable.
    if (owner < 0 || (owner > 0 && after.paths.parent[owner] < 0)) continue
    bytes[owner] -= before.graph.selfSize[node]
    if (gone.item[node] === node) items[owner]--
  }
  const found = accumulate({
    order: after.paths.order,
    up: come.up,
    bytes,
    items,
    isNone: come.isNew.map((isNew, node) => (isNew && !come.isValue[node] ? 1 : 0))
  })
  const isNative = typesOf(after.graph, ['synthetic', 'native'])
  return found.list
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, mostHolders)
    .map((one) => ({
      ...one,
      isNative: isNative(one.node),
      isValue: come.isValue[one.node] === 1,
      ...contents(after.graph, come, found.nearest, one)
    }))
}

/** @param {HeapGraph} graph @param {string[]} names @returns {(node: number) => boolean} */
function typesOf ({ type, typeNames }, names) {
  const is = typeNames.map((name) => names.includes(name))
  return (node) => is[type[node]]
}

/**
 * Which objects came (or went), each after its holder. Of each object: isValue, a new value of an old variable; up, the
 * next object towards the root that isn't just a part of another; owner, the object charged with its bytes; item, the
 * first new object on the path to it that isn't just a part of another, -1 if it's a part of the owner.
 *
 * @param {Heap} heap @param {(id: number) => boolean} isChange
 */
function charge ({ graph, paths: { parent, edge, order } }, isChange) {
  // Tables, elements and cells are parts of the object before them; code and hidden classes are V8's own.
  const isPart = typesOf(graph, ['array', 'hidden'])
  const isIgnored = typesOf(graph, ['code', 'object shape'])
  const isHidden = typesOf(graph, ['hidden'])
  const [isNew, isValue, isOut] = [0, 0, 0].map(() => new Uint8Array(graph.count))
  const [up, owner, item] = [0, 0, 0].map(() => new Int32Array(graph.count).fill(-1))
  /** @type {number[]} */
  const nodes = []
  for (const node of order) {
    const above = parent[node]
    if (above < 0) continue
    up[node] = isPart(above) && up[above] >= 0 ? up[above] : above
    if (!isChange(graph.id[node])) continue
    isNew[node] = 1
    isValue[node] = !isNew[above] && !isPart(node) && isVariable(graph, above, edge[node]) ? 1 : 0
    owner[node] = isValue[node] ? node : isNew[up[node]] ? owner[up[node]] : up[node]
    isOut[node] = isIgnored(node) || isIgnored(owner[node]) || isOut[up[node]] || isOut[above] ? 1 : 0
    if (isOut[node]) continue
    item[node] = item[above] >= 0 ? item[above] : isPart(node) || isValue[node] ? -1 : node
    // A new object's are its own, such as properties that don't fit into it.
    if (!isHidden(node) || item[node] >= 0) nodes.push(node)
  }
  return { nodes, isNew, isValue, up, owner, item }
}

/** @param {HeapGraph} graph @param {number} scope @param {number} edge */
function isVariable ({ name, strings, edgeType, edgeTypeNames }, scope, edge) {
  return edgeTypeNames[edgeType[edge]] === 'context' && isScopeName(strings[name[scope]])
}

/**
 * A variable's value in the later snapshot.
 *
 * @param {Heap} before @param {Heap} after @param {number} value @param {(id: number) => number} inAfter
 * @returns {number} -1: its scope is gone
 */
function successor (before, after, value, inAfter) {
  const scope = inAfter(before.graph.id[before.paths.parent[value]])
  if (scope < 0) return -1
  const name = before.graph.strings[before.graph.edgeName[before.paths.edge[value]]]
  const { firstEdge, edgeName, edgeTo, strings } = after.graph
  for (let edge = firstEdge[scope]; edge < firstEdge[scope + 1]; edge++) {
    if (isVariable(after.graph, scope, edge) && strings[edgeName[edge]] === name) return edgeTo[edge]
  }
  return scope
}

/**
 * Adds up what each object holds, and finds those that hold much that no single object below them accounts for.
 *
 * @param {{ order: Uint32Array, up: Int32Array, bytes: Float64Array, items: Float64Array, isNone: Uint8Array }} given
 *   isNone: what can't be a holder, since it's short-lived
 */
function accumulate ({ order, up, bytes, items, isNone }) {
  for (let at = order.length - 1; at > 0; at--) {
    const node = order[at]
    bytes[up[node]] += bytes[node]
    items[up[node]] += items[node]
  }
  // One object may hold more than the whole growth, if another let go.
  let largest = 0
  for (const node of order) largest = Math.max(largest, bytes[node])
  const least = Math.max(1, leastShare * largest)
  const [ownBytes, ownItems] = [Float64Array.from(bytes), Float64Array.from(items)]
  for (const node of order) {
    if (up[node] < 0 || isNone[node] || bytes[node] < least) continue
    let above = up[node]
    while (isNone[above]) above = up[above]
    ownBytes[above] -= bytes[node]
    ownItems[above] -= items[node]
  }
  const nearest = new Int32Array(up.length).fill(-1)
  const list = []
  for (const node of order) {
    const isOne = !isNone[node] && bytes[node] >= least && ownBytes[node] >= least
    nearest[node] = isOne ? node : up[node] < 0 ? -1 : nearest[up[node]]
    if (isOne) list.push({ node, bytes: ownBytes[node], items: ownItems[node] })
  }
  return { list, nearest }
}

/**
 * @param {HeapGraph} graph
 * @param {ReturnType<typeof charge>} come
 * @param {Int32Array} nearest
 * @param {{ node: number, items: number }} holder
 */
function contents (graph, { nodes, item }, nearest, { node: holder, items }) {
  const fresh = nodes.filter((node) => nearest[node] === holder)
  /** Including all new objects below it. @type {Map<number, number>} */
  const bytesOf = new Map()
  for (const node of fresh) {
    if (item[node] >= 0) bytesOf.set(item[node], (bytesOf.get(item[node]) ?? 0) + graph.selfSize[node])
  }
  const [most] = bySort(graph, [...bytesOf.keys()], (node) => bytesOf.get(node) ?? 0)
  return {
    typical: most ? most.nodes[Math.floor(most.nodes.length / 2)] : (fresh[0] ?? -1),
    // Some of the sort may have gone since.
    typicalCount: most ? Math.min(most.nodes.length, Math.max(0, items)) : 0,
    typicalBytes: most ? most.bytes / most.nodes.length : 0,
    sort: most?.name ?? '',
    made: bySort(graph, fresh, (node) => graph.selfSize[node]).map(({ name, nodes: alike, bytes }) => ({
      name,
      count: alike.length,
      bytes
    })),
    fresh
  }
}

/**
 * @param {HeapGraph} graph @param {number[]} nodes @param {(node: number) => number} bytesOf
 * @returns {{ name: string, nodes: number[], bytes: number }[]} by constructor, most bytes first
 */
function bySort (graph, nodes, bytesOf) {
  const { kindOf, kinds } = kindsOf(graph, nodes)
  const sorts = kinds.map(({ name }) => ({ name, nodes: /** @type {number[]} */ ([]), bytes: 0 }))
  for (const node of nodes) {
    const sort = sorts[kindOf[node]]
    sort.nodes.push(node)
    sort.bytes += bytesOf(node)
  }
  return sorts.sort((a, b) => b.bytes - a.bytes)
}

/**
 * The new objects below a holder that would stay if it let go, since others hold them as well.
 *
 * @param {HeapGraph} graph
 * @param {Dominators} dominators
 * @param {Pick<Holder, 'node' | 'fresh'>} holder
 * @returns {{ bytes: number, largest: number }} largest: the staying object with most bytes, -1: none
 */
export function sharedWithOthers ({ count, selfSize }, { dominator, order }, { node: holder, fresh }) {
  const isBelow = new Uint8Array(count)
  isBelow[holder] = 1
  // From the root down, so that the dominator is always known.
  for (let at = order.length - 2; at >= 0; at--) if (isBelow[dominator[order[at]]]) isBelow[order[at]] = 1
  const stays = fresh.filter((node) => !isBelow[node])
  return {
    bytes: stays.reduce((sum, node) => sum + selfSize[node], 0),
    largest: stays.reduce((most, node) => most < 0 || selfSize[node] > selfSize[most] ? node : most, -1)
  }
}

/**
 * Objects by constructor, named as Chrome DevTools names them. Pure.
 *
 * @typedef {object} Constructor
 * @property {string} name `(string)`, `(closure)`, `Map`, a class
 * @property {boolean} isInternal V8's own: compiled code, hidden classes and the like
 * @property {number} count of objects held
 * @property {number} selfBytes
 * @property {number} retainedBytes what would be freed with them; nested objects count once
 */

const internalTypes = new Set(['hidden', 'code', 'object shape', 'synthetic'])

/** @param {HeapGraph} graph @param {number} node @returns {string} */
function constructorName ({ type, typeNames, name, strings }, node) {
  const kind = typeNames[type[node]]
  if (kind === 'object' || kind === 'native') return strings[name[node]]
  if (kind === 'hidden') return '(system)'
  if (kind === 'code') return '(compiled code)'
  return `(${kind})`
}

/**
 * @param {HeapGraph} graph
 * @param {Dominators} dominators
 * @param {Float64Array} retained bytes
 * @returns {Map<string, Constructor>}
 */
export function byConstructor (graph, dominators, retained) {
  const { kindOf, kinds } = kindsOf(graph, dominators.order)
  for (const node of dominators.order) {
    const kind = kinds[kindOf[node]]
    kind.count++
    kind.selfBytes += graph.selfSize[node]
  }
  addRetained({ dominators, retained, kindOf, kinds })
  return new Map(kinds.map((kind) => [kind.name, kind]))
}

/** @param {HeapGraph} graph @param {Iterable<number>} nodes */
function kindsOf (graph, nodes) {
  const isNamed = typesOf(graph, ['object', 'native'])
  // Objects with the same key have one constructor: it's named once, not for each.
  const sortKey = (/** @type {number} */ node) => isNamed(node) ? graph.name[node] : -1 - graph.type[node]
  /** @type {Map<string | number, number>} */
  const known = new Map()
  /** @type {Constructor[]} */
  const kinds = []
  const kindOf = new Int32Array(graph.count).fill(-1)
  for (const node of nodes) {
    let at = known.get(sortKey(node))
    if (at === undefined) {
      const name = constructorName(graph, node)
      const isInternal = internalTypes.has(graph.typeNames[graph.type[node]]) || name.startsWith('system / ')
      at = known.get(name) ?? kinds.push({ name, isInternal, count: 0, selfBytes: 0, retainedBytes: 0 }) - 1
      known.set(name, at).set(sortKey(node), at)
    }
    kindOf[node] = at
  }
  return { kindOf, kinds }
}

/**
 * Walks down the tree of dominators: an object below another of the same kind is already in that one's retained size.
 *
 * @param {{ dominators: Dominators, retained: Float64Array, kindOf: Int32Array, kinds: Constructor[] }} given
 */
function addRetained ({ dominators: { dominator, order }, retained, kindOf, kinds }) {
  const first = new Uint32Array(dominator.length + 1)
  const root = order[order.length - 1]
  for (const node of order) if (node !== root) first[dominator[node] + 1]++
  for (let node = 0; node < dominator.length; node++) first[node + 1] += first[node]
  const free = first.slice(0, dominator.length)
  const below = new Uint32Array(order.length)
  for (const node of order) if (node !== root) below[free[dominator[node]]++] = node

  const open = new Uint32Array(kinds.length)
  const next = first.slice(0, dominator.length)
  const stack = new Uint32Array(order.length)
  let depth = 0
  const enter = (/** @type {number} */ node) => {
    const kind = kindOf[node]
    if (open[kind]++ === 0) kinds[kind].retainedBytes += retained[node]
    stack[depth++] = node
  }
  enter(root)
  while (depth > 0) {
    const node = stack[depth - 1]
    if (next[node] < first[node + 1]) {
      enter(below[next[node]++])
      continue
    }
    open[kindOf[node]]--
    depth--
  }
}

/**
 * @param {Map<string, Constructor>} before
 * @param {Map<string, Constructor>} after
 * @returns {Constructor[]} how much more there is of each, the largest growth of retained bytes first; only those that
 *   changed
 */
export function constructorGrowth (before, after) {
  const none = { count: 0, selfBytes: 0, retainedBytes: 0 }
  return [...new Set([...after.keys(), ...before.keys()])].map((name) => {
    const [one, other] = [before.get(name) ?? none, after.get(name) ?? none]
    return {
      name,
      isInternal: (after.get(name) ?? before.get(name))?.isInternal ?? false,
      count: other.count - one.count,
      selfBytes: other.selfBytes - one.selfBytes,
      retainedBytes: other.retainedBytes - one.retainedBytes
    }
  }).filter(({ count, selfBytes, retainedBytes }) => count !== 0 || selfBytes !== 0 || retainedBytes !== 0)
    .sort((a, b) => b.retainedBytes - a.retainedBytes || b.selfBytes - a.selfBytes)
}
