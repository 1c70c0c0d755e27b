import { styleText } from 'node:util'
import { cleanLine, cleanLines, cleanSource } from '../shared/text.js'
import { asciiMarks, unicodeMarks } from './marks.js'

/**
 * The style of all layouts: a terminal's width, its marks, its colours.
 *
 * @typedef {'pass' | 'fail' | 'inconclusive' | 'error' | 'secondary' | 'strong' | 'code'} Style
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

/** @type {Record<Style, 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan'>} */
const formats = {
  pass: 'green',
  fail: 'red',
  inconclusive: 'yellow',
  error: 'red',
  secondary: 'dim',
  strong: 'bold',
  code: 'cyan'
}

/** @param {ThemeOptions} [options] @returns {Theme} */
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
 * @typedef {object} Output a tty.WriteStream, or anything else that takes text
 * @property {(text: string) => unknown} write
 * @property {boolean} [isTTY]
 * @property {number} [columns]
 * @property {number} [rows]
 * @property {() => void} [cork]
 * @property {() => void} [uncork]
 *
 * @typedef {ThemeOptions & { stream?: Output }} TextOptions the rest is found out from the stream, default stdout
 */

const usualColumns = 80
// A live region in fewer columns would wrap and could not be redrawn.
const narrowestLive = 41

/**
 * The abilities of an output stream.
 *
 * @param {Output} stream
 * @param {Record<string, string | undefined>} [env]
 * @param {string} [platform] as process.platform
 */
export function capabilitiesOf (stream, env = process.env, platform = process.platform) {
  const terminal = stream.isTTY === true
  const columns = (terminal && stream.columns) || Number(env.COLUMNS) || usualColumns
  const colour = showsColour(terminal, env)
  return {
    columns,
    colour,
    unicode: showsUnicode(env, platform),
    // May it be redrawn in place?
    live: terminal && env.TERM !== 'dumb' && columns >= narrowestLive,
    // A file or another program has no width.
    uncut: !terminal && !Number(env.COLUMNS),
    // The Linux console prints sequences it doesn't know.
    links: terminal && colour && env.TERM !== 'dumb' && env.TERM !== 'linux'
  }
}

/** @param {TextOptions} [options] @returns {Theme} */
export function themeFor ({ stream = process.stdout, ...options } = {}) {
  const found = capabilitiesOf(stream)
  return createTheme({ ...found, uncut: found.uncut && options.columns === undefined, ...options })
}

/** FORCE_COLOR wins over NO_COLOR, as it does in Node. @param {boolean} terminal @param {NodeJS.ProcessEnv} env */
function showsColour (terminal, env) {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return terminal && env.TERM !== 'dumb'
}

/** @param {Record<string, string | undefined>} env @param {string} platform */
function showsUnicode (env, platform) {
  // The legacy Windows console sets none of these; its fonts lack the marks and bars.
  if (platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM)
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return locale === undefined || locale === '' || /utf-?8/i.test(locale)
}

/**
 * For a region that is redrawn in place: the last column stays free, since some consoles break the line as soon as it's
 * filled.
 *
 * @param {Output} stream
 * @param {ThemeOptions} [options] what is known otherwise
 */
export function regionTheme (stream, options) {
  return themeFor({ stream, ...stream.isTTY ? { columns: capabilitiesOf(stream).columns - 1 } : {}, ...options })
}

/** May a line of a table have so many columns? @param {number} width @param {Pick<Theme, 'columns' | 'uncut'>} theme */
export function fits (width, { columns, uncut }) {
  return uncut || width <= columns
}

/** @param {string} verdict @returns {Style} the colour of a verdict */
export function styleOf (verdict) {
  return verdict === 'pass' || verdict === 'fail' || verdict === 'inconclusive' || verdict === 'error'
    ? verdict
    : 'secondary'
}

// East Asian wide and full-width forms, and emoji drawn as pictures, take two columns.
const wide = new RegExp(
  '[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff' +
    '\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f000}-\\u{1f02f}\\u{20000}-\\u{3fffd}]|' +
    '\\p{Emoji_Presentation}',
  'u'
)

/** @param {string} text @returns {number} columns that the text takes; never too few */
export function textWidth (text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** @param {string} character */
function characterWidth (character) {
  // The emoji selector turns the narrow sign before it into a wide picture.
  if (character === '\ufe0f') return 1
  if (/\p{M}/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** Cuts text into pieces of at most `width` columns, even within words. @param {string} text @param {number} width */
export function breakText (text, width) {
  const pieces = ['']
  let used = 0
  for (const character of text) {
    const size = characterWidth(character)
    if (used + size > width) {
      pieces.push('')
      used = 0
    }
    pieces[pieces.length - 1] += character
    used += size
  }
  return pieces
}

/** Breaks text between words; a word longer than a line is cut. @param {string} text @param {number} width columns */
export function wrapText (text, width) {
  return wrapParts(text.split(' ').flatMap((word) => breakText(word, width)), ' ', width)
}

/**
 * Wraps text behind a start.
 *
 * @param {string} start may be painted
 * @param {string} text
 * @param {Pick<Theme, 'columns'>} theme
 * @param {number} [indent] of the other lines: as wide as the start
 */
export function hanging (start, text, { columns }, indent = textWidth(start)) {
  return wrapText(text, columns - indent).map((line, at) => (at === 0 ? start : ' '.repeat(indent)) + line)
}

/**
 * Sets parts side by side, with what doesn't fit on the next line.
 *
 * @param {string[]} parts
 * @param {string} gap between two parts of a line
 * @param {number} width columns
 */
export function wrapParts (parts, gap, width) {
  const lines = ['']
  for (const part of parts) {
    const line = lines[lines.length - 1]
    const longer = line === '' ? part : line + gap + part
    if (line === '' || textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

/** Harmless facts, each whole if it fits, between dots. @param {readonly string[]} facts @param {Theme} theme */
export function wrapFacts (facts, { line, marks, columns }) {
  const parts = facts.map((fact) => line(fact)).filter((part) => part !== '')
  if (parts.length === 0) return []
  return wrapParts(parts, ` ${marks.dot} `, columns).flatMap((part) => wrapText(part, columns))
}

/** @param {string} text @param {number} width columns @param {string} ellipsis put where text was cut off */
export function truncateText (text, width, ellipsis) {
  if (textWidth(text) <= width) return text
  const room = width - textWidth(ellipsis)
  return room < 2 ? breakText(text, Math.max(2, width))[0] : breakText(text, room)[0].trimEnd() + ellipsis
}

/**
 * A name or a path with its middle left out: the end, which says most, is kept longest.
 *
 * @param {string} text
 * @param {number} width columns
 * @param {string} ellipsis
 * @returns {string}
 */
export function shortenText (text, width, ellipsis) {
  if (textWidth(text) <= width) return text
  const room = width - textWidth(ellipsis)
  const file = text.includes('/') ? textWidth(text.slice(text.lastIndexOf('/'))) : 0
  const tail = Math.max(file, Math.ceil(room * 2 / 3))
  // One or two letters at the beginning say nothing.
  if (room - tail < 3) return ellipsis + endOf(text, room)
  return breakText(text, room - tail)[0] + ellipsis + endOf(text, tail)
}

/** @param {string} text @param {number} width columns */
export function endOf (text, width) {
  const characters = [...text]
  while (textWidth(characters.join('')) > width) characters.shift()
  return characters.join('')
}

/** @param {string} text @param {number} width columns @param {'left' | 'right'} [align] */
export function padText (text, width, align = 'left') {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'left' ? text + space : space + text
}
