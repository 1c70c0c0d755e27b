/**
 * HTML that escapes by default, in Node.js and, behind this second door of the reports, in a browser. Pure.
 *
 * @typedef {string | number | Html} Part
 * @typedef {Part | readonly Part[]} Fill
 */

/** Text that goes into a page unescaped: only `html` and `trusted` make it, so no file's or learner's text gets in. */
export class Html {
  #text

  /** @param {string} text */
  constructor (text) {
    this.#text = text
  }

  toString () {
    return this.#text
  }
}

/**
 * A tagged template: texts and numbers in it are escaped, HTML isn't, and lists are joined.
 *
 * @param {TemplateStringsArray} strings
 * @param {...Fill} values
 * @returns {Html}
 */
export function html (strings, ...values) {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)))
}

/** For the output of another renderer that escapes. @param {string} text HTML */
export function trusted (text) {
  return new Html(text)
}

/** Data for scripts, which find it as JSON in the element with the id `data`. @param {unknown} data */
export function dataElement (data) {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="data">${trusted(json)}</script>`
}

/** @param {string} text */
export function escapeHtml (text) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Text in backticks is code. @param {string} sentence @returns {Html} */
export function withCode (sentence) {
  return html`${sentence.split('`').map((part, at) => at % 2 === 1 ? html`<code>${part}</code>` : part)}`
}

/** @param {readonly string[]} sentences text in backticks is code @returns {Html} */
export function paragraphs (sentences) {
  return html`${sentences.map((sentence) => html`<p>${withCode(sentence)}</p>`)}`
}

/**
 * @typedef {object} Table
 * @property {readonly string[]} [columns] their titles, with # before one of figures
 * @property {readonly (readonly (string | Html)[])[]} rows the first column that isn't of figures names the row
 * @property {readonly number[]} [bars] one for each row, 0 to 1, drawn behind its name
 * @property {readonly number[]} [strong] numbers of the rows to be shown bold, from 0
 *
 * @param {string} label for screen readers
 * @param {Table} table
 * @returns {Html} empty without rows
 */
export function tableHtml (label, { columns = [], rows, bars = [], strong = [] }) {
  if (rows.length === 0) return html``
  const isFigure = (/** @type {number} */ at) => columns[at]?.startsWith('#') ?? false
  const nameAt = rows[0].findIndex((_, at) => !isFigure(at))
  const kind = (/** @type {number} */ at) => isFigure(at) ? html` class="number"` : ''
  const titles = columns.map(untagged)
  const head = titles.every((title) => title === '')
    ? ''
    : html`<thead><tr>${titles.map((title, at) => title === ''
      ? html`<td></td>`
      : html`<th scope="col"${kind(at)}>${title}</th>`)}</tr></thead>`
  const body = rows.map((row, at) => {
    const bar = bars[at] === undefined ? '' : html` style="--bar: ${(bars[at] * 100).toFixed(1)}%"`
    const cells = row.map((cell, column) => column === nameAt
      ? html`<th scope="row"${bar}>${cell}</th>`
      : html`<td${kind(column)}>${cell}</td>`)
    return html`<tr${strong.includes(at) ? html` class="strong"` : ''}>${cells}</tr>`
  })
  return html`<div class="scroll" role="group" aria-label="${label}" tabindex="0"><table>${head}
<tbody>${body}</tbody></table></div>`
}

/** The title of a column without its mark. @param {string} title */
export function untagged (title) {
  return title.replace(/^#/, '')
}

/** @param {Fill} value @returns {string} */
function textOf (value) {
  if (value instanceof Html) return String(value)
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value))
}
