import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * Makes text from servers, file names and records harmless: what's left can't move the cursor, colour
 * or reorder the learner's terminal.
 */

const longestText = 20_000

/** Where a letter of more than one byte is cut; -1 without one. @param {Uint8Array} bytes UTF-8 */
export function withinLetter (bytes) {
  return bytes.findIndex((byte) => byte >> 6 === 0b10)
}

/**
 * One line: escape sequences, control and bidirectional characters removed, white space folded.
 *
 * @param {unknown} text null and undefined are empty
 * @param {boolean} [unicode] false: symbols become ASCII; letters of any script stay
 * @returns {string}
 */
export function cleanLine (text, unicode = true) {
  return cleanLines(text, unicode).join(' ').replace(/\s+/g, ' ').trim()
}

/**
 * Several lines: as cleanLine, with indentation kept and blank ends dropped.
 *
 * @param {unknown} text null and undefined are empty
 * @param {boolean} [unicode]
 * @returns {string[]}
 */
export function cleanLines (text, unicode = true) {
  const lines = stripVTControlCharacters(String(text ?? '').slice(0, longestText))
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => cleanCharacters(line, unicode).trimEnd())
  while (lines.length > 0 && lines[0] === '') lines.shift()
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * A whole text, such as a learner's file: what can't be shown is written as an escape, and no line is dropped.
 *
 * @param {string} text
 * @param {boolean} [unicode]
 * @returns {string[]} lines
 */
export function cleanSource (text, unicode = true) {
  return text.split(/\r\n|\n/).map((line) => cleanCharacters(
    line.replace(/[^\P{C}\t]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`), unicode))
}

/** @param {string} line @param {boolean} unicode */
function cleanCharacters (line, unicode) {
  const harmless = line
    .replaceAll('\t', '  ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    // Stacked accents would climb over the lines above.
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
  return unicode ? harmless : toAscii(harmless)
}

/** @type {Record<string, string>} */
const asciiOf = {
  '×': 'x',
  '…': '...',
  '–': '-',
  '—': '-',
  '·': '-',
  '→': '->',
  '←': '<-',
  '≥': '>=',
  '≤': '<=',
  '≈': '~',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  µ: 'u',
  '\u00a0': ' ',
  '\u202f': ' '
}

/** @param {string} text */
function toAscii (text) {
  return text.replace(
    /[^\x20-\x7e]/gu,
    (symbol) => asciiOf[symbol] ?? (/[\p{L}\p{M}\p{N}]/u.test(symbol) ? symbol : '?')
  )
}

/** A path as the learner would type it: relative to the current folder, when that is shorter. @param {string} place */
export function shownPath (place) {
  const relative = path.relative(process.cwd(), place)
  return relative !== '' && relative.length < place.length ? relative : place
}

/** What a table calls a function without a name; its place stands next to it. */
export const noName = '(no name)'

/**
 * A handler without a name is called by its route in pictures, `POST /login`. A listener isn't: what it's attached to
 * is to be found out. Pure.
 *
 * @param {string} [line] of its source
 */
export function routeIn (line) {
  const [, method, , route] =
    /\.(get|post|put|patch|delete|head|options|all|use)\(\s*(['"`])([^'"`]+)\2/.exec(line ?? '') ?? []
  if (route === undefined) return null
  // `use` is no method of HTTP.
  return `${method === 'use' ? method : method.toUpperCase()} ${route}`
}
