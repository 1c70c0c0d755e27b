import fs from 'node:fs'

/**
 * A heap snapshot of V8 as a graph in typed arrays: objects are numbered from 0, which is the root, and so are the
 * references (edges) between them. A heap has hundreds of thousands of them, so none gets a JavaScript object of its
 * own.
 *
 * @typedef {object} HeapGraph
 * @property {number} count of objects
 * @property {string[]} strings
 * @property {string[]} typeNames `object`, `closure`, `string` …
 * @property {Uint8Array} type of each object, an index of typeNames
 * @property {Uint32Array} name of each object, an index of strings
 * @property {Float64Array} id of each object: the same in all snapshots of one process
 * @property {Float64Array} selfSize bytes
 * @property {Int32Array} line where a function is, from 1; 0: unknown
 * @property {Int32Array} column from 1
 * @property {Uint32Array} firstEdge of each object, and one more at the end: its edges are those up to the first of the
 *   next
 * @property {string[]} edgeTypeNames `context`, `element`, `property`, `internal` …
 * @property {Uint8Array} edgeType an index of edgeTypeNames
 * @property {Uint32Array} edgeName an index of strings; an index itself for edges of type element and hidden
 * @property {Uint32Array} edgeTo an object's number
 * @property {Uint8Array} strong 1 if the edge keeps its object alive
 */

/** Larger files are not read: their text would not fit into one string of V8. */
const mostBytes = 500e6

/** The file isn't a snapshot, or is incomplete. */
export class SnapshotError extends Error {}

/**
 * @param {string} file
 * @returns {Promise<HeapGraph | null>} null: too large
 * @throws {SnapshotError}
 */
export async function readSnapshot (file) {
  const { size } = await fs.promises.stat(file)
  return size > mostBytes ? null : parseSnapshot(await fs.promises.readFile(file))
}

/**
 * Reads the numbers from the bytes: JSON.parse would first make arrays of twice the size.
 *
 * @param {Buffer} bytes a `.heapsnapshot` file, whose parts V8 always writes in this order: snapshot, nodes, edges,
 *   locations, strings
 * @returns {HeapGraph}
 * @throws {SnapshotError}
 */
export function parseSnapshot (bytes) {
  const nodesAt = after(bytes, '"nodes":[', 0)
  const head = bytes.toString('utf8', 0, nodesAt - '"nodes":['.length).trimEnd().replace(/,$/, '}')
  const { meta, node_count: count, edge_count: edgeCount } = parsed(head).snapshot
  const nodes = readNumbers(bytes, nodesAt, new Float64Array(count * meta.node_fields.length))
  const edgesAt = after(bytes, '"edges":[', nodes.end)
  const edges = readNumbers(bytes, edgesAt, new Uint32Array(edgeCount * meta.edge_fields.length))
  const stringsAt = after(bytes, '"strings":[', edges.end)
  const graph = {
    count,
    strings: parsed(bytes.toString('utf8', stringsAt - 1, bytes.lastIndexOf('}'))),
    typeNames: meta.node_types[0],
    edgeTypeNames: meta.edge_types[0],
    ...columnsOfNodes(nodes.numbers, count, meta.node_fields),
    ...columnsOfEdges(edges.numbers, edgeCount, meta),
    ...places(bytes, edges.end, count, meta)
  }
  return { ...graph, strong: strongEdges(graph) }
}

/** @param {Buffer} bytes @param {string} key @param {number} from */
function after (bytes, key, from) {
  const at = bytes.indexOf(key, from)
  if (at < 0) throw new SnapshotError('The heap snapshot is not whole.')
  return at + key.length
}

/** @param {string} text @returns {any} */
function parsed (text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SnapshotError('The heap snapshot is not whole.', { cause: error })
  }
}

/**
 * @template {Float64Array | Uint32Array} T
 * @param {Buffer} bytes @param {number} at the first byte after the bracket @param {T} numbers to be filled
 * @returns {{ numbers: T, end: number }}
 */
function readNumbers (bytes, at, numbers) {
  let value = 0
  let inNumber = false
  let count = 0
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte >= 48 && byte <= 57) {
      value = value * 10 + byte - 48
      inNumber = true
      continue
    }
    if (inNumber) numbers[count++] = value
    value = 0
    inNumber = false
    if (byte === 93) break
  }
  if (count !== numbers.length || at === bytes.length) throw new SnapshotError('The heap snapshot is not whole.')
  return { numbers, end: at }
}

/** @param {Float64Array} numbers @param {number} count @param {string[]} fields */
function columnsOfNodes (numbers, count, fields) {
  const column = columnIn(numbers, fields)
  const edges = column('edge_count', new Uint32Array(count))
  const firstEdge = new Uint32Array(count + 1)
  for (let node = 0; node < count; node++) firstEdge[node + 1] = firstEdge[node] + edges[node]
  return {
    type: column('type', new Uint8Array(count)),
    name: column('name', new Uint32Array(count)),
    id: column('id', new Float64Array(count)),
    selfSize: column('self_size', new Float64Array(count)),
    firstEdge
  }
}

/** @param {Uint32Array} numbers @param {number} count @param {any} meta */
function columnsOfEdges (numbers, count, { edge_fields: fields, node_fields: nodeFields }) {
  const column = columnIn(numbers, fields)
  return {
    edgeType: column('type', new Uint8Array(count)),
    edgeName: column('name_or_index', new Uint32Array(count)),
    // V8 gives the place in the list of numbers, not the number of the object.
    edgeTo: column('to_node', new Uint32Array(count)).map((place) => place / nodeFields.length)
  }
}

/** @param {Float64Array | Uint32Array} numbers row after row @param {string[]} fields of a row */
function columnIn (numbers, fields) {
  /** @template {Uint8Array | Uint32Array | Float64Array} T @param {string} field @param {T} column to be filled */
  return (field, column) => {
    for (let row = 0, at = fields.indexOf(field); row < column.length; row++, at += fields.length) {
      column[row] = numbers[at]
    }
    return column
  }
}

/** The lines of functions. @param {Buffer} bytes @param {number} from @param {number} count @param {any} meta */
function places (bytes, from, count, { location_fields: fields, node_fields: nodeFields }) {
  const columns = { line: new Int32Array(count), column: new Int32Array(count) }
  const key = '"locations":['
  const at = bytes.indexOf(key, from)
  if (at < 0 || !fields) return columns
  const [node, line, column] = ['object_index', 'line', 'column'].map((field) => fields.indexOf(field))
  const list = JSON.parse(bytes.toString('latin1', at + key.length - 1, bytes.indexOf(']', at) + 1))
  for (let i = 0; i < list.length; i += fields.length) {
    columns.line[list[i + node] / nodeFields.length] = list[i + line] + 1
    columns.column[list[i + node] / nodeFields.length] = list[i + column] + 1
  }
  return columns
}

const inWeakMap = / pair in WeakMap \(table @(\d+)\)/

/**
 * Which edges keep their object alive, as DevTools sees it: weak ones don't, a shortcut duplicates another edge
 * unless it is the root's, and an entry of a WeakMap is held by its key, not by the table. V8's table of unique
 * strings doesn't hold them either, though newer versions of V8 don't mark it as weak.
 *
 * @param {Omit<HeapGraph, 'strong'>} graph
 */
export function strongEdges ({ count, strings, name, id, firstEdge, edgeTypeNames, edgeType, edgeName }) {
  const [weak, shortcut, internal] = ['weak', 'shortcut', 'internal'].map((name) => edgeTypeNames.indexOf(name))
  /** Id of the table by name of the edge; 0 for other names. */
  const table = new Float64Array(strings.length).fill(-1)
  const tableOf = (/** @type {number} */ name) => {
    if (table[name] === -1) table[name] = Number(inWeakMap.exec(strings[name])?.[1] ?? 0)
    return table[name]
  }
  const stringTable = strings.indexOf('(Internalized strings)')
  const strong = new Uint8Array(edgeType.length)
  for (let node = 0; node < count; node++) {
    if (name[node] === stringTable) continue
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      const type = edgeType[edge]
      if (type === weak || (type === shortcut && node !== 0)) continue
      if (type === internal && tableOf(edgeName[edge]) === id[node]) continue
      strong[edge] = 1
    }
  }
  return strong
}

/** Beyond it, a list by id would take too much memory. */
const largestListed = 2 ** 26

/**
 * @param {Pick<HeapGraph, 'id'>} graph
 * @returns {(id: number) => number} the object with that id, or -1
 */
export function findById ({ id }) {
  let largest = 0
  for (const one of id) if (one > largest) largest = one
  if (largest > largestListed) {
    const nodes = new Map(Array.from(id, (one, node) => [one, node]))
    return (one) => nodes.get(one) ?? -1
  }
  const nodes = new Int32Array(largest + 1).fill(-1)
  for (let node = 0; node < id.length; node++) nodes[id[node]] = node
  return (one) => one <= largest ? nodes[one] : -1
}

/**
 * Which objects a single object keeps alive. Pure.
 *
 * An object dominates another if every path from the root to the other leads through it: when it goes, the other goes,
 * too. Its retained size is the size of all that it dominates.
 *
 * K. D. Cooper, T. J. Harvey, K. Kennedy: "A Simple, Fast Dominance Algorithm", Software Practice and Experience 4,
 * 2001 (Rice University, TR-06-33870), figure 3.
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
