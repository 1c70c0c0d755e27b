import MarkdownIt from 'markdown-it'

const parser = new MarkdownIt({ linkify: false })

/**
 * What a text links to, the code and the pictures that it shows.
 *
 * @param {string} source
 * @returns {{ links: string[], code: { language: string, text: string }[], pictures: { src: string, alt: string }[] }}
 *   links: those of pictures, too
 */
export function readMarkdown (source) {
  /** @type {string[]} */
  const links = []
  const code = []
  const pictures = []
  for (const token of parser.parse(source, {})) {
    if (token.type === 'fence' || token.type === 'code_block') {
      code.push({ language: token.info.trim(), text: token.content })
    }
    for (const child of token.children ?? []) {
      const target =
        child.type === 'link_open' ? child.attrGet('href') : child.type === 'image' ? child.attrGet('src') : null
      if (target) links.push(String(target))
      if (child.type === 'image') pictures.push({ src: String(target), alt: child.content })
    }
  }
  return { links, code, pictures }
}
