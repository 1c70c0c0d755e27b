import { WorkshopError } from '../../errors.js'
import { byWeight, growsWithRequests } from './heap-messages.js'
import { byConstructor, constructorGrowth, growingHolders, sharedWithOthers } from './holders.js'
import { kindOf, retainingChain, shortened, shortestPaths } from './retainers.js'
import { dominatorsOf, findById, readSnapshot, retainedSizes, SnapshotError } from './heap-graph.js'
import { declarationLine, isScopeName, placesIn } from './source-lines.js'

/**
 * @import { NamedHolder } from './heap-messages.js'
 * @import { Constructor } from './holders.js'
 * @import { Link } from './retainers.js'
 * @import { HeapGraph } from './heap-graph.js'
 * @import { Places } from './source-lines.js'
 *
 * @typedef {object} Comparison
 * @property {number} answers
 * @property {number} beforeBytes held, including V8's own objects
 * @property {number} afterBytes
 * @property {number} ownBytes the growth of V8's own: compiled code, hidden classes and the like
 * @property {Constructor[]} constructors how much more there is of each
 * @property {(NamedHolder & { made: { name: string, count: number, bytes: number }[] })[]} holders that grow with the
 *   requests
 * @property {{ bytes: number, sort: string } | null} native the growth of what Node.js holds outside JavaScript
 *   (handles, parsers), and what sort most of it is; null: little
 */

/**
 * @param {{ before: string, after: string, answers: number, dir: string, sourceOf: (file: string) => string | null }}
 *   given dir: of the server; sourceOf: of a file in it
 * @returns {Promise<Comparison | null>} null: a snapshot is too large
 * @throws {WorkshopError} a snapshot is incomplete
 */
export async function compareFiles ({ before, after, ...given }) {
  try {
    const first = await readSnapshot(before)
    const second = first && await readSnapshot(after)
    return first && second && compareSnapshots(first, second, given)
  } catch (error) {
    if (!(error instanceof SnapshotError) && error.code !== 'ENOENT') throw error
    throw new WorkshopError(
      `A heap snapshot was not written to its end (${error.message}) Is the disk full, or did the server end ` +
        'meanwhile?',
      { cause: error }
    )
  }
}

/**
 * @param {HeapGraph} before
 * @param {HeapGraph} after
 * @param {{ answers: number, dir: string, sourceOf: (file: string) => string | null }} given
 * @returns {Comparison}
 */
function compareSnapshots (before, after, { answers, dir, sourceOf }) {
  const [one, other] = [before, after].map(analyse)
  const find = findById(before)
  /** @param {number} node */
  const isOld = (node) => find(after.id[node]) >= 0
  const places = placesIn(after, { dir, isOld })
  const constructors = constructorGrowth(one.constructors, other.constructors)
  const growing = growingHolders(one, other).filter((holder) => growsWithRequests(holder, answers))
  const native = growing.find(({ isNative }) => isNative)
  return {
    answers,
    beforeBytes: one.retained[0],
    afterBytes: other.retained[0],
    ownBytes: constructors.filter(({ isInternal }) => isInternal).reduce((sum, { selfBytes }) => sum + selfBytes, 0),
    constructors,
    native: native ? { bytes: native.bytes, sort: native.sort } : null,
    holders: growing.filter(({ isNative }) => !isNative)
      .map((holder) => describeHolder(holder, { after: other, places, isOld, sourceOf })).sort(byWeight(answers))
  }
}

/** @param {HeapGraph} graph */
function analyse (graph) {
  const dominators = dominatorsOf(graph)
  const retained = retainedSizes(graph, dominators)
  return {
    graph,
    dominators,
    retained,
    paths: shortestPaths(graph),
    constructors: byConstructor(graph, dominators, retained)
  }
}

/**
 * A holder with the chain that leads to its growth, and with the part of that growth that others hold as well.
 *
 * @param {ReturnType<typeof growingHolders>[number]} holder
 * @param {object} given
 * @param {ReturnType<typeof analyse>} given.after
 * @param {Places} given.places
 * @param {(node: number) => boolean} given.isOld
 * @param {(file: string) => string | null} given.sourceOf
 */
function describeHolder (holder, { after: { graph, paths, dominators }, places, isOld, sourceOf }) {
  const { node, bytes, items, typical, typicalCount, typicalBytes } = holder
  const chain = retainingChain(graph, paths, places, typical, isOld)
  const shared = sharedWithOthers(graph, dominators, holder)
  /** Past the holder. */
  const otherChain = () =>
    retainingChain(graph, shortestPaths(graph, { without: node }), places, shared.largest, isOld)
  return {
    ...named(chain, node, { places, graph, sourceOf }),
    bytes,
    items,
    typical: sortOf(graph, places, typical),
    typicalCount,
    typicalBytes,
    made: holder.made.map(({ name, ...rest }) => ({
      name: isScopeName(name) ? 'variables of functions' : name,
      ...rest
    })),
    chain: shortened(chain),
    shared: shared.largest < 0 ? null : { bytes: shared.bytes, chain: shortened(otherChain(), { most: 7 }) }
  }
}

/**
 * @param {Link[]} chain
 * @param {number} node the holder
 * @param {{ places: Places, graph: HeapGraph, sourceOf: (file: string) => string | null }} given
 */
function named (chain, node, { places, graph, sourceOf }) {
  const at = chain.findIndex((link) => link.node === node && link.kind !== 'module')
  // A scope holds through its variables: the one on the path is the holder with a name.
  const link = places.isScope(node) ? chain.find(({ file }) => file !== '') : chain[at]
  const variable = link?.file ? link : chain.slice(0, at + 1).findLast(({ file }) => file !== '')
  const line = variable ? declarationLine(sourceOf(variable.file), variable.name) : null
  return {
    name: nameAlong(chain, variable, link),
    kind: link?.kind ?? kindOf(graph, places, node),
    event: chain[at - 1]?.name === '_events' ? chain[at].name : null,
    place: variable ? `${variable.file}${line === null ? '' : `:${line}`}` : places.ofFunction(node)?.place ?? ''
  }
}

/**
 * `tags.byUrl`, if only properties lead from the variable to it; else the last name on the path.
 *
 * @param {Link[]} chain @param {Link | undefined} variable @param {Link | undefined} link
 */
function nameAlong (chain, variable, link) {
  if (!link) return ''
  const between = variable ? chain.slice(chain.indexOf(variable), chain.indexOf(link) + 1) : []
  return between.length > 0 && between.every(({ name }) => name !== '')
    ? between.map(({ name }) => name).join('.')
    : link.name
}

/**
 * The sort of the many, without the details of this one.
 *
 * @param {HeapGraph} graph @param {Places} places @param {number} node
 */
function sortOf (graph, places, node) {
  if (node < 0) return ''
  return graph.typeNames[graph.type[node]] === 'string' ? 'string' : kindOf(graph, places, node)
}
