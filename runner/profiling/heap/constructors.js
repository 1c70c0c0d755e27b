/**
 * Objects by constructor, named as Chrome DevTools names them. Pure.
 *
 * @import { Dominators } from './dominators.js'
 * @import { HeapGraph } from './snapshot.js'
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
export function constructorName ({ type, typeNames, name, strings }, node) {
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

/** @param {HeapGraph} graph @param {Uint32Array} nodes */
function kindsOf (graph, nodes) {
  const { count, type, typeNames, name, strings } = graph
  /** @type {Map<string, number>} */
  const byName = new Map()
  /** @type {Constructor[]} */
  const kinds = []
  // One look-up per type and name, not per object.
  /** @type {Int32Array[]} */
  const known = []
  const isNamed = typeNames.map((one) => one === 'object' || one === 'native')
  const kindOf = new Int32Array(count).fill(-1)
  for (const node of nodes) {
    const its = type[node]
    const list = known[its] ??= new Int32Array(isNamed[its] ? strings.length : 1).fill(-1)
    const at = isNamed[its] ? name[node] : 0
    if (list[at] === -1) {
      const title = constructorName(graph, node)
      list[at] = byName.get(title) ?? kinds.length
      if (list[at] === kinds.length) {
        byName.set(title, kinds.length)
        kinds.push({
          name: title,
          isInternal: internalTypes.has(typeNames[its]) || title.startsWith('system / '),
          count: 0,
          selfBytes: 0,
          retainedBytes: 0
        })
      }
    }
    kindOf[node] = list[at]
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
 * @typedef {object} ConstructorGrowth
 * @property {string} name
 * @property {boolean} isInternal
 * @property {number} count how many more there are; negative: fewer
 * @property {number} selfBytes
 * @property {number} retainedBytes
 *
 * @param {Map<string, Constructor>} before
 * @param {Map<string, Constructor>} after
 * @returns {ConstructorGrowth[]} the largest growth of retained bytes first; only those that changed
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
