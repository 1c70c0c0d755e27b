import { escapeHtml, formatNumber, marks, withCode } from '../../../report/browser.js'

/** @import { Section } from '../../../report/browser.js' */

/**
 * What a benchmark or a profile has shown.
 *
 * @param {{ kind: string, lesson: string, tool?: string, result?: any }} job that is done
 * @param {{ isPredicted: boolean }} learner who has not written a prediction down is asked for it first
 * @returns {string} HTML; empty where it has nothing to show
 */
export function jobResultHtml ({ kind, lesson, tool, result }, { isPredicted }) {
  if (result === undefined) return ''
  if (kind === 'profile') {
    const first = '<p>It is recorded. First write down what you expect: your prediction is then answered by it.</p>'
    return `${isPredicted ? result.sections.map(sectionHtml).join('') : first}
<p><a class="button" href="/lessons/${encodeURIComponent(lesson)}/profile?tool=${encodeURIComponent(tool ?? 'cpu')}">${
  tool === 'trace' ? 'See it over time' : 'See the flame graph'}</a></p>`
  }
  if (typeof result.table === 'string') {
    return `<h3>autocannon’s table</h3><div class="scroll" role="group" aria-label="autocannon’s table" tabindex="0">
<pre class="wide">${escapeHtml(result.table)}</pre></div>`
  }
  const [faster, slower] = result.figures.map((/** @type {number | null} */ figure) =>
    figure === null ? 'no answer' : `${formatNumber(figure, marks.none)} ${result.unit}`)
  return `<h3>What your load plan shows</h3><dl><dt>The faster server</dt><dd>${escapeHtml(faster)}</dd>
<dt>The slower server</dt><dd>${escapeHtml(slower)}</dd></dl>`
}

/** @param {Section} section */
function sectionHtml ({ title, text = [], rows = [], head = false, align = [], strong = [], notes = [] }) {
  const sentences = (/** @type {string[]} */ all) => all.map((sentence) => `<p>${withCode(sentence)}</p>`).join('')
  const rowHtml = (/** @type {string[]} */ row, /** @type {number} */ at) => {
    const isHead = head && at === 0
    const cells = row.map((cell, column) => {
      const name = align[column] === 'right' ? ' class="number"' : ''
      return isHead ? `<th scope="col"${name}>${escapeHtml(cell)}</th>` : `<td${name}>${escapeHtml(cell)}</td>`
    })
    return `<tr${strong.includes(at) ? ' class="strong"' : ''}>${cells.join('')}</tr>`
  }
  const table = `<div class="scroll" role="group" aria-label="${escapeHtml(title)}" tabindex="0"><table>${
    rows.map(rowHtml).join('')}</table></div>`
  return `<h3>${escapeHtml(title)}</h3>${sentences(text)}${rows.length === 0 ? '' : table}${sentences(notes)}`
}
