/** What a terminal can show: its width, its marks, its colours. The style of all layouts. */
import { styleText } from 'node:util'
import { cleanLine, cleanLines, cleanSource } from '../../clean.js'
import { asciiMarks, unicodeMarks } from './marks.js'
import { truncateText } from './text.js'

/**
 * @typedef {'pass' | 'fail' | 'inconclusive' | 'error' | 'secondary' | 'strong' | 'code' | 'emphasis' | 'link'} Style
 *
 * @typedef {object} ThemeOptions
 * @property {number} [columns] default 80
 * @property {boolean} [colour] default false
 * @property {boolean} [unicode] default true; false: marks, bars and symbols in ASCII
 * @property {boolean} [uncut] default false; true: nothing is cut to fit, as in a pipe
 * @property {boolean} [links] default false; true: links can be clicked
 *
 * @typedef {object} Theme
 * @property {number} columns no line is longer, except for tables where nothing is cut; never below `narrowest`
 * @property {boolean} uncut tables may be wider
 * @property {typeof unicodeMarks} marks
 * @property {(style: Style | Style[] | undefined, text: string) => string} paint
 * @property {(text: unknown) => string} line makes one harmless line, of limited length
 * @property {(text: unknown) => string[]} lines makes harmless lines
 * @property {(text: string) => string[]} source makes harmless lines of a whole text, and drops nothing
 * @property {(url: string, text: string) => string} link makes harmless text a link if the terminal has them
 */

const narrowest = 40
const longestText = 600

/** @type {Record<Style, 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan' | 'italic' | 'underline'>} */
const formats = {
  pass: 'green',
  fail: 'red',
  inconclusive: 'yellow',
  error: 'red',
  secondary: 'dim',
  strong: 'bold',
  code: 'cyan',
  emphasis: 'italic',
  link: 'underline'
}

/**
 * @param {ThemeOptions} [options]
 * @returns {Theme}
 */
export function createTheme ({ columns = 80, colour = false, unicode = true, links = false, uncut = false } = {}) {
  const marks = unicode ? unicodeMarks : asciiMarks
  return {
    columns: Math.max(narrowest, columns),
    uncut,
    marks,
    paint: (style, text) => colour && style !== undefined && text !== ''
      ? styleText([style].flat().map((name) => formats[name]), text, { validateStream: false })
      : text,
    line: (text) => truncateText(cleanLine(text, unicode), longestText, marks.ellipsis),
    lines: (text) => cleanLines(text, unicode),
    source: (text) => cleanSource(text, unicode),
    // OSC 8: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
    link: (url, text) => links && /^(https?|file):[\x21-\x7e]+$/.test(url)
      ? `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`
      : text
  }
}

/**
 * May a line of a table be that long?
 *
 * @param {number} width columns
 * @param {Pick<Theme, 'columns' | 'uncut'>} theme
 */
export function fits (width, { columns, uncut }) {
  return uncut || width <= columns
}

/**
 * @param {string} verdict
 * @returns {Style} the colour of a verdict
 */
export function styleOf (verdict) {
  return verdict === 'pass' || verdict === 'fail' || verdict === 'inconclusive' || verdict === 'error'
    ? verdict
    : 'secondary'
}
