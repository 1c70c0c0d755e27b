/** Markdown, as markdown-it's tokens, laid out for a terminal. */
import { layoutMarkdownTable } from './markdown-table.js'
import { wordsOf } from './markdown-words.js'
import { paintWords, splitWords, wordsWidth, wrapWords } from './words.js'

/**
 * @import { FindPlace, Token } from './markdown-words.js'
 * @import { Style, Theme } from './theme.js'
 * @import { Word } from './words.js'
 */

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
export function layoutMarkdown (tokens, theme, findPlace = (href) => ({ shown: href, url: href })) {
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
