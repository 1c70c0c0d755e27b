import { readCpuProfile } from '../../inside/index.js'

/**
 * Where the functions of a heap are, and whose they are.
 *
 * @import { Owner } from '../../inside/index.js'
 * @import { HeapGraph } from './heap-graph.js'
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
