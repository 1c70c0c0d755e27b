import { html, htmlPage, tableHtml } from '../../report/index.js'
import { msDigits } from '../../shared/format.js'
import { browserFile } from './flame-page.js'
import * as moments from './loop-moment.js'

/**
 * @import { LoopSide } from '../../inside/index.js'
 *
 * @typedef {LoopSide & { name: 'slow' | 'yours', title: string }} ShownSide title: `The slow server`, `Yours`
 */

/**
 * Recorded event loops as a page: each thread as blocks, above them a line for each connection, the servers on one
 * axis of time, and a sentence about the moment under the line.
 *
 * @param {object} given
 * @param {string} given.title
 * @param {ShownSide[]} given.sides the slow server first
 * @param {string | null} [given.asks] a question to be answered with a number before more than the first server's
 *   thread is shown
 * @param {string[]} [given.notes]
 * @returns {string} HTML
 */
export function loopPage ({ title, sides, asks = null, notes = [] }) {
  return htmlPage({
    title,
    styles: [browserFile('event-loop.css')],
    scripts: [Object.values(moments).join('\n\n'), browserFile('event-loop.js')],
    data: { sides, asks },
    body: html`<main><h1>${title}</h1>
<p class="soft">Each block is what a thread did in one go, in the colour of the request’s route. Above it, each line is
a connection, from sending a request to its response. Point at a moment.</p>
<div id="ask"><p><label for="guess">${asks ?? ''}</label></p>
<p><input id="guess" type="number" min="0" max="999"> <button type="button" id="show">Show it</button></p></div>
<p id="answer" role="status"></p>
<div class="tools after"><span role="group" aria-label="Zoom"><button type="button" data-zoom="0.5"
aria-label="Zoom in">+</button> <button type="button" data-zoom="2" aria-label="Zoom out">−</button> <button
type="button" data-zoom="0">Whole</button></span>
<span class="soft">Drag to zoom; the arrow keys move the line, + and − zoom.</span>
<ul class="legend" aria-label="Marks">${
  marks.map(([look, words]) => html`<li><i style="${look}"></i>${words}</li>`)}</ul></div>
<div id="figure" tabindex="0" role="slider" aria-label="Moment, ms" aria-valuemin="0" aria-valuemax="${
  Math.round(Math.max(...sides.map(({ ms }) => ms)))}" aria-valuenow="0"></div>
<div id="said"></div>
<noscript><p>The picture needs JavaScript. Its table is below.</p></noscript>
${notes.map((note) => html`<p class="soft">${note}</p>`)}
<details class="after"><summary>As a table</summary>${sides.map(tableOf)}</details></main>`
  })
}

const marks = [
  ['width:1.5px;height:9px;background:var(--wait)', 'a request is sent'],
  ['height:1.5px;background:var(--wait)', 'it waits'],
  ['height:1.5px;background:var(--wait);opacity:.35', 'its response is on the way'],
  ['height:5px;opacity:.4', 'with the thread pool'],
  ['height:9px', 'a thread works on it'],
  ['height:9px;background:var(--other)', 'block: for no known request'],
  ['height:9px;opacity:.4', 'block: the thread had no core'],
  ['height:3px;background:var(--gc)', 'garbage collection']
]

const leastMs = 0.5
const mostRows = 150

/** @param {ShownSide} side */
function tableOf (side) {
  const rows = side.threads.flatMap(({ title, blocks }) => blocks.filter(({ from, to }) => to - from >= leastMs)
    .map(({ from, to, name, request }) => ({ title, from, to, name, request })))
    .sort((a, b) => a.from - b.from).slice(0, mostRows)
  return html`<h2>${side.title}</h2>${tableHtml(`${side.title}: blocks of ${leastMs} ms and more`, {
    columns: ['#at, ms', '#long, ms', 'thread', 'in', 'for', '#requests that wait'],
    rows: rows.map(({ title, from, to, name, request }) => [
      from.toFixed(1),
      msDigits(to - from),
      title,
      name,
      request === null ? '' : side.requests[request].route,
      String(moments.momentAt(side, Math.max(0, from)).waiting.length)
    ])
  })}`
}
