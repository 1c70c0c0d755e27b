import { chartScripts, chartStyle } from '../pages/chart.js'
import { html, htmlPage, paragraphs } from '../../report/index.js'

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
 * @throws {WorkshopError} the chart library isn't installed
 */
export function tracePage ({ title, reading, figures, charts }) {
  return htmlPage({
    title: `${title}: trace`,
    styles: [chartStyle(), style],
    scripts: chartScripts(),
    data: charts,
    body: html`<h1>${title}</h1>
<section class="reading">
${reading.map((section, at) => sectionHtml(section, { titled: at > 0 }))}
</section>
<p class="soft">The load ran in the shaded part, from ${charts.band[0].toFixed(1)} s to ${charts.band[1].toFixed(1)} s.
Point at a chart to read all of them at that time. Drag sideways to look closer, double-click to see all of it again;
a click on a name in a legend hides its line.</p>
<noscript><p>The charts need JavaScript. The figures are below.</p></noscript>
${charts.charts.map(chartHtml)}
<h2>Figures under load</h2>
<div class="figures">
${figures.map((section) => sectionHtml(section, { titled: true }))}
</div>`
  })
}

/** The element that a chart is drawn into. @param {Chart} chart @param {number} at */
function chartHtml ({ title, about }, at) {
  return html`<section class="chart">
<h2 id="chart-title-${at}">${title}</h2>
<p class="soft">${about}</p>
<div data-chart="${at}" role="figure" aria-labelledby="chart-title-${at}"></div>
</section>`
}

/** @param {Section} section @param {{ titled: boolean }} options */
function sectionHtml (section, { titled }) {
  const { title, text = [], rows = [], notes = [] } = section
  return html`<div>${titled ? html`<h3>${title}</h3>` : ''}
${paragraphs(text)}
${rows.length === 0 ? '' : tableHtml(section)}
${paragraphs(notes)}</div>`
}

/** @param {Section} section */
function tableHtml ({ rows = [], head = false, align = [] }) {
  const classOf = (/** @type {number} */ at) => align[at] === 'right' ? html` class="number"` : ''
  const titleCell = (/** @type {string} */ cell, /** @type {number} */ at) =>
    html`<th scope="col"${classOf(at)}>${cell}</th>`
  const bodyCell = (/** @type {string} */ cell, /** @type {number} */ at) =>
    at === 0 ? html`<th scope="row">${cell}</th>` : html`<td${classOf(at)}>${cell}</td>`
  const [first, rest] = head ? [rows.slice(0, 1), rows.slice(1)] : [[], rows]
  const thead = first.map((row) => html`<thead><tr>${row.map(titleCell)}</tr></thead>`)
  const body = rest.map((row) => html`<tr>${row.map(bodyCell)}</tr>`)
  return html`<div class="scroll"><table>${thead}<tbody>${body}</tbody></table></div>`
}

const style = `
h3 { font-size: .9rem; margin: 1rem 0 .25rem; }
.chart { break-inside: avoid; }
.chart h2 { margin: 1.1rem 0 0; }
.chart p { margin: 0 0 .2rem; font-size: 13px; }
.figures { display: flex; flex-wrap: wrap; column-gap: 3rem; }
.figures > div { max-width: 100%; }
tbody th { color: var(--ink); font-weight: 400; }
.figures th, .figures td { overflow-wrap: normal; }
.figures p { font-size: 13px; }
`
