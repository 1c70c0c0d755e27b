import { WorkshopError } from '../../shared/errors.js'
import { shownName } from '../../inside/index.js'
import { formatCount, html, htmlPage, sectionsHtml } from '../../report/index.js'
import { dominatorsOf, findById, readSnapshot, retainedSizes, SnapshotError } from './heap-graph.js'
import {
  allocationSentence, bytesText, byWeight, growsWithRequests, growthSentences, nameOf, signed
} from './heap-messages.js'
import { byConstructor, constructorGrowth, growingHolders, sharedWithOthers } from './holders.js'
import {
  declarationLine, isScopeName, kindOf, placesIn, retainingChain, shortened, shortestPaths
} from './retainers.js'

/**
 * The memory that's held: two snapshots compared, and what came of it in sections for the terminal and the page.
 *
 * @import { Section } from '../../report/index.js'
 * @import { HeapGraph } from './heap-graph.js'
 * @import { Allocations } from './heap-messages.js'
 * @import { Link, Places } from './retainers.js'
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
 * The growth between two snapshots. Bytes are held, including V8's own objects; ownBytes is the growth of V8's own:
 * compiled code, hidden classes and the like; native the growth of what Node.js holds outside JavaScript (handles,
 * parsers) and what sort most of it is, null if it's little; holders are those that grow with the requests.
 *
 * @typedef {ReturnType<typeof compareSnapshots>} Comparison
 *
 * @param {HeapGraph} before @param {HeapGraph} after
 * @param {{ answers: number, dir: string, sourceOf: (file: string) => string | null }} given
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

const mostRows = 40
const mostInTerminal = 10
/** Rows below this share of the largest are noise. */
const leastOfLargest = 0.01
const tooLarge = 'A heap snapshot is larger than 500 MB, so the two were not compared here. Chrome DevTools can load ' +
  'both (Memory, Load; then Comparison), given memory enough. With fewer `--seconds` the second one gets smaller.'

/**
 * @param {string} title `Lesson 13, your server`
 * @param {Section[]} sections
 * @returns {string} HTML
 */
export function heapPage (title, sections) {
  return htmlPage({
    title: `${title}: heap`,
    styles: [style],
    body: html`<h1>${title}: what memory is held</h1>
${sectionsHtml(sections)}
<h2>Look further</h2>
<p>Both snapshots and the allocations are next to this page. In Chrome DevTools open Memory, load the two
<code>.heapsnapshot</code> files, choose the second one and “Comparison”. The <code>.heapprofile</code> opens there as
well.</p>`
  })
}

const style = `
.chain { list-style: none; margin: .25rem 0 .75rem; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem; }
.chain li { display: flex; align-items: center; gap: .3rem; max-width: 100%; }
.chain code { padding: .1rem .45rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
.chain li:not(:last-child)::after { content: '→'; color: var(--soft); }
`

/**
 * @param {{ comparison: Comparison | null, allocations: Allocations, missing: string | null, problems: string[] }}
 *   found comparison: null if the heap is too large; problems: wrong and lost answers
 * @returns {Section[]}
 */
export function heapSections ({ comparison, allocations, missing, problems }) {
  return [
    { title: 'Reading', text: readingOf(comparison, allocations) },
    ...comparison ? [grown(comparison), ...comparison.holders.map((one, at) => held(one, at, comparison.answers))] : [],
    allocated(allocations),
    { title: 'Not seen', text: missing === null ? [] : [missing] },
    { title: 'Wrong', text: problems.slice(0, 3) }
  ]
}

/** @param {Comparison | null} comparison @param {Allocations} allocations */
function readingOf (comparison, allocations) {
  const growth = comparison === null
    ? [tooLarge]
    : growthSentences({ ...comparison, heapBytes: comparison.afterBytes - comparison.beforeBytes })
  // If nothing grows, the rest is too little to mention.
  const allocated = comparison?.holders.length === 0 ? null : allocationSentence(allocations)
  return allocated === null ? growth : [...growth, allocated]
}

/** @param {Comparison} comparison @returns {Section} */
function grown ({ answers, beforeBytes, afterBytes, ownBytes, constructors, native }) {
  // A learner can't look for V8's own, nor for what didn't grow.
  const rows = constructors.filter(({ isInternal, count, selfBytes, retainedBytes }) =>
    !isInternal && retainedBytes > 0 && (count > 0 || selfBytes > 0)).slice(0, mostRows)
  const shares = rows.map(({ retainedBytes }) => retainedBytes / rows[0].retainedBytes)
  return {
    title: 'What grew',
    text: [
      `${formatCount(answers)} answers lie between two snapshots; the heap held ${bytesText(beforeBytes)} before and ` +
        `${bytesText(afterBytes)} after. ${bytesText(Math.abs(ownBytes))} ${ownBytes < 0 ? 'less' : 'more'} is V8’s ` +
        'own (compiled code, hidden classes), and left out here.'
    ],
    columns: ['constructor', '#objects', '#self', '#retained', '#per request'],
    rows: rows.map(({ name, count, selfBytes, retainedBytes }) => [
      name,
      signed(count, formatCount),
      ...[selfBytes, retainedBytes, retainedBytes / answers].map((bytes) => signed(bytes, bytesText))
    ]),
    most: Math.min(mostInTerminal, shares.filter((share) => share >= leastOfLargest).length),
    bars: shares,
    notes: rows.length === 0
      ? []
      : [
          ...native === null
            ? []
            : [`Node.js itself, outside of JavaScript, holds ${bytesText(native.bytes)} more: sockets, timers, ` +
              `parsers and the like, most of it ${native.sort}. It keeps some of them for later.`],
          'Retained is what would be freed with them: a constructor whose objects hold others has theirs in it too.'
        ]
  }
}

/** @param {Comparison['holders'][number]} holder @param {number} at @param {number} answers @returns {Section} */
function held (holder, at, answers) {
  const { bytes, items, chain, made, shared } = holder
  const all = { name: 'all that is new', count: items, bytes }
  const rows = [all, ...made.slice(0, 8)]
  return {
    title: `${at === 0 ? 'Held by' : 'And by'} ${nameOf(holder)}`,
    chain,
    columns: ['on it hang', '#objects', '#bytes', '#per request'],
    rows: rows.map((one) => [
      one.name,
      signed(one.count, formatCount),
      ...[one.bytes, one.bytes / answers].map((some) => signed(some, bytesText))
    ]),
    most: 5,
    bars: rows.map((one) => Math.max(0, one.bytes) / Math.max(1, bytes)),
    notes: shared && shared.bytes > 0
      ? [`Held elsewhere as well: ${bytesText(shared.bytes)}, for instance by ${shared.chain.join(' → ')}.`]
      : []
  }
}

/** @param {Allocations} allocations @returns {Section} */
function allocated ({ wholeBytes, functions }) {
  const shown = functions.slice(0, mostRows)
  const largest = Math.max(1, ...shown.map(({ withOthers }) => withOthers))
  return {
    title: 'Allocated',
    text: shown.length === 0
      ? []
      : [
          `Of the ${bytesText(wholeBytes)} that were allocated under load and are still held, as V8 estimates from ` +
            'samples. Yours come first, bold; charged has what foreign code allocated that they called.'
        ],
    columns: ['#itself', '#charged', 'function', 'where'],
    rows: shown.map((one) => [bytesText(one.bytes), bytesText(one.withOthers), shownName(one), one.place]),
    most: mostInTerminal,
    bars: shown.map(({ withOthers }) => withOthers / largest),
    strong: shown.flatMap(({ owner }, at) => owner === 'yours' ? [at] : [])
  }
}
