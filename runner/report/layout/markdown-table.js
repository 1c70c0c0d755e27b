/** Tables of Markdown. */
import { wordsOf } from './markdown-words.js'
import { fitWidths, layoutTable, secondaryRow } from './table.js'
import { paintWords, plain, wordWidth, wordsWidth, wrapWords } from './words.js'

/**
 * @import { FindPlace, Token } from './markdown-words.js'
 * @import { Theme } from './theme.js'
 * @import { Piece, Word } from './words.js'
 *
 * @typedef {{ words: Word[], align: 'left' | 'right' }} Cell
 */

/** Prose in a narrower column is hard to read. */
const leastColumn = 16

/**
 * In columns if there's room, else each row as a block.
 *
 * @param {Token[]} tokens from table_open on
 * @param {{ room: number, theme: Theme, findPlace: FindPlace }} given room: columns
 * @returns {string[]} lines
 */
export function layoutMarkdownTable (tokens, { room, theme, findPlace }) {
  const rows = readTable(tokens, theme, findPlace)
  return inColumns(rows, room, theme) ?? stacked(rows, room, theme)
}

/** @param {Token[]} tokens @param {Theme} theme @param {FindPlace} findPlace @returns {Cell[][]} */
function readTable (tokens, theme, findPlace) {
  /** @type {Cell[][]} */
  const rows = []
  tokens.forEach((token, at) => {
    if (token.type === 'tr_open') rows.push([])
    if (token.type !== 'th_open' && token.type !== 'td_open') return
    rows[rows.length - 1].push({
      words: wordsOf(tokens[at + 1].children ?? [], theme, findPlace, token.type === 'th_open' ? ['strong'] : []),
      align: /right/.test(String(token.attrGet('style'))) ? 'right' : 'left'
    })
  })
  return rows
}

/** @param {Cell[][]} rows the first is the head @param {number} room @param {Theme} theme */
function inColumns (rows, room, theme) {
  const columns = rows[0].map((_, at) => rows.map((row) => row[at].words))
  const natural = columns.map((cells) => Math.max(1, ...cells.map(wordsWidth)))
  const least = columns.map((cells, at) =>
    Math.min(natural[at], Math.max(leastColumn, ...cells.flat().map(wordWidth))))
  const widths = fitWidths(natural, least, room)
  if (widths === null) return null
  const [head, ...body] = rows.map((row) => rowsOf(row, widths, theme))
  const hasHead = rows[0].some(({ words }) => words.length > 0)
  const rule = secondaryRow(widths.map((width) => theme.marks.track.repeat(width)))
  return layoutTable([...hasHead ? [...head, rule] : [], ...body.flat()], rows[0].map(({ align }) => align), theme)
}

/** @param {Cell[]} row @param {number[]} widths @param {Theme} theme one row of the table for each line of its cells */
function rowsOf (row, widths, theme) {
  const cells = row.map(({ words }, at) => wrapWords(words, widths[at]))
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) => cells.map((lines) => {
    const words = lines[line] ?? []
    return { text: ' '.repeat(wordsWidth(words)), painted: paintWords(words, theme) }
  }))
}

/**
 * Each row as a block headed by its first cell.
 *
 * @param {Cell[][]} rows
 * @param {number} room
 * @param {Theme} theme
 */
function stacked ([heads, ...rows], room, theme) {
  return rows.flatMap(([first, ...others], number) => [
    ...number === 0 || first.words.length === 0 ? [] : [''],
    ...first.words.length === 0 ? [] : wrapWords(first.words, room).map((line) => paintWords(line, theme)),
    ...others.flatMap(({ words }, at) => {
      // A single column needs no name.
      const name = others.length === 1 ? [] : heads[at + 1].words
      const titled = name.length === 0 ? words : [...name.slice(0, -1), [...name[name.length - 1], colon], ...words]
      return words.length === 0 ? [] : wrapWords(titled, room - 2).map((line) => `  ${paintWords(line, theme)}`)
    })
  ])
}

/** @type {Piece} */
const colon = { text: ':', format: plain }
