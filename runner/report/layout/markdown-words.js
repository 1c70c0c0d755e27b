/** The words of one paragraph of Markdown. */
import { glue, splitWords } from './words.js'

/**
 * @import { Style, Theme } from './theme.js'
 * @import { Format, Word } from './words.js'
 *
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
