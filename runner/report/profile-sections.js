import { html, paragraphs, tableHtml, untagged, withCode } from './browser.js'
import { section } from './section.js'
import { layoutFitted } from './table.js'
import { themeFor, wrapText } from './theme.js'

/**
 * @import { Html } from './browser.js'
 * @import { TextOptions, Theme } from './theme.js'
 */

/**
 * A summary in labelled sections: described once, shown in a terminal and in pages. Text in backticks is code.
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {string[]} [text] sentences before the rows
 * @property {string[]} [chain] what leads to what
 * @property {string[]} [columns] titles of the columns, with # before one of figures: it's aligned right, and never cut
 * @property {string[][]} [rows]
 * @property {number} [most] rows in a terminal; a page shows them all
 * @property {number[]} [bars] one for each row, 0 to 1, behind its name in a page
 * @property {number[]} [strong] numbers of the rows to be shown bold, from 0
 * @property {string[]} [notes] sentences after the rows
 */

/** @param {readonly Section[]} sections without those that say nothing */
function saying (sections) {
  return sections.filter(({ text = [], chain = [], rows = [], notes = [] }) =>
    text.length + chain.length + rows.length + notes.length > 0)
}

/**
 * @param {readonly Section[]} sections
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function sectionsText (sections, options) {
  const theme = themeFor(options)
  return saying(sections)
    .map((one) => section(one.title.replaceAll('`', ''), (inner) => body(one, inner), theme).join('\n'))
    .join('\n\n')
}

/**
 * Sentences and a table without a title.
 *
 * @param {Omit<Section, 'title'>} block
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function blockText (block, options) {
  return body(block, themeFor(options)).join('\n')
}

/** @param {Omit<Section, 'title'>} section @param {Theme} theme */
function body ({ text = [], chain = [], rows = [], notes = [], ...table }, theme) {
  const wrapped = (/** @type {string[]} */ sentences) =>
    sentences.flatMap((sentence) => wrapText(theme.line(sentence), theme.columns))
  return [
    ...wrapped(chain.length === 0 ? text : [...text, chain.join(' → ')]),
    ...rows.length === 0 ? [] : tableLines({ rows, ...table }, theme),
    ...wrapped(notes)
  ]
}

/** @param {Pick<Section, 'columns' | 'most' | 'strong'> & { rows: string[][] }} table @param {Theme} theme */
function tableLines ({ columns = [], rows, most = Infinity, strong = [] }, theme) {
  const styled = (/** @type {string[]} */ cells, /** @type {'secondary' | 'strong' | undefined} */ style) =>
    cells.map((cell) => ({ text: theme.line(cell), style }))
  const titles = columns.map(untagged)
  const head = titles.some((title) => title !== '')
  const shown = rows.slice(0, most).map((row, at) => styled(row, strong.includes(at) ? 'strong' : undefined))
  const align = columns.map((title) => title.startsWith('#') ? /** @type {const} */ ('right') : 'left')
  return layoutFitted(head ? [styled(titles, 'secondary'), ...shown] : shown, align, theme, { head })
}

/**
 * @param {readonly Section[]} sections
 * @param {object} [options]
 * @param {2 | 3} [options.level] of the headings
 * @param {boolean} [options.bars] styles in tags are allowed
 * @param {(row: string[]) => (string | Html)[]} [options.rowOf] draws a row of a table
 */
export function sectionsHtml (sections, { level = 2, bars: areShown = true, rowOf = (row) => row } = {}) {
  return html`${saying(sections).map(({ title, text = [], chain = [], rows = [], bars, notes = [], ...table }) => {
    const heading = level === 2 ? html`<h2>${withCode(title)}</h2>` : html`<h3>${withCode(title)}</h3>`
    const links = chain.map((link) => html`<li><code>${link}</code></li>`)
    return html`<section>${heading}${paragraphs(text)}${chain.length === 0 ? '' : html`<ol class="chain">${links}</ol>`}
${tableHtml(title.replaceAll('`', ''), {
  ...table, rows: rows.map(rowOf), bars: areShown ? bars : []
})}${paragraphs(notes)}</section>`
  })}`
}
