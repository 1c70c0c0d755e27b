import { formatNumber, html, marks, paragraphs } from '../../../report/browser.js'

/** @import { Html, Section } from '../../../report/browser.js' */

/**
 * What a benchmark or a profile has shown.
 *
 * @param {{ kind: string, lesson: string, tool?: string, result?: any }} job that is done
 * @param {{ isPredicted: boolean }} learner who has not written a prediction down is asked for it first
 * @returns {Html} empty where it has nothing to show
 */
export function jobResultHtml ({ kind, lesson, tool, result }, { isPredicted }) {
  if (result === undefined) return html``
  if (kind === 'profile') {
    const first = html`<p>It is recorded. First write down what you expect: your prediction is then answered by it.</p>`
    return html`${isPredicted ? result.sections.map(sectionHtml) : first}
<p><a class="button" href="/lessons/${encodeURIComponent(lesson)}/profile?tool=${encodeURIComponent(tool ?? 'cpu')}">${
  tool === 'trace' ? 'See it over time' : 'See the flame graph'}</a></p>`
  }
  if (typeof result.table === 'string') {
    return html`<h3>autocannon’s table</h3>
<div class="scroll" role="group" aria-label="autocannon’s table" tabindex="0">
<pre class="wide">${result.table}</pre></div>`
  }
  const [faster, slower] = result.figures.map((/** @type {number | null} */ figure) =>
    figure === null ? 'no answer' : `${formatNumber(figure, marks.none)} ${result.unit}`)
  return html`<h3>What your load plan shows</h3><dl><dt>The faster server</dt><dd>${faster}</dd>
<dt>The slower server</dt><dd>${slower}</dd></dl>`
}

/** @param {Section} section */
function sectionHtml ({ title, text = [], rows = [], head = false, align = [], strong = [], notes = [] }) {
  const rowHtml = (/** @type {string[]} */ row, /** @type {number} */ at) => {
    const isHead = head && at === 0
    const cells = row.map((cell, column) => {
      const name = align[column] === 'right' ? html` class="number"` : ''
      return isHead ? html`<th scope="col"${name}>${cell}</th>` : html`<td${name}>${cell}</td>`
    })
    return html`<tr${strong.includes(at) ? html` class="strong"` : ''}>${cells}</tr>`
  }
  const table = html`<div class="scroll" role="group" aria-label="${title}" tabindex="0"><table>${
    rows.map(rowHtml)}</table></div>`
  return html`<h3>${title}</h3>${paragraphs(text)}${rows.length === 0 ? '' : table}${paragraphs(notes)}`
}
