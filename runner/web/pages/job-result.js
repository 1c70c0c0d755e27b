import { html, paragraphs } from '../../report/index.js'
import { formatNumber, formatWhen, marks } from '../../report/browser.js'
import { queryOf } from '../browser/lines.js'

/**
 * @import { Html, Section } from '../../report/index.js'
 * @import { Ended } from '../jobs/job.js'
 */

/** What the last benchmark has shown. @param {Ended} [ended] */
export function benchHtml (ended) {
  if (ended === undefined) return html`<p class="soft">No benchmark yet. It loads a server for five seconds.</p>`
  const { job: { message, result } } = ended
  const head = html`<h3>${whatOf(ended)}</h3><p>${message}</p>`
  if (typeof result.table === 'string') {
    return html`${head}<div class="scroll" role="group" aria-label="autocannon’s table" tabindex="0">
<pre class="wide">${result.table}</pre></div>`
  }
  const [faster, slower] = result.figures.map((/** @type {number | null} */ figure) =>
    figure === null ? 'no answer' : `${formatNumber(figure, marks.none)} ${result.unit}`)
  return html`${head}<dl><dt>The faster server</dt><dd>${faster}</dd><dt>The slower server</dt><dd>${slower}</dd></dl>`
}

/**
 * What the last profile has shown.
 *
 * @param {Ended | undefined} ended
 * @param {{ isPredicted: boolean }} learner without a prediction they're asked to make one first
 */
export function profileHtml (ended, { isPredicted }) {
  if (ended === undefined) return html`<p class="soft">No profile yet. It records where a server’s time goes.</p>`
  const { job, job: { lesson, tool = 'cpu', result } } = ended
  const report = `/lessons/${encodeURIComponent(lesson)}/profile${queryOf(job)}`
  return html`<h3>${whatOf(ended)}</h3>
${tool === 'prof'
    ? ''
    : html`<p><a class="button" href="${report}">${
      tool === 'trace' ? 'See it over time' : 'See the flame graph'}</a></p>`}
${isPredicted
    ? result.sections.map(sectionHtml)
    : html`<p>It’s recorded. First <a href="#predict">write your prediction down</a>: the profile answers it.</p>`}`
}

/** @param {Ended} ended */
function whatOf ({ at, job: { server, tool, load, connections } }) {
  const parts = [
    server === 'slow' ? 'The slow server' : 'Yours',
    tool === undefined || tool === 'cpu' ? '' : tool === 'trace' ? 'over time' : tool,
    load === undefined ? '' : `load ${load}`,
    connections === undefined ? '' : `${connections} connection${connections === 1 ? '' : 's'}`,
    formatWhen(at)
  ]
  return parts.filter(Boolean).join(', ')
}

/** @param {Section} section @returns {Html} */
function sectionHtml ({ title, text = [], rows = [], head = false, align = [], strong = [], notes = [] }) {
  const rowHtml = (/** @type {string[]} */ row, /** @type {number} */ at) => {
    const isHead = head && at === 0
    const cells = row.map((cell, column) => {
      const name = align[column] === 'right' ? html` class="number"` : ''
      return isHead && cell !== '' ? html`<th scope="col"${name}>${cell}</th>` : html`<td${name}>${cell}</td>`
    })
    return html`<tr${strong.includes(at) ? html` class="strong"` : ''}>${cells}</tr>`
  }
  const table = html`<div class="scroll" role="group" aria-label="${title}" tabindex="0"><table>${
    rows.map(rowHtml)}</table></div>`
  return html`<h3>${title}</h3>${paragraphs(text)}${rows.length === 0 ? '' : table}${paragraphs(notes)}`
}
