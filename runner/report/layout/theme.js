/** What a terminal can show: its width, its marks, its colours. The whole layout takes its looks from here. */
import { styleText } from 'node:util'
import { cleanLine, cleanLines } from './clean.js'
import { truncateText } from './text.js'

/**
 * @typedef {'pass' | 'fail' | 'inconclusive' | 'error' | 'secondary' | 'strong'} Style
 *
 * @typedef {object} Look
 * @property {number} [columns] default 80
 * @property {boolean} [colour] default false
 * @property {boolean} [unicode] default true; false: marks, bars and symbols in ASCII
 *
 * @typedef {object} Theme
 * @property {number} columns no line is longer; never below `narrowest`
 * @property {typeof unicodeMarks} marks
 * @property {(style: Style | Style[] | undefined, text: string) => string} paint
 * @property {(text: unknown) => string} line makes one harmless line, not endlessly long
 * @property {(text: unknown) => string[]} lines makes harmless lines
 */

export const narrowest = 40
const longestText = 600

const unicodeMarks = {
  pass: '✓',
  fail: '✗',
  inconclusive: '?',
  error: '!',
  dropped: '–',
  'not measured': '–',
  warning: '!',
  current: '▸',
  pending: '·',
  dot: '·',
  none: '–',
  times: '×',
  ellipsis: '…',
  gutter: '│',
  atLeast: '≥',
  atMost: '≤',
  about: '≈',
  track: '─',
  interval: '━',
  ratio: '●',
  target: '│',
  spark: '▁▂▃▄▅▆▇█'
}

/** @type {typeof unicodeMarks} */
const asciiMarks = {
  pass: '+',
  fail: 'x',
  inconclusive: '?',
  error: '!',
  dropped: '-',
  'not measured': '-',
  warning: '!',
  current: '>',
  pending: '.',
  dot: '-',
  none: '-',
  times: 'x',
  ellipsis: '...',
  gutter: '|',
  atLeast: '>=',
  atMost: '<=',
  about: '~',
  track: '-',
  interval: '=',
  ratio: 'o',
  target: '|',
  spark: '_.:-=+*#'
}

/** @type {Record<Style, 'green' | 'red' | 'yellow' | 'dim' | 'bold'>} */
const formats = {
  pass: 'green',
  fail: 'red',
  inconclusive: 'yellow',
  error: 'red',
  secondary: 'dim',
  strong: 'bold'
}

/**
 * @param {Look} [look]
 * @returns {Theme}
 */
export function createTheme ({ columns = 80, colour = false, unicode = true } = {}) {
  const marks = unicode ? unicodeMarks : asciiMarks
  return {
    columns: Math.max(narrowest, columns),
    marks,
    paint: (style, text) => colour && style !== undefined && text !== ''
      ? styleText([style].flat().map((name) => formats[name]), text, { validateStream: false })
      : text,
    line: (text) => truncateText(cleanLine(text, unicode), longestText, marks.ellipsis),
    lines: (text) => cleanLines(text, unicode)
  }
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
