import { readCpuProfile } from '../../inside/index.js'

/**
 * The chain of holders, in readable form. Pure.
 *
 * @import { Owner } from '../../inside/index.js'
 * @import { HeapGraph } from './heap-graph.js'
 *
 * @typedef {object} Link
 * @property {number} node
 * @property {string} text `cache (Map)`, `.after (Array)`, `[4] Layer`, `an entry: Object`
 * @property {string} name `cache`, if a variable or a property names it, else empty
 * @property {string} kind `Map`
 * @property {string} file in which it's a variable, else empty
 *
 * @param {HeapGraph} graph
 * @param {Paths} paths
 * @param {Places} places
 * @param {number} node
 * @param {(node: number) => boolean} isOld was it there before?
 * @returns {Link[]} from the server's own variable nearest to the new objects, else from the root, to the object
 */
export function retainingChain (graph, paths, places, node, isOld) {
  const path = pathTo(paths, node)
  const lastOld = path.findLastIndex((step) => isOld(step.node))
  const links = (/** @type {number} */ from) =>
    path
      .slice(from)
      .flatMap((step, at) =>
        isPlumbing(graph, places, step.node) ? [] : [linkOf(graph, places, path[from + at - 1].node, step)]
      )
  // A variable whose whole value is new.
  const scope = lastOld > 0 && places.isScope(path[lastOld].node) ? path[lastOld].node : -1
  if (scope >= 0 && places.fileOf(scope) !== '') return [moduleLink(scope, places.fileOf(scope)), ...links(lastOld + 1)]
  const start = path.findLastIndex((step, at) => at <= lastOld && places.variableOf(step.node) !== null)
  const variable = start < 0 ? null : places.variableOf(path[start].node)
  if (variable) {
    return [
      moduleLink(variable.scope, variable.file),
      variableLink(graph, places, path[start].node, variable),
      ...links(start + 1)
    ]
  }
  return links(1)
}

/** @param {number} node @param {string} file @returns {Link} */
function moduleLink (node, file) {
  return { node, text: file, name: '', kind: 'module', file: '' }
}

/**
 * @param {HeapGraph} graph @param {Places} places @param {number} node
 * @param {{ name: string, file: string }} variable
 * @returns {Link}
 */
function variableLink (graph, places, node, { name, file }) {
  const kind = kindOf(graph, places, node)
  return { node, text: `${name} (${kind})`, name, kind, file }
}

/**
 * Parts of the object before them: tables, cells, scopes.
 *
 * @param {HeapGraph} graph @param {Places} places @param {number} node
 */
function isPlumbing ({ type, typeNames }, places, node) {
  return ['array', 'hidden', 'object shape'].includes(typeNames[type[node]]) || places.isScope(node)
}

/**
 * @param {HeapGraph} graph @param {Places} places @param {number} above
 * @param {{ node: number, edge: number }} step
 * @returns {Link}
 */
function linkOf (graph, places, above, { node, edge }) {
  const kind = kindOf(graph, places, node)
  const type = graph.edgeTypeNames[graph.edgeType[edge]]
  const unnamed = (/** @type {string} */ text) => ({ node, text, name: '', kind, file: '' })
  if (type === 'element') return unnamed(`[${graph.edgeName[edge]}] ${kind}`)
  const name = type === 'hidden' ? String(graph.edgeName[edge]) : graph.strings[graph.edgeName[edge]]
  if (type === 'context') return variableLink(graph, places, node, { name, file: places.fileOf(above) })
  if (type === 'property' || type === 'shortcut') {
    const key = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${name}]`
    return { ...unnamed(`${key} (${kind})`), name }
  }
  return unnamed(/^\d+$/.test(name) ? `an entry: ${kind}` : kind)
}

/**
 * @param {HeapGraph} graph @param {Places} places @param {number} node
 * @returns {string} `Map`, `function add (metrics.js:11)`, `"…"`
 */
export function kindOf (graph, places, node) {
  const { type, typeNames, name, strings } = graph
  const text = strings[name[node]]
  switch (typeNames[type[node]]) {
    case 'closure': {
      const { name: called = '', place = '' } = places.ofFunction(node) ?? {}
      if (called.startsWith('function at ')) return called
      return `function ${called}${place === '' ? '' : ` (${place})`}`
    }
    case 'string': return JSON.stringify(text.length > longestText ? `${text.slice(0, longestText)}…` : text)
    case 'concatenated string':
    case 'sliced string': return 'string'
    case 'code': return 'compiled code'
    case 'object': return text === '' ? 'Object' : text
    case 'native':
    case 'synthetic': return text
    default: return typeNames[type[node]]
  }
}

const longestText = 24

/**
 * @param {readonly Link[]} links
 * @param {{ most?: number }} [options] most: of links, at least 4
 * @returns {string[]}
 */
export function shortened (links, { most = 10 } = {}) {
  const texts = links.map(({ text }) => text)
  return texts.length <= most ? texts : [...texts.slice(0, 2), '…', ...texts.slice(texts.length - (most - 3))]
}

/**
 * The shortest path from the root to every object. Pure.
 *
 * @typedef {object} Paths
 * @property {Int32Array} parent of each object; -1 for the root and for unreachable objects
 * @property {Int32Array} edge by which the parent holds it
 * @property {Uint32Array} order the reachable objects, each after its parent
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

/**
 * Where the functions of a heap are, and whose they are.
 *
 * @typedef {{ name: string, place: string, owner: Owner }} SourceLocation place: `lib/cache.js:12`; empty where unknown
 *
 * @typedef {object} Variable
 * @property {string} name
 * @property {string} file in which it's declared
 * @property {number} scope
 *
 * @typedef {ReturnType<typeof placesIn>} Places ofFunction: null for what isn't a function; isScope: does it hold the
 *   variables that closures use (V8: a context)? fileOf: the file with the variables of a scope, empty if no function
 *   tells; variableOf: a variable of the server's own code that holds it directly
 *
 * @param {HeapGraph} graph
 * @param {{ dir: string, isOld?: (node: number) => boolean }} options dir: of the server; isOld: variables in other
 *   scopes don't count: they're short-lived
 */
export function placesIn (graph, { dir, isOld = () => true }) {
  const closure = graph.typeNames.indexOf('closure')
  /** Many functions share one code. @type {Map<number, SourceLocation>} */
  const known = new Map()
  const ofFunction = (/** @type {number} */ node) => {
    if (node < 0 || graph.type[node] !== closure) return null
    const shared = follow(graph, node, 'shared')
    const place = known.get(shared) ?? placeOf(graph, node, shared, dir)
    known.set(shared, place)
    return place
  }
  const isScope = (/** @type {number} */ node) => isScopeName(graph.strings[graph.name[node]])
  /** @type {Map<number, number> | null} */
  let functions = null
  const functionIn = (/** @type {number} */ scope) => {
    functions ??= functionsByScope(graph, closure)
    return ofFunction(functions.get(scope) ?? -1)
  }
  /** @type {Map<number, Variable> | null} */
  let variables = null
  const fileOf = (/** @type {number} */ scope) => functionIn(scope)?.place.replace(/:\d+$/, '') ?? ''
  return {
    ofFunction,
    isScope,
    fileOf,
    variableOf: (/** @type {number} */ node) => {
      functions ??= functionsByScope(graph, closure)
      variables ??= variablesIn(
        graph,
        [...functions.keys()]
          .filter((scope) => isScope(scope) && isOld(scope) && functionIn(scope)?.owner === 'yours')
          .map((scope) => ({ scope, file: fileOf(scope) }))
      )
      return variables.get(node) ?? null
    }
  }
}

/** Scopes are what V8 calls contexts. @param {string} name of an object */
export function isScopeName (name) {
  return /^system \/ \w*Context\b/.test(name)
}

/**
 * Named as in a CPU profile.
 *
 * @param {HeapGraph} graph @param {number} node @param {number} shared @param {string} dir @returns {SourceLocation}
 */
function placeOf (graph, node, shared, dir) {
  const callFrame = {
    functionName: graph.strings[graph.name[node]],
    url: scriptOf(graph, shared),
    lineNumber: graph.line[node] - 1,
    columnNumber: graph.column[node] - 1
  }
  const { name, place, owner } = readCpuProfile(
    { nodes: [{ id: 1, callFrame }], samples: [], timeDeltas: [] },
    { dir }
  ).root
  return { name, place: graph.line[node] === 0 ? '' : place, owner }
}

/**
 * @param {HeapGraph} graph
 * @param {{ scope: number, file: string }[]} scopes
 * @returns {Map<number, Variable>} by what they hold
 */
function variablesIn ({ strings, firstEdge, edgeName, edgeTo, edgeType, edgeTypeNames }, scopes) {
  const context = edgeTypeNames.indexOf('context')
  const variables = new Map()
  for (const { scope, file } of scopes) {
    for (let edge = firstEdge[scope]; edge < firstEdge[scope + 1]; edge++) {
      if (edgeType[edge] === context && !variables.has(edgeTo[edge])) {
        variables.set(edgeTo[edge], { name: strings[edgeName[edge]], file, scope })
      }
    }
  }
  return variables
}

/** @param {HeapGraph} graph @param {number} closure */
function functionsByScope ({ count, type, strings, firstEdge, edgeName, edgeTo, edgeType, edgeTypeNames }, closure) {
  const internal = edgeTypeNames.indexOf('internal')
  const context = strings.indexOf('context')
  const functions = new Map()
  for (let node = 0; node < count; node++) {
    if (type[node] !== closure) continue
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      if (edgeType[edge] === internal && edgeName[edge] === context && !functions.has(edgeTo[edge])) {
        functions.set(edgeTo[edge], node)
      }
    }
  }
  return functions
}

/**
 * @param {HeapGraph} graph
 * @param {number} shared what all functions of one code share
 * @returns {string} URL or path of its script; may be empty
 */
function scriptOf (graph, shared) {
  // V8 of Node.js 20 and 22 calls it script_or_debug_info.
  const script = follow(graph, shared, 'script', 'script_or_debug_info')
  const url = script < 0 ? '' : graph.strings[graph.name[script]]
  return url.startsWith('system / ') ? '' : url
}

/**
 * @param {HeapGraph} graph
 * @param {number} node
 * @param {string[]} names of the edge
 * @returns {number} -1: none
 */
function follow ({ strings, firstEdge, edgeName, edgeTo, edgeType, edgeTypeNames }, node, ...names) {
  if (node < 0) return -1
  for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
    if (edgeTypeNames[edgeType[edge]] === 'internal' && names.includes(strings[edgeName[edge]])) return edgeTo[edge]
  }
  return -1
}

/**
 * @param {string | null} source of a file
 * @param {string} variable
 * @returns {number | null} the line, from 1, that declares the only variable of that name; null: there's
 *   none, or more than one
 */
export function declarationLine (source, variable) {
  if (source === null || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(variable)) return null
  const name = variable.replaceAll('$', '\\$')
  const keyword = '^\\s*(?:export\\s+)?(?:const|let|var)\\s+'
  const declares = new RegExp(`${keyword}(?:[^=]*[\\s,{[])?${name}(?![\\p{ID_Continue}$])`, 'u')
  const lines = source.split('\n').flatMap((line, at) => declares.test(line) ? [at + 1] : [])
  return lines.length === 1 ? lines[0] : null
}
