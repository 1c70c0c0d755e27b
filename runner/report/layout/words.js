/** Words in several styles: broken into lines as plain text, then painted. */
import { breakText, textWidth } from './text.js'

/**
 * @import { Style, Theme } from './theme.js'
 *
 * @typedef {{ styles: Style[], url?: string }} Format
 * @typedef {{ text: string, format: Format }} Piece
 * @typedef {Piece[]} Word no line is broken inside of it, unless it is longer than one
 */

/** A space inside code, where a line shouldn't break: a whole command is easier to copy. */
export const glue = '\u00a0'

/**
 * @param {string} text
 * @param {Format} format
 * @param {Theme} theme
 * @returns {Word[]} harmless
 */
export function splitWords (text, format, theme) {
  return text.split(/[ \t\n]+/).filter(Boolean)
    .map((word) => [{ text: word.split(glue).map((part) => theme.source(part).join(glue)).join(glue), format }])
}

/** @param {Word} word @returns {number} columns */
export function wordWidth (word) {
  return word.reduce((sum, { text }) => sum + textWidth(text), 0)
}

/** @param {Word[]} words @returns {number} columns, on one line */
export function wordsWidth (words) {
  return words.reduce((sum, word) => sum + wordWidth(word), 0) + Math.max(0, words.length - 1)
}

/**
 * @param {Word[]} words one without pieces ends its line
 * @param {number} room columns
 * @returns {Word[][]} lines, at least one
 */
export function wrapWords (words, room) {
  /** @type {Word[][]} */
  const lines = [[]]
  for (const word of words.flatMap((word) => wordWidth(word) > room ? pieced(word, room) : [word])) {
    const line = lines[lines.length - 1]
    if (word.length === 0) lines.push([])
    else if (line.length > 0 && wordsWidth(line) + 1 + wordWidth(word) > room) lines.push([word])
    else line.push(word)
  }
  return lines
}

/**
 * A word too long for a line is broken at its glue if that helps, else anywhere.
 *
 * @param {Word} word
 * @param {number} room
 */
function pieced (word, room) {
  /** @type {Word[]} */
  const words = [[]]
  for (const { text, format } of word) {
    text.split(glue).forEach((part, at) => {
      if (at > 0) words.push([])
      words[words.length - 1].push({ text: part, format })
    })
  }
  return words.flatMap((one) => wordWidth(one) <= room
    ? [one]
    : one.flatMap(({ text, format }) => breakText(text, room).map((part) => [{ text: part, format }])))
}

/**
 * @param {Word[]} line
 * @param {Theme} theme
 * @returns {string}
 */
export function paintWords (line, { paint, link }) {
  /** @type {Piece[]} */
  const runs = []
  line.forEach((word, at) => {
    word.forEach(({ text, format }, index) => {
      const last = runs[runs.length - 1]
      const isSame = last?.format === format
      const space = at > 0 && index === 0 ? ' ' : ''
      if (isSame) last.text += space + text
      else runs.push(...space === '' ? [] : [{ text: space, format: plain }], { text, format })
    })
  })
  return runs.map(({ text, format: { styles, url } }) => {
    const shown = paint(styles.length === 0 ? undefined : styles, text.replaceAll(glue, ' '))
    return url === undefined ? shown : link(url, shown)
  }).join('')
}

/** @type {Format} */
export const plain = { styles: [] }
