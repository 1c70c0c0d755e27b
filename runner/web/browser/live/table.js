import { escapeHtml } from '../../../report/browser.js'

/**
 * A table whose first column names its rows.
 *
 * @param {string} label for who does not see it
 * @param {readonly string[]} head
 * @param {readonly (string | number | { text: string })[][]} rows figures, and texts
 * @returns {string} HTML
 */
export function tableHtml (label, head, rows) {
  const cell = (/** @type {string | number | { text: string }} */ value) => typeof value === 'object'
    ? `<td>${escapeHtml(value.text)}</td>`
    : `<td class="number">${escapeHtml(String(value))}</td>`
  const row = (/** @type {(string | number | { text: string })[]} */ [name, ...cells]) =>
    `<tr><th scope="row">${escapeHtml(String(name))}</th>${cells.map(cell).join('')}</tr>`
  return `<div class="scroll" role="group" aria-label="${escapeHtml(label)}" tabindex="0"><table>
<thead><tr>${head.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('')}</tr></thead>
<tbody>${rows.map(row).join('')}</tbody></table></div>`
}

/** How the lines of a chart are told apart. @param {readonly [string, string]} servers @returns {string} HTML */
export function keyHtml ([first, second]) {
  return `<span class="key"><span class="first">${escapeHtml(first)}</span>
<span class="second">${escapeHtml(second)}</span></span>`
}
