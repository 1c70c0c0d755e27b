/**
 * Which objects a single object keeps alive. Pure.
 *
 * An object dominates another if every path from the root to the other leads through it: when it goes, the other goes,
 * too. Its retained size is the size of all that it dominates.
 *
 * K. D. Cooper, T. J. Harvey, K. Kennedy: "A Simple, Fast Dominance Algorithm", Software Practice and Experience 4,
 * 2001 (Rice University, TR-06-33870), figure 3.
 *
 * @import { HeapGraph } from './snapshot.js'
 *
 * @typedef {object} Dominators
 * @property {Int32Array} dominator of each object, the nearest; the root's is itself, -1 if no path leads from
 *   the root to it
 * @property {Uint32Array} order the reachable objects, each after all that it dominates; the root is the last
 *
 * @param {Pick<HeapGraph, 'count' | 'firstEdge' | 'edgeTo' | 'strong'>} graph
 * @returns {Dominators}
 */
export function dominatorsOf (graph) {
  const { order, position } = postorder(graph)
  const { first, from } = predecessors(graph, position, order)
  const root = order.length - 1
  // From here on, objects go by their position in the order.
  const above = new Int32Array(order.length).fill(-1)
  above[root] = root
  for (let isStable = false; !isStable;) {
    isStable = true
    for (let at = root - 1; at >= 0; at--) {
      let nearest = -1
      for (let i = first[at]; i < first[at + 1] && nearest !== root; i++) {
        const other = from[i]
        if (above[other] === -1) continue
        nearest = nearest === -1 || other === root ? other : intersect(above, other, nearest)
      }
      if (above[at] === nearest) continue
      above[at] = nearest
      isStable = false
    }
  }
  const dominator = new Int32Array(graph.count).fill(-1)
  for (let at = 0; at <= root; at++) dominator[order[at]] = order[above[at]]
  return { dominator, order }
}

/** @param {Int32Array} above @param {number} one @param {number} other */
function intersect (above, one, other) {
  while (one !== other) {
    while (one < other) one = above[one]
    while (other < one) other = above[other]
  }
  return one
}

/**
 * @param {Pick<HeapGraph, 'count' | 'firstEdge' | 'edgeTo' | 'strong'>} graph
 * @returns {{ order: Uint32Array, position: Int32Array }} position: of each object in the order, -1 if it can't be
 *   reached
 */
function postorder ({ count, firstEdge, edgeTo, strong }) {
  const order = new Uint32Array(count)
  const position = new Int32Array(count).fill(-1)
  const isSeen = new Uint8Array(count)
  const next = firstEdge.slice(0, count)
  const stack = new Uint32Array(count)
  let depth = 1
  let done = 0
  isSeen[0] = 1
  while (depth > 0) {
    const node = stack[depth - 1]
    const edge = next[node]
    if (edge === firstEdge[node + 1]) {
      position[node] = done
      order[done++] = node
      depth--
      continue
    }
    next[node]++
    const to = edgeTo[edge]
    if (!strong[edge] || isSeen[to]) continue
    isSeen[to] = 1
    stack[depth++] = to
  }
  return { order: order.subarray(0, done), position }
}

/**
 * @param {Pick<HeapGraph, 'firstEdge' | 'edgeTo' | 'strong'>} graph
 * @param {Int32Array} position @param {Uint32Array} order
 */
function predecessors ({ firstEdge, edgeTo, strong }, position, order) {
  const first = new Uint32Array(order.length + 1)
  for (const node of order) {
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      if (strong[edge]) first[position[edgeTo[edge]] + 1]++
    }
  }
  for (let at = 0; at < order.length; at++) first[at + 1] += first[at]
  const free = first.slice(0, order.length)
  const from = new Uint32Array(first[order.length])
  for (let at = 0; at < order.length; at++) {
    const node = order[at]
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      if (strong[edge]) from[free[position[edgeTo[edge]]]++] = at
    }
  }
  return { first, from }
}

/**
 * @param {Pick<HeapGraph, 'selfSize'>} graph
 * @param {Dominators} dominators
 * @returns {Float64Array} bytes; for an unreachable object, its own size
 */
export function retainedSizes ({ selfSize }, { dominator, order }) {
  const retained = Float64Array.from(selfSize)
  for (let at = 0; at < order.length - 1; at++) retained[dominator[order[at]]] += retained[order[at]]
  return retained
}
