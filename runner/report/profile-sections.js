import { section } from './section.js'
import { layoutFitted } from './table.js'
import { themeFor, wrapText } from './theme.js'

/**
 * @import { TextOptions, Theme } from './theme.js'
 */

/** A summary in labelled sections, as text for a terminal. */

/**
 * @typedef {object} Section
 * @property {string} title
 * @property {string[]} [text] sentences, wrapped; before the rows
 * @property {string[][]} [rows] a table; a first row of titles if `head`
 * @property {boolean} [head]
 * @property {('left' | 'right')[]} [align] of the columns
 * @property {number[]} [strong] numbers of the rows to be shown bold, from 0
 * @property {string[]} [notes] sentences after the rows
 */

/**
 * @param {readonly Section[]} sections
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function sectionsText (sections, options) {
  const theme = themeFor(options)
  return sections.map((one) => section(one.title, (inner) => body(one, inner), theme))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
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
function body ({ text = [], rows = [], head = false, align = [], strong = [], notes = [] }, theme) {
  const wrapped = (/** @type {string[]} */ sentences) => {
    return sentences.flatMap((sentence) => wrapText(theme.line(sentence), theme.columns))
  }
  /** @param {number} at @returns {'secondary' | 'strong' | undefined} */
  const styleOf = (at) => head && at === 0 ? 'secondary' : strong.includes(at) ? 'strong' : undefined
  const cells = rows.map((row, at) => row.map((cell) => ({ text: theme.line(cell), style: styleOf(at) })))
  return [...wrapped(text), ...rows.length === 0 ? [] : layoutFitted(cells, align, theme, { head }), ...wrapped(notes)]
}
