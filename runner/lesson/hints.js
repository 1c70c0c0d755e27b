import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { plainText } from './plain-text.js'

/** @import { Token } from './plain-text.js' */

/**
 * The hints of a lesson, from gentle to plain: the texts under the headings `## 1`, `## 2`, … of its hints.md, as plain
 * text in lines of at most `width` characters.
 *
 * @param {{ dir: string, number: number, root: string }} entry
 * @param {{ width: number }} options
 * @returns {Promise<string[]>}
 * @throws {WorkshopError} hints.md is missing or holds no hint
 */
export async function readHints (entry, { width }) {
  const file = path.join(entry.dir, 'hints.md')
  const shown = path.relative(entry.root, file)
  const tokens = await parse(await readText(file, shown))
  const hints = sectionsOf(tokens).map((section) => plainText(section, { width })).filter(Boolean)
  if (hints.length === 0) throw new WorkshopError(`${shown} holds no hint: write one under a heading \`## 1\`.`)
  return hints
}

/** @param {string} file @param {string} shown */
async function readText (file, shown) {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new WorkshopError(`${shown} cannot be read (${error.code}): \`git checkout -- ${shown}\` brings it back.`,
      { cause: error })
  }
}

/** @param {string} markdown @returns {Promise<Token[]>} */
async function parse (markdown) {
  // Imported here: every command passes through the catalogue, only `hint` reads Markdown.
  const { default: MarkdownIt } = await import('markdown-it')
  return MarkdownIt().parse(markdown, {})
}

/** @param {Token[]} tokens */
function sectionsOf (tokens) {
  /** @type {Token[][]} */
  const sections = []
  let inside = false
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open' && (token.tag === 'h1' || token.tag === 'h2')) {
      inside = token.tag === 'h2' && /^\d+\b/.test(tokens[index + 1].content)
      if (inside) sections.push([])
    }
    if (inside) sections[sections.length - 1].push(token)
  })
  // The heading itself is three tokens: open, inline, close.
  return sections.map((section) => section.slice(3))
}
