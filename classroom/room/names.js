import { randomBytes } from 'node:crypto'
import { cleanLine } from '../../runner/shared/text.js'
import { newCode } from '../../runner/shared/random.js'

/** Names are shown to a whole room: these are the characters they may have. Pure. */

const longestName = 40
const longestMessage = 500

/**
 * @param {unknown} given
 * @returns {string | null} without control and bidirectional characters, on one line, of limited length; null: it has
 *   no letter and no digit
 */
export function readName (given) {
  const name = typeof given === 'string' ? shorten(cleanLine(given).normalize('NFC'), longestName) : ''
  return /[\p{L}\p{N}]/u.test(name) ? name : null
}

/** @param {string} given @returns {string} the instructor's message to all; may be empty */
export function readMessage (given) {
  return shorten(cleanLine(given), longestMessage)
}

/**
 * @param {string} name
 * @param {ReadonlySet<string>} taken folded
 * @returns {string} with a number, if it's taken: `Ada 2`
 */
export function uniqueName (name, taken) {
  if (!taken.has(folded(name))) return name
  for (let number = 2; ; number++) {
    const numbered = `${shorten(name, longestName - 1 - String(number).length)} ${number}`
    if (!taken.has(folded(numbered))) return numbered
  }
}

/** Letters, each with what looks like it: Greek and Cyrillic ones, and those that a wall's font draws alike. */
const alike = new Map([
  'aаα', 'bвβ', 'cсϲ', 'dԁ', 'eеεё', 'hнηһ', 'jјϳ', 'kкκ', 'li1ιіıӏ', 'mмμ', 'nν', 'o0оοσ',
  'pрρ', 'qԛ', 'sѕ5', 'tтτ', 'wԝω', 'xхχ', 'yуυү', 'zζ'
].flatMap(([letter, ...others]) => others.map((other) => [other, letter])))

/** Names that people would confuse become the same. @param {string} name */
export function folded (name) {
  const plain = name.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  return [...plain].map((letter) => alike.get(letter) ?? letter).join('')
}

/** Never cuts a character in half. @param {string} text @param {number} most */
function shorten (text, most) {
  return [...text].slice(0, most).join('').trim()
}

/** 39 bits: at 5,000 tries a second, the most that the server can answer, a guess takes a year and a half. */
export function newJoinCode () {
  return newCode(2)
}

/** As people type it. Pure. @param {unknown} given @returns {string} as `newJoinCode` writes it */
export function readCode (given) {
  if (typeof given !== 'string' || given.length > 60) return ''
  return given.toLowerCase().replace(/[^a-z0-9]/g, '').replace(/(.{4})(?=.)/g, '$1-')
}

/**
 * A token bucket: many at once after a long silence, then a few each second. Pure.
 *
 * @typedef {{ left: number, at: number }} Allowance at: ms since 1970
 * @typedef {{ most: number, perSecond: number }} Rate
 *
 * @param {Allowance | undefined} before undefined: never done
 * @param {number} now ms since 1970
 * @param {Rate} rate
 * @returns {Allowance | null} null: too often
 */
export function takeOne (before, now, { most, perSecond }) {
  const gone = before === undefined ? 0 : Math.max(0, now - before.at) / 1000
  const left = Math.min(most, (before?.left ?? most) + gone * perSecond)
  return left < 1 ? null : { left: left - 1, at: now }
}

/** The instructor's: 192 bits can't be guessed. */
export function newSecret () {
  return randomBytes(24).toString('base64url')
}
