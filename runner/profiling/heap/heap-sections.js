import { html, htmlPage, paragraphs, withCode } from '../../report/index.js'
import { allocationSentence, bytesText, count, growthSentences, nameOf, signed } from './heap-messages.js'

/**
 * The summary of the memory held, in sections for the terminal and the page. Pure.
 *
 * @import { Section } from '../../report/index.js'
 * @import { Comparison } from './compare-snapshots.js'
 * @import { Allocations } from './heap-messages.js'
 * @import { ConstructorGrowth } from './holders.js'
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
function readingOf ({ comparison, allocations }) {
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
function nativeSentence (native) {
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
function shownConstructors (constructors) {
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

const mostRows = 40

/**
 * @param {{ title: string, found: HeapAnalysis }} given title: `Lesson 13, your server`
 * @returns {string} HTML
 */
export function heapPage ({ title, found }) {
  const { comparison, allocations, missing, problems } = found
  const notes = [...missing === null ? [] : [missing], ...problems.slice(0, 3)]
  return htmlPage({
    title: `${title}: heap`,
    styles: [style],
    body: html`<h1>${title}: what memory is held</h1>
<section class="reading">
${paragraphs(readingOf(found))}
</section>
${notes.map((sentence) => html`<p class="soft">${sentence}</p>`)}
${comparison ? [grewHtml(comparison), heldHtml(comparison)] : ''}
${allocatedHtml(allocations)}
<h2>Look further</h2>
<p>Both snapshots and the allocations are next to this page. In Chrome DevTools open Memory, load the two
<code>.heapsnapshot</code> files, choose the second one and “Comparison”. The <code>.heapprofile</code> opens there as
well.</p>`
  })
}

/** @param {Comparison} comparison */
function grewHtml ({ answers, beforeBytes, afterBytes, ownBytes, constructors, native }) {
  const rows = shownConstructors(constructors).slice(0, mostRows)
  const largest = Math.max(1, ...rows.map(({ retainedBytes }) => retainedBytes))
  return html`<h2>What grew</h2>
<p>${count(answers)} answers lie between the two snapshots. The heap held ${bytesText(beforeBytes)} before and
${bytesText(afterBytes)} after; ${bytesText(Math.abs(ownBytes))} ${ownBytes < 0 ? 'less' : 'more'} is V8’s own (compiled
code, hidden classes), which the table leaves out. <em>Retained</em> is what would be freed with the objects: a
constructor whose objects hold others has theirs in it too.</p>
${nativeSentence(native).map((sentence) => html`<p>${sentence}</p>`)}
${table({
  titles: ['constructor', 'objects', 'self', 'retained', 'per request'],
  rows: rows.map((row) => ({
    cells: [
      row.name,
      signed(row.count, count),
      signed(row.selfBytes, bytesText),
      signed(row.retainedBytes, bytesText),
      signed(row.retainedBytes / answers, bytesText)
    ],
    bar: row.retainedBytes / largest
  })),
  left: [0],
  none: 'Nothing that is not V8’s own.'
})}`
}

/** @param {Comparison} comparison */
function heldHtml ({ answers, holders }) {
  if (holders.length === 0) return ''
  return html`<h2>Who holds it</h2>
${holders.map((holder) => holderHtml(holder, answers))}
`
}

/** @param {Comparison['holders'][number]} holder @param {number} answers */
function holderHtml (holder, answers) {
  const { chain, made, shared } = holder
  const elsewhere = shared && shared.bytes > 0
    ? html`<p class="soft">Held elsewhere as well: ${bytesText(shared.bytes)}, for instance by
<code>${shared.chain.join(' → ')}</code>.</p>`
    : ''
  return html`<section class="holder">
<h3>${withCode(nameOf(holder))}</h3>
<ol class="chain">${chain.map((link) => html`<li><code>${link}</code></li>`)}</ol>
${table({
  titles: ['new below it', 'objects', 'bytes', 'per request'],
  rows: made.slice(0, 8).map(({ name, count: objects, bytes }) => ({
    cells: [name, count(objects), bytesText(bytes), bytesText(bytes / answers)],
    bar: bytes / Math.max(1, made[0].bytes)
  })),
  left: [0],
  none: ''
})}
${elsewhere}
</section>`
}

/** @param {Allocations} allocations */
function allocatedHtml ({ wholeBytes, functions }) {
  const shown = functions.slice(0, mostRows)
  const largest = Math.max(1, ...shown.map(({ withOthers }) => withOthers))
  return html`<h2>Who allocated it</h2>
<p>Of ${bytesText(wholeBytes)} that were allocated under load and are still held, as V8 estimates from samples. Yours
come first; <em>charged</em> has what foreign code allocated that they called.</p>
${table({
  titles: ['function', 'where', 'itself', 'charged'],
  rows: shown.map(({ name, place, owner, bytes, withOthers }) => ({
    cells: [name, place, bytesText(bytes), bytesText(withOthers)],
    bar: withOthers / largest,
    strong: owner === 'yours'
  })),
  left: [0, 1],
  none: 'Nothing was seen.'
})}`
}

/**
 * @param {object} given
 * @param {string[]} given.titles
 * @param {{ cells: string[], bar: number, strong?: boolean }[]} given.rows the bar, 0 to 1, is behind the first cell
 * @param {number[]} given.left columns of text
 * @param {string} given.none
 */
function table ({ titles, rows, left, none }) {
  if (rows.length === 0) return none === '' ? '' : html`<p>${none}</p>`
  const classOf = (/** @type {number} */ at) => left.includes(at) ? '' : html` class="number"`
  const rowHtml = (/** @type {typeof rows[number]} */ { cells: [first, ...rest], bar, strong = false }) => {
    const share = `${(Math.max(0, bar) * 100).toFixed(1)}%`
    const figures = rest.map((cell, at) => html`<td${classOf(at + 1)}>${cell}</td>`)
    const heading = html`<th scope="row" style="--bar: ${share}">${first}</th>`
    return html`<tr${strong ? html` class="yours"` : ''}>${heading}${figures}</tr>`
  }
  return html`<div class="scroll"><table class="bars">
<thead><tr>${titles.map((title, at) => html`<th scope="col"${classOf(at)}>${title}</th>`)}</tr></thead>
<tbody>
${rows.map(rowHtml)}
</tbody></table></div>`
}

const style = `
h3 { font-size: .95rem; margin: 1rem 0 .25rem; }
.bars tbody th {
  min-width: 9rem; padding-left: .3rem; color: var(--ink); font-weight: 400;
  background: linear-gradient(color-mix(in srgb, var(--accent) 22%, transparent) 0 0) 0 / var(--bar) 100% no-repeat;
}
.bars thead th:first-child { padding-left: .3rem; }
.bars .yours th, .bars .yours td { font-weight: 600; }
.chain { list-style: none; margin: .25rem 0 .75rem; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem; }
.chain li { display: flex; align-items: center; gap: .3rem; max-width: 100%; }
.chain code { padding: .1rem .45rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
.chain li:not(:last-child)::after { content: '→'; color: var(--soft); }
`
