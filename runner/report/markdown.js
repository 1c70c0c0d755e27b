import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { shownPath } from '../shown-path.js'
import { fitWidths, layoutTable, secondaryRow } from './table.js'
import { breakText, textWidth, themeFor } from './theme.js'

/**
 * @import { Style, TextOptions, Theme } from './theme.js'
 */

/** Markdown files as text for a terminal. */

/**
 * @param {string} markdown
 * @param {TextOptions & { dir: string }} options dir: the base of its links
 * @returns {Promise<string>} lines without a newline at the end
 */
export async function markdownText (markdown, { dir, ...options }) {
  // Imported here: every command loads this module, but few read Markdown.
  const { default: MarkdownIt } = await import('markdown-it')
  const tokens = MarkdownIt({ html: true }).parse(markdown, {})
  return layoutMarkdown(tokens, themeFor(options), (href) => placeOf(href, dir)).join('\n')
}

/**
 * @param {string} href
 * @param {string} dir
 * @returns {{ shown: string, url: string } | null} null: within the same text
 */
function placeOf (href, dir) {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return { shown: href, url: href }
  const [file] = href.split('#')
  // The link of a glossary term is shown as plain text.
  if (file === '' || path.posix.basename(file) === 'glossary.md') return null
  const place = path.resolve(dir, decodeURI(file))
  return { shown: shownPath(place), url: pathToFileURL(place).href }
}

/** Markdown, as markdown-it's tokens, laid out for a terminal. */

const longestLine = 100

/**
 * Code keeps its backticks, so that commands stand out even without colour. Only lines of code may be wider than the
 * window: they're there to be copied.
 *
 * @param {Token[]} tokens
 * @param {Theme} theme
 * @param {FindPlace} [findPlace]
 * @returns {string[]} lines
 */
function layoutMarkdown (tokens, theme, findPlace = (href) => ({ shown: href, url: href })) {
  /** @type {{ lines: string[], close: boolean }[]} */
  const blocks = []
  /** @type {{ first: string, rest: string }[]} */
  const indents = []
  /** @type {boolean[]} */
  const ordered = []
  let heading = ''
  let tight = false

  /** @param {(room: number) => string[]} linesIn */
  const add = (linesIn) => {
    const first = indents.map((indent) => indent.first).join('')
    const rest = indents.map((indent) => indent.rest).join('')
    const lines = linesIn(Math.max(8, Math.min(longestLine, theme.columns) - rest.length))
    if (lines.length === 0) return
    blocks.push({
      lines: lines.map((line, index) => ((index === 0 ? first : rest) + line).trimEnd()),
      close: tight && indents.length > 0
    })
    // A list item shows its mark once.
    for (const indent of indents) indent.first = indent.rest
  }

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token.type === 'table_open') {
      const end = tokens.findIndex((other, index) => index > at && other.type === 'table_close')
      const table = tokens.slice(at, end)
      add((room) => layoutMarkdownTable(table, { room, theme, findPlace }))
      at = end
    } else if (token.type === 'heading_open') heading = token.tag
    else if (token.type === 'heading_close') heading = ''
    else if (token.type === 'paragraph_open') tight = token.hidden
    else if (token.type === 'inline') {
      const words = wordsOf(token.children ?? [], theme, findPlace, heading === '' ? [] : ['strong'])
      add((room) => [...paragraph(words, room, theme), ...ruleOf(heading, words, room, theme)])
    } else if (token.type === 'fence' || token.type === 'code_block') add(() => codeLines(token.content, theme))
    else if (token.type === 'html_block') {
      const text = token.content.replace(/<!--[^]*?-->|<[^>]*>/g, ' ').trim()
      /** @type {Style[]} */
      const styles = token.content.includes('<summary') ? ['strong'] : []
      add((room) => text === '' ? [] : paragraph(splitWords(text, { styles }, theme), room, theme))
    } else if (token.type === 'hr') add((room) => [theme.marks.track.repeat(Math.min(room, 20))])
    else if (token.type === 'bullet_list_open') ordered.push(false)
    else if (token.type === 'ordered_list_open') ordered.push(true)
    else if (/^(bullet|ordered)_list_close$/.test(token.type)) ordered.pop()
    else if (token.type === 'list_item_open') {
      const mark = ordered[ordered.length - 1] ? `${token.info}. ` : '- '
      indents.push({ first: mark, rest: ' '.repeat(mark.length) })
    } else if (token.type === 'blockquote_open') indents.push({ first: '> ', rest: '> ' })
    else if (token.type === 'list_item_close' || token.type === 'blockquote_close') indents.pop()
  }
  return blocks.flatMap(({ lines, close }, index) =>
    index === 0 || (close && blocks[index - 1].close) ? lines : ['', ...lines])
}

/** @param {Word[]} words @param {number} room @param {Theme} theme */
function paragraph (words, room, theme) {
  return wrapWords(words, room).map((line) => paintWords(line, theme))
}

/** @param {string} heading `h1`, or nothing @param {Word[]} words @param {number} room @param {Theme} theme */
function ruleOf (heading, words, room, { marks, paint }) {
  const rule = heading === 'h1' ? marks.interval : heading === 'h2' ? marks.track : ''
  return rule === '' ? [] : [paint('secondary', rule.repeat(Math.min(room, wordsWidth(words))))]
}

/** @param {string} code @param {Theme} theme */
function codeLines (code, { source, paint }) {
  return source(code.trimEnd()).map((line) => `    ${paint('code', line)}`)
}

/** Words in several styles: broken into lines as plain text, then painted. */

/**
 * @typedef {{ styles: Style[], url?: string }} Format
 * @typedef {{ text: string, format: Format }} Piece
 * @typedef {Piece[]} Word no line is broken inside of it, unless it is longer than one
 */

/** A space inside code, where a line shouldn't break: a whole command is easier to copy. */
const glue = '\u00a0'

/**
 * @param {string} text
 * @param {Format} format
 * @param {Theme} theme
 * @returns {Word[]} harmless
 */
function splitWords (text, format, theme) {
  return text.split(/[ \t\n]+/).filter(Boolean)
    .map((word) => [{ text: word.split(glue).map((part) => theme.source(part).join(glue)).join(glue), format }])
}

/** @param {Word} word @returns {number} columns */
function wordWidth (word) {
  return word.reduce((sum, { text }) => sum + textWidth(text), 0)
}

/** @param {Word[]} words @returns {number} columns, on one line */
function wordsWidth (words) {
  return words.reduce((sum, word) => sum + wordWidth(word), 0) + Math.max(0, words.length - 1)
}

/**
 * @param {Word[]} words one without pieces ends its line
 * @param {number} room columns
 * @returns {Word[][]} lines, at least one
 */
function wrapWords (words, room) {
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
function paintWords (line, { paint, link }) {
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

/** The words of one paragraph of Markdown. */

/**
 * The part of a markdown-it token that's used here.
 *
 * @typedef {object} Token
 * @property {string} type
 * @property {string} tag
 * @property {string} content
 * @property {string} info
 * @property {boolean} hidden
 * @property {Token[] | null} children
 * @property {(name: string) => string | number | null} attrGet
 *
 * @typedef {(href: string) => { shown: string, url: string } | null} FindPlace where a link leads; null: nowhere that
 *   has to be told
 */

/**
 * @param {Token[]} tokens of a paragraph
 * @param {Theme} theme
 * @param {FindPlace} findPlace
 * @param {Style[]} styles of the whole
 * @returns {Word[]} a word without pieces breaks the line
 */
export function wordsOf (tokens, theme, findPlace, styles) {
  /** @type {Word[]} */
  const words = []
  let isOpen = false
  /** @type {Format} */
  let format = { styles }
  /** @type {Format[]} */
  const outer = []
  /** @param {string} text @param {Format} [as] */
  const write = (text, as = format) => {
    const parts = splitWords(text, as, theme)
    if (isOpen && !/^[ \t]/.test(text)) words[words.length - 1].push(...parts.shift() ?? [])
    words.push(...parts)
    if (text !== '') isOpen = words.length > 0 && !/[ \t]$/.test(text)
  }
  /** @param {Style} style @param {string} [url] */
  const open = (style, url) => {
    outer.push(format)
    format = { styles: [...format.styles, style], url: url ?? format.url }
  }
  // Links don't nest.
  let href = ''
  let linked = ''
  for (const token of tokens) {
    if (token.type === 'text') {
      write(token.content)
      linked += token.content
    } else if (token.type === 'code_inline') {
      write('`' + token.content.replaceAll(' ', glue) + '`', { ...format, styles: [...format.styles, 'code'] })
      linked += token.content
    } else if (token.type === 'softbreak') write(' ')
    else if (token.type === 'hardbreak' || (token.type === 'html_inline' && /^<br\b/i.test(token.content))) {
      words.push([])
      isOpen = false
    } else if (token.type === 'strong_open') open('strong')
    else if (token.type === 'em_open') open('emphasis')
    else if (token.type === 'link_open') {
      href = String(token.attrGet('href') ?? '')
      linked = ''
      open('link', findPlace(href)?.url)
    } else if (/^(strong|em|link)_close$/.test(token.type)) {
      const url = format.url
      format = outer.pop() ?? format
      const place = token.type === 'link_close' ? findPlace(href) : null
      if (place !== null && place.shown !== linked && place.url !== linked) {
        write(' (')
        write(place.shown.replaceAll(' ', glue), { styles: format.styles, url })
        write(')')
      }
    } else if (token.type === 'image') {
      const place = findPlace(String(token.attrGet('src') ?? ''))
      write(`Picture: ${token.content} `)
      if (place === null) continue
      write('(')
      write(place.shown.replaceAll(' ', glue), { styles: [...format.styles, 'link'], url: place.url })
      write(')')
    }
  }
  return words
}

/** Tables of Markdown. */

/**
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
function layoutMarkdownTable (tokens, { room, theme, findPlace }) {
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
