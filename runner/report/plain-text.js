import path from 'node:path'
import { shownPath } from '../shared/text.js'
import { textWidth, themeFor, wrapParts, wrapText } from './theme.js'

/**
 * @import { TextOptions, Theme } from './theme.js'
 *
 * @typedef {{ first: string, rest: string, text: string }} Paragraph first, rest: what its lines begin with
 */

const longestLine = 100

/**
 * Markdown as it's written, wrapped to the window. Links are followed by where they lead; code and tables stay as they
 * are, and may be wider than the window.
 *
 * @param {string} markdown
 * @param {TextOptions & { dir: string }} options dir: the base of its links
 * @returns {string} lines without a newline at the end
 */
export function markdownText (markdown, { dir, ...options }) {
  const theme = themeFor(options)
  /** @type {string[]} */
  const lines = []
  /** @type {Paragraph | null} */
  let open = null
  let isFenced = false
  let isCode = false
  const end = () => {
    if (open !== null) lines.push(...wrapParagraph(open, dir, theme))
    open = null
  }
  for (const line of theme.source(withoutTags(markdown))) {
    const isFence = /^\s*```/.test(line)
    isCode = isFenced || isFence || /^\s*\|/.test(line) ||
      (/^ {4}/.test(line) && open === null && (isCode || (lines.at(-1) ?? '') === ''))
    if (isFence) isFenced = !isFenced
    if (isCode || line.trim() === '' || /^#/.test(line)) end()
    if (isCode) lines.push(line)
    else if (line.trim() === '') lines.push('')
    else if (/^#/.test(line)) lines.push(...wrapText(line, theme.columns).map((part) => theme.paint('strong', part)))
    else {
      const [begin, mark] = /^\s*(>|[-*] |\d+\. )?\s*/.exec(line) ?? ['']
      const text = line.slice(begin.length)
      if (open !== null && (mark === undefined || (mark === '>' && open.first === '> '))) open.text += ` ${text}`
      else {
        end()
        const first = mark === '>' ? '> ' : begin
        open = { first, rest: mark === '>' ? first : ' '.repeat(first.length), text }
      }
    }
  }
  end()
  return lines.join('\n').replace(/\n{3,}/g, '\n\n').trim()
}

/** HTML that says nothing in a terminal. @param {string} markdown */
function withoutTags (markdown) {
  return markdown
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<summary>(.*?)<\/summary>/g, '**$1**')
    .replace(/^<.*?>/gm, '')
}

/** @param {Paragraph} paragraph @param {string} dir @param {Theme} theme @returns {string[]} lines */
function wrapParagraph ({ first, rest, text }, dir, { columns }) {
  const width = Math.max(8, Math.min(longestLine, columns) - first.length)
  // A command is easier to copy from one line.
  const words = withPlaces(text, dir).match(/(?:`[^`]*`|[^\s`]|`)+/g) ?? []
  const pieces = words.flatMap((word) => textWidth(word) <= width ? [word] : wrapText(word, width))
  return wrapParts(pieces, ' ', width).map((line, at) => (at === 0 ? first : rest) + line)
}

/** @param {string} text @param {string} dir @returns {string} links outside of code are followed by their places */
function withPlaces (text, dir) {
  return text.replace(/`[^`]*`|(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^()\s]+)\)/g, (all, picture, name, href) => {
    if (href === undefined) return all
    const place = placeOf(href, dir)
    const said = picture === '' ? name : `Picture: ${name}`
    return place === null || place === name.replaceAll('`', '') ? said : `${said} (${place})`
  })
}

/** @param {string} href @param {string} dir @returns {string | null} null: in this text, or a term of the glossary */
function placeOf (href, dir) {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return href
  const [file] = href.split('#')
  return file === '' || path.posix.basename(file) === 'glossary.md'
    ? null
    : shownPath(path.resolve(dir, decodeURI(file)))
}
