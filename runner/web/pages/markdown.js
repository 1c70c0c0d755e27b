import MarkdownIt from 'markdown-it'

const markdown = MarkdownIt()

/**
 * @param {string} text Markdown
 * @param {string} slug of the lesson in which it stands
 * @returns {string} HTML
 */
export function markdownHtml (text, slug) {
  return markdown.render(text, { slug })
}
