/**
 * HTML that escapes by default, in Node.js and in a browser. Pure.
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

/** @param {Fill} value @returns {string} */
function textOf (value) {
  if (value instanceof Html) return String(value)
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value))
}
