import MarkdownIt from 'markdown-it'

const parser = new MarkdownIt({ linkify: false })

/**
 * What a text links to, and the code that it shows.
 *
 * @param {string} source
 * @returns {{ links: string[], code: { language: string, text: string }[] }}
 */
export function readMarkdown (source) {
  /** @type {string[]} */
  const links = []
  const code = []
  for (const token of parser.parse(source, {})) {
    if (token.type === 'fence' || token.type === 'code_block') {
      code.push({ language: token.info.trim(), text: token.content })
    }
    for (const child of token.children ?? []) {
      const target =
        child.type === 'link_open' ? child.attrGet('href') : child.type === 'image' ? child.attrGet('src') : null
      if (target) links.push(String(target))
    }
  }
  return { links, code }
}
