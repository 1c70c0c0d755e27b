/** Markdown files as text for a terminal. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { shownPath } from '../shown-path.js'
import { themeFor } from './capabilities.js'
import { layoutMarkdown } from './layout/markdown.js'

/** @import { TextOptions } from './capabilities.js' */

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
