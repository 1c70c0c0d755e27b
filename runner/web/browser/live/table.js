import { html } from '../../../report/browser.js'

/**
 * A table whose first column names its rows.
 *
 * @param {string} label for screen readers
 * @param {readonly string[]} head
 * @param {readonly (string | number | { text: string })[][]} rows figures, and texts
 */
export function tableHtml (label, head, rows) {
  const cell = (/** @type {string | number | { text: string }} */ value) => typeof value === 'object'
    ? html`<td>${value.text}</td>`
    : html`<td class="number">${value}</td>`
  const row = (/** @type {(string | number | { text: string })[]} */ [name, ...cells]) =>
    html`<tr><th scope="row">${String(name)}</th>${cells.map(cell)}</tr>`
  return html`<div class="scroll" role="group" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows.map(row)}</tbody></table></div>`
}

/** How the two servers of a chart are told apart. @param {readonly [string, string]} servers */
export function keyHtml ([first, second]) {
  return html`<span class="key"><span class="slow">${first}</span>
<span class="yours">${second}</span></span>`
}
