import { html, htmlPage, sectionsHtml } from '../../report/index.js'
import { shownName } from '../cpu-report.js'
import { allocationSentence, bytesText, count, growthSentences, nameOf, signed } from './heap-messages.js'

/**
 * The memory that's held, in sections for the terminal and the page. Pure.
 *
 * @import { Section } from '../../report/index.js'
 * @import { Comparison } from './compare-snapshots.js'
 * @import { Allocations } from './heap-messages.js'
 *
 * @typedef {object} HeapAnalysis
 * @property {Comparison | null} comparison null: the heap is too large
 * @property {Allocations} allocations
 * @property {string | null} missing
 * @property {string[]} problems wrong and lost answers
 */

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

/** @param {HeapAnalysis} found @returns {Section[]} */
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
      `${count(answers)} answers lie between two snapshots; the heap held ${bytesText(beforeBytes)} before and ` +
        `${bytesText(afterBytes)} after. ${bytesText(Math.abs(ownBytes))} ${ownBytes < 0 ? 'less' : 'more'} is V8’s ` +
        'own (compiled code, hidden classes), and left out here.'
    ],
    columns: ['constructor', '#objects', '#self', '#retained', '#per request'],
    rows: rows.map(({ name, count: objects, selfBytes, retainedBytes }) => [
      name,
      signed(objects, count),
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
      signed(one.count, count),
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
