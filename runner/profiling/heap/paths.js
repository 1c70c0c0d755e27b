/**
 * The shortest path from the root to every object. Pure.
 *
 * @import { HeapGraph } from './snapshot.js'
 *
 * @typedef {object} Paths
 * @property {Int32Array} parent of each object; -1 for the root and for unreachable objects
 * @property {Int32Array} edge by which the parent holds it
 * @property {Uint32Array} order the reachable objects, each after its parent
 *
 *
 * @param {HeapGraph} graph
 * @param {{ without?: number }} [options] without: leave out the paths through this object
 * @returns {Paths} paths through V8's own objects (compiled code, hidden classes) only if there are no others
 */
export function shortestPaths ({ count, type, typeNames, firstEdge, edgeTo, strong }, { without = -1 } = {}) {
  const isLater = typeNames.map((name) => name === 'code' || name === 'hidden' || name === 'object shape')
  const parent = new Int32Array(count).fill(-1)
  const edgeOf = new Int32Array(count).fill(-1)
  const order = new Uint32Array(count)
  const isSeen = new Uint8Array(count)
  isSeen[0] = 1
  if (without >= 0) isSeen[without] = 1
  let end = 1
  /** @type {number[]} */
  let later = []
  for (let at = 0; at < end; at++) {
    const node = order[at]
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      const to = edgeTo[edge]
      if (!strong[edge] || isSeen[to]) continue
      isSeen[to] = 1
      parent[to] = node
      edgeOf[to] = edge
      if (isLater[type[to]]) later.push(to)
      else order[end++] = to
    }
    if (at + 1 < end) continue
    for (const waiting of later) order[end++] = waiting
    later = []
  }
  return { parent, edge: edgeOf, order: order.subarray(0, end) }
}

/**
 * @param {Paths} paths
 * @param {number} node
 * @returns {{ node: number, edge: number }[]} from the root (edge -1) to the object
 */
export function pathTo ({ parent, edge }, node) {
  const path = []
  for (let at = node; at >= 0; at = parent[at]) path.unshift({ node: at, edge: edge[at] })
  return path
}
