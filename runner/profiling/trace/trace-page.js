import { chartScripts, chartStyle } from '../pages/chart.js'
import { escapeHtml, htmlPage, withCode } from '../../report/index.js'

/**
 * @import { WorkshopError } from '../../errors.js'
 * @import { Chart, Charts } from '../pages/chart.js'
 * @import { Section } from '../../report/index.js'
 */

/**
 * @param {object} given
 * @param {string} given.title `Lesson 2, your server`
 * @param {Section[]} given.reading
 * @param {Section[]} given.figures
 * @param {Charts} given.charts
 * @returns {string} HTML
 * @throws {WorkshopError} the chart library is not installed
 */
export function tracePage ({ title, reading, figures, charts }) {
  return htmlPage({
    title: `${title}: trace`,
    styles: [chartStyle(), style],
    scripts: chartScripts(),
    data: charts,
    body: `<h1>${escapeHtml(title)}</h1>
<section class="reading">
${reading.map((section, at) => sectionHtml(section, { titled: at > 0 })).join('\n')}
</section>
<p class="soft">The load ran in the shaded part, from ${charts.band[0].toFixed(1)} s to ${charts.band[1].toFixed(1)} s.
Point at a chart to read all of them at that time. Drag sideways to look closer, double-click to see all of it again;
a click on a name in a legend hides its line.</p>
<noscript><p>The charts need JavaScript. The figures are below.</p></noscript>
${charts.charts.map(chartHtml).join('\n')}
<h2>Figures under load</h2>
<div class="figures">
${figures.map((section) => sectionHtml(section, { titled: true })).join('\n')}
</div>`
  })
}

/** The place that a chart is drawn into. @param {Chart} chart @param {number} at @returns {string} HTML */
function chartHtml ({ title, about }, at) {
  return `<section class="chart">
<h2 id="chart-title-${at}">${escapeHtml(title)}</h2>
<p class="soft">${escapeHtml(about)}</p>
<div data-chart="${at}" role="figure" aria-labelledby="chart-title-${at}"></div>
</section>`
}

/** @param {Section} section @param {{ titled: boolean }} options @returns {string} HTML */
function sectionHtml (section, { titled }) {
  const { title, text = [], rows = [], notes = [] } = section
  const paragraphs = (/** @type {string[]} */ sentences) => sentences.map((sentence) => `<p>${withCode(sentence)}</p>`)
  return [
    `<div>${titled ? `<h3>${escapeHtml(title)}</h3>` : ''}`,
    ...paragraphs(text),
    ...(rows.length === 0 ? [] : [tableHtml(section)]),
    ...paragraphs(notes),
    '</div>'
  ].join('\n')
}

/** @param {Section} section @returns {string} HTML */
function tableHtml ({ rows = [], head = false, align = [] }) {
  const classOf = (/** @type {number} */ at) => align[at] === 'right' ? ' class="number"' : ''
  const titleCell = (/** @type {string} */ cell, /** @type {number} */ at) =>
    `<th scope="col"${classOf(at)}>${escapeHtml(cell)}</th>`
  const bodyCell = (/** @type {string} */ cell, /** @type {number} */ at) =>
    at === 0 ? `<th scope="row">${escapeHtml(cell)}</th>` : `<td${classOf(at)}>${escapeHtml(cell)}</td>`
  const [first, rest] = head ? [rows.slice(0, 1), rows.slice(1)] : [[], rows]
  const thead = first.map((row) => `<thead><tr>${row.map(titleCell).join('')}</tr></thead>`).join('')
  const body = rest.map((row) => `<tr>${row.map(bodyCell).join('')}</tr>`).join('')
  return `<div class="scroll"><table>${thead}<tbody>${body}</tbody></table></div>`
}

const style = `
h3 { font-size: .9rem; margin: 1rem 0 .25rem; }
.reading {
  margin: .75rem 0 1rem; padding: .6rem .9rem;
  background: var(--panel); border-left: 4px solid var(--accent); border-radius: 4px;
}
.reading p { margin: .3rem 0; }
.chart { break-inside: avoid; }
.chart h2 { margin: 1.1rem 0 0; }
.chart p { margin: 0 0 .2rem; font-size: 13px; }
.figures { display: flex; flex-wrap: wrap; column-gap: 3rem; }
.figures > div { max-width: 100%; }
tbody th { color: var(--ink); font-weight: 400; }
.figures th, .figures td { overflow-wrap: normal; }
.figures p { font-size: 13px; }
`
