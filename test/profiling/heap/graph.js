import { strongEdges } from '../../../runner/profiling/heap/heap-graph.js'

/**
 * A small heap, made by hand: `{ root: ['a', 'b'], a: ['c'] }`; an edge is `name`, or `{ to, type, name }`.
 *
 * @typedef {string | { to: string, type?: string, name?: string | number }} MadeEdge
 * @typedef {{ type?: string, name?: string, id?: number, size?: number }} MadeNode
 *
 * @param {Record<string, MadeEdge[]>} edges the first key is the root
 * @param {Record<string, MadeNode>} [nodes]
 */
export function makeHeap (edges, nodes = {}) {
  const keys = [
    ...new Set([
      ...Object.keys(edges),
      ...Object.keys(nodes),
      ...Object.values(edges).flat().map((edge) => typeof edge === 'string' ? edge : edge.to)
    ])
  ]
  const typeNames = [
    'hidden', 'array', 'string', 'object', 'code', 'closure', 'regexp', 'number',
    'native', 'synthetic', 'concatenated string', 'sliced string', 'symbol', 'bigint', 'object shape'
  ]
  const edgeTypeNames = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak']
  /** @type {string[]} */
  const strings = []
  const stringAt = (/** @type {string} */ text) =>
    strings.includes(text) ? strings.indexOf(text) : strings.push(text) - 1
  const all = keys.map((key) => edges[key] ?? [])
  const list = all.flat().map((edge) => ({ type: 'property', ...typeof edge === 'string' ? { to: edge } : edge }))
  const given = keys.map((key, at) => ({
    type: at === 0 ? 'synthetic' : 'object',
    name: key,
    id: at * 2 + 1,
    size: 10,
    ...nodes[key]
  }))
  const firstEdge = new Uint32Array(keys.length + 1)
  all.forEach((its, at) => { firstEdge[at + 1] = firstEdge[at] + its.length })
  const graph = {
    count: keys.length,
    strings,
    typeNames,
    type: Uint8Array.from(given, ({ type }) => typeNames.indexOf(type)),
    name: Uint32Array.from(given, ({ name }) => stringAt(name)),
    id: Float64Array.from(given, ({ id }) => id),
    selfSize: Float64Array.from(given, ({ size }) => size),
    line: new Int32Array(keys.length),
    column: new Int32Array(keys.length),
    firstEdge,
    edgeTypeNames,
    edgeType: Uint8Array.from(list, ({ type }) => edgeTypeNames.indexOf(type)),
    edgeName: Uint32Array.from(list, ({ name, to }) => typeof name === 'number' ? name : stringAt(name ?? to)),
    edgeTo: Uint32Array.from(list, ({ to }) => keys.indexOf(to))
  }
  return { graph: { ...graph, strong: strongEdges(graph) }, at: (/** @type {string} */ key) => keys.indexOf(key), keys }
}

/** A snapshot of a made heap as V8 writes it. @param {ReturnType<typeof makeHeap>['graph']} graph */
export function asFile (graph) {
  const nodes = [...graph.id].map((id, at) => [
    graph.type[at],
    graph.name[at],
    id,
    graph.selfSize[at],
    graph.firstEdge[at + 1] - graph.firstEdge[at],
    0,
    0
  ])
  const edges = [...graph.edgeTo].map((to, at) => [graph.edgeType[at], graph.edgeName[at], to * 7])
  const meta = {
    node_fields: ['type', 'name', 'id', 'self_size', 'edge_count', 'trace_node_id', 'detachedness'],
    node_types: [graph.typeNames, 'string', 'number', 'number', 'number', 'number', 'number'],
    edge_fields: ['type', 'name_or_index', 'to_node'],
    edge_types: [graph.edgeTypeNames, 'string_or_number', 'node'],
    location_fields: ['object_index', 'script_id', 'line', 'column']
  }
  const snapshot = { meta, node_count: graph.count, edge_count: graph.edgeTo.length, trace_function_count: 0 }
  return `{"snapshot":${JSON.stringify(snapshot)},
"nodes":[${nodes.join('\n,')}],
"edges":[${edges.join('\n,')}],
"trace_function_infos":[],
"trace_tree":[],
"samples":[],
"locations":[${[7, 3, 11, 4].join(',')}],
"strings":${JSON.stringify(graph.strings)}}`
}
