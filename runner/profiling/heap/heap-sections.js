import { allocationSentence, bytesText, count, growthSentences, signed } from './heap-messages.js'

/**
 * The summary of the memory held, in sections for the terminal and the page. Pure.
 *
 * @import { Section } from '../../report/index.js'
 * @import { Allocations } from './allocations.js'
 * @import { Comparison } from './compare-snapshots.js'
 * @import { ConstructorGrowth } from './constructors.js'
 *
 * @typedef {object} HeapAnalysis
 * @property {Comparison | null} comparison null: the heap is too large
 * @property {Allocations} allocations
 * @property {string | null} missing
 * @property {string[]} problems wrong and lost answers
 */

const longest = 10
/** Rows below this share of the largest are noise. */
const leastOfLargest = 0.01
const widestPlace = 27
const widestName = 20

/** @param {HeapAnalysis} found @returns {string[]} */
export function readingOf ({ comparison, allocations }) {
  // If nothing grows, the rest is too little to mention.
  const allocated = comparison?.holders.length === 0 ? null : allocationSentence(allocations)
  return [
    ...(comparison
      ? growthSentences({
        answers: comparison.answers,
        heapBytes: comparison.afterBytes - comparison.beforeBytes,
        ownBytes: comparison.ownBytes,
        holders: comparison.holders
      })
      : [
          'A heap snapshot is larger than 500 MB, so the two were not compared here. Chrome DevTools can load both ' +
            '(Memory, Load; then Comparison), given memory enough. With fewer `--seconds` the second one gets ' +
            'smaller.'
        ]),
    ...(allocated === null ? [] : [allocated])
  ]
}

/** @param {HeapAnalysis} found @returns {Section[]} */
export function heapSections (found) {
  const { comparison, allocations, missing, problems } = found
  return [
    { title: 'Reading', text: readingOf(found) },
    ...comparison ? [grewSection(comparison), ...holderSections(comparison)] : [],
    allocatedSection(allocations),
    { title: 'Not seen', text: missing === null ? [] : [missing] },
    { title: 'Wrong', text: problems.slice(0, 3) }
  ].filter(({ text = [], rows = [] }) => text.length + rows.length > 0)
}

/** @param {Comparison} comparison @returns {Section} */
function grewSection ({ answers, beforeBytes, afterBytes, constructors, native }) {
  const rows = shownConstructors(constructors)
    .filter(({ retainedBytes }, _, [largest]) => retainedBytes >= leastOfLargest * largest.retainedBytes)
    .slice(0, longest)
  return {
    title: 'What grew',
    text: [
      `${count(answers)} answers lie between two snapshots; the heap held ${bytesText(beforeBytes)} before and ` +
        `${bytesText(afterBytes)} after.`
    ],
    head: rows.length > 0,
    align: ['left', 'right', 'right', 'right', 'right'],
    rows:
      rows.length === 0
        ? []
        : [
            ['constructor', 'objects', 'self', 'retained', 'per request'],
            ...rows.map((row) => [
              row.name,
              signed(row.count, count),
              signed(row.selfBytes, bytesText),
              signed(row.retainedBytes, bytesText),
              signed(row.retainedBytes / answers, bytesText)
            ])
          ],
    notes:
      rows.length === 0
        ? []
        : [
            ...nativeSentence(native),
            'Retained is what would be freed with them: a constructor whose objects hold others has theirs in it too.'
          ]
  }
}

/** @param {Comparison['native']} native @returns {string[]} empty if it holds little more */
export function nativeSentence (native) {
  return native === null
    ? []
    : [
        `Node.js itself, outside of JavaScript, holds ${bytesText(native.bytes)} more: sockets, timers, parsers and ` +
          `the like, most of it ${native.sort}. It keeps some of them for later.`
      ]
}

/**
 * What a learner can look for: without V8's own, and without what didn't grow.
 *
 * @param {ConstructorGrowth[]} constructors
 */
export function shownConstructors (constructors) {
  return constructors.filter(
    ({ isInternal, count, selfBytes, retainedBytes }) =>
      !isInternal && retainedBytes > 0 && (count > 0 || selfBytes > 0)
  )
}

/** @param {Comparison} comparison @returns {Section[]} */
function holderSections ({ answers, holders }) {
  return holders.map(({ bytes, items, chain, made }, at) => ({
    title: at === 0 ? 'Held by' : 'And by',
    text: [chain.join(' → ')],
    align: ['left', 'right', 'right'],
    head: true,
    rows: [
      ['on it hang', 'objects', 'per request'],
      ['all that is new', signed(items, count), signed(bytes / answers, bytesText)],
      ...made.slice(0, 4)
        .map((one) => [`  ${one.name}`, signed(one.count, count), signed(one.bytes / answers, bytesText)])
    ]
  }))
}

/** @param {Allocations} allocations @returns {Section} */
function allocatedSection ({ wholeBytes, functions }) {
  const shown = functions.slice(0, longest)
  return {
    title: 'Allocated',
    text:
      shown.length === 0
        ? []
        : [
            `Of the ${bytesText(wholeBytes)} that were allocated under load and are still held. Yours come first, ` +
              'bold; charged has what foreign code allocated that they called.'
          ],
    head: true,
    align: ['right', 'right', 'left', 'left'],
    rows:
      shown.length === 0
        ? []
        : [
            ['itself', 'charged', 'function', 'where'],
            ...shown.map(({ name, place, bytes, withOthers }) => [
              bytesText(bytes),
              bytesText(withOthers),
              shortName(name),
              shortPlace(place)
            ])
          ],
    strong: shown.flatMap(({ owner }, at) => (owner === 'yours' ? [at + 1] : []))
  }
}

/** Without its place, which has its own column. @param {string} name */
function shortName (name) {
  if (name.startsWith('function at ')) return 'unnamed function'
  return name.length <= widestName ? name : `${name.slice(0, widestName - 1)}…`
}

/** The end of a long place says most. @param {string} place */
function shortPlace (place) {
  return place.length <= widestPlace ? place : `…${place.slice(1 - widestPlace)}`
}
