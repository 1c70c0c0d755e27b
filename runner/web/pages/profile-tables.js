import { percentInColumn as percent } from '../../format.js'
import { html, paragraphs } from '../../report/index.js'
import { routeIn } from '../../route-name.js'
import { lineId } from '../browser/lines.js'

/**
 * What a CPU profile says, in sentences and tables.
 *
 * @import { Html } from '../../report/index.js'
 * @import { CpuFigures, SeenFunction } from '../../profiling/index.js'
 * @import { ProfileData } from '../read-profile.js'
 */

const longest = 10

/** @param {CpuFigures} cpu */
export function sentencesHtml ({ sentences, slow, requestMs }) {
  if (slow === null) return paragraphs(sentences)
  return html`<p>A request costs <strong>${milliseconds(slow.requestMs)}</strong> in the slow server, and
<strong>${milliseconds(requestMs)}</strong> in yours: JavaScript, native code and garbage collection of all recorded
threads.</p><h3>Yours</h3>${paragraphs(sentences)}<h3>The slow one</h3>${paragraphs(slow.sentences)}`
}

/** @param {CpuFigures} cpu @param {ProfileData} profile */
export function ownHtml ({ functions }, profile) {
  const own = functions.filter(({ owner, total }) => owner === 'yours' && total > 0).slice(0, longest)
  if (own.length === 0) return html`<p>None of its own functions took any time that could be seen.</p>`
  const rows = own.map((one) => {
    const source = sourceOf(one, profile)
    const what = `${one.file ?? ''} at line ${one.line}`
    const open = !source?.editorUrl
      ? ''
      : html`<button type="button" class="small" data-open-file="${source.name}" data-line="${one.line}"
aria-label="Open in my editor: ${what}">Open</button>
<a href="${source.editorUrl}:${one.line}" aria-label="VS Code: ${what}">VS Code</a>`
    return [...cellsOf(one, profile), html`<td class="open">${open}</td>`]
  })
  return html`<p class="soft">Time in each function, with everything that it called. A name leads to its
line.</p>
${tableHtml('Own functions', ['function', 'where', '#self', '#total', '#for a request', 'in your editor'], rows)}`
}

/** @param {CpuFigures} cpu @param {ProfileData} profile */
export function allHtml ({ functions }, profile) {
  const hottest = functions.filter(({ self }) => self > 0).sort((a, b) => b.self - a.self).slice(0, longest)
  return html`<details><summary>All functions by self time</summary>
${tableHtml('All functions', ['function', 'where', '#self', '#total', '#for a request'],
    hottest.map((one) => cellsOf(one, profile)))}</details>`
}

/** @param {CpuFigures} cpu @param {ProfileData} profile @returns {Html | ''} empty where nothing was compared */
export function changesHtml ({ changes, functions }, profile) {
  if (changes.length === 0) return ''
  const rows = changes.slice(0, longest).map((change) => {
    const { name, place, beforeMs, afterMs } = change
    // A function that's gone has a place in the slow server only.
    const now = functions.find((one) => one.name === name && one.place === place)
    const isGone = now === undefined && change.owner === 'yours'
    const difference = `${afterMs < beforeMs ? '−' : '+'}${milliseconds(Math.abs(afterMs - beforeMs))}`
    return [
      nameHtml(now ?? { ...change, file: null }, profile),
      html`<td>${placeHtml(place)}${isGone ? html` <span class="soft">of the slow one</span>` : ''}</td>`,
      ...[difference, milliseconds(beforeMs), milliseconds(afterMs)].map(numberHtml)
    ]
  })
  return html`<details open><summary>What changed: time in the function itself for one request</summary>
${tableHtml('What changed', ['function', 'where', '#change', '#slow', '#yours'], rows)}</details>`
}

/** @param {SeenFunction} one @param {ProfileData} profile @returns {Html[]} */
function cellsOf (one, profile) {
  return [
    nameHtml(one, profile),
    html`<td>${placeHtml(one.place)}</td>`,
    ...[percent(one.self), percent(one.total), milliseconds(one.totalMs)].map(numberHtml)
  ]
}

/** @param {Pick<SeenFunction, 'name' | 'place' | 'file'> & { line?: number }} one @param {ProfileData} profile */
function nameHtml (one, profile) {
  const source = sourceOf(one, profile)
  const name = one.name === `function at ${one.place}`
    ? routeIn(source?.text.split('\n')[(one.line ?? 0) - 1]) ?? '(no name)'
    : one.name
  if (source === undefined || one.line === undefined) return html`<th scope="row">${name}</th>`
  const id = lineId({ file: source.name, line: one.line }, profile.file)
  return html`<th scope="row"><a href="#${encodeURIComponent(id)}">${name}</a></th>`
}

/** @param {Pick<SeenFunction, 'file'>} one @param {ProfileData} profile */
function sourceOf ({ file }, { sources }) {
  return file === null ? undefined : sources.find(({ name }) => name === file)
}

/** @param {string} place */
function placeHtml (place) {
  return place === '' ? '' : html`<code>${place}</code>`
}

/** @param {string} text */
function numberHtml (text) {
  return html`<td class="number">${text}</td>`
}

/** @param {string} title @param {string[]} head # before a column of numbers @param {Html[][]} rows of cells */
function tableHtml (title, head, rows) {
  const cells = head.map((text) => text.startsWith('#')
    ? html`<th scope="col" class="number">${text.slice(1)}</th>`
    : html`<th scope="col">${text}</th>`)
  return html`<div class="scroll" role="group" aria-label="${title}" tabindex="0"><table>
<thead><tr>${cells}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row}</tr>`)}</tbody></table></div>`
}

/** @param {number} ms */
function milliseconds (ms) {
  return ms < 0.001 ? '0 ms' : `${Number(ms.toPrecision(ms < 0.1 ? 2 : 3))} ms`
}
