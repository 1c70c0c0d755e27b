import MarkdownIt from 'markdown-it'
import anchor from 'markdown-it-anchor'
import alerts from 'markdown-it-github-alerts'
import { html, trusted } from '../../report/index.js'
import { commandsHtml } from './commands.js'
import { isDoc } from './doc-names.js'
import { highlightLines } from './highlight.js'

/**
 * @import { Token } from 'markdown-it'
 * @import { Html } from '../../report/index.js'
 * @import { Commands } from './commands.js'
 *
 * @typedef {Record<string, { width: number, height: number }>} Sizes pixels, by the path in the lesson's folder, with
 *   slashes
 *
 * @typedef {object} Rendered
 * @property {Html} html
 * @property {{ id: string, title: string }[]} sections its headings of the second level
 */

const allowed = /^<(?:details(?: open)?|\/details|summary|\/summary)>$/
const image = /^<img(?=\s)(?:\s+(?:src|alt|width|height)="[^"]*")*\s*\/?>$/

/**
 * A lesson's Markdown as HTML. Of raw HTML only details, summary and img are let through, and everything else is shown
 * as it is written. The first heading of the first level is left out: the page has it.
 *
 * @param {string} markdown
 * @param {object} options
 * @param {string} options.slug of the lesson; empty for a text of docs/
 * @param {Commands} [options.commands] those of the text can be run from the page
 * @param {string} [options.prefix] of the ids, where a page has several texts
 * @param {Sizes} [options.sizes] of its pictures: nothing moves when they arrive
 * @returns {Rendered}
 */
export function renderMarkdown (markdown, { slug, commands, prefix = '', sizes = {} }) {
  /** @type {Rendered['sections']} */
  const sections = []
  const md = new MarkdownIt({
    html: true,
    linkify: false,
    highlight: (code, language) => highlightLines(code, language).join('\n')
  })
  md.use(anchor, {
    slugify: (title) => prefix + slugOf(title),
    tabIndex: false,
    callback: ({ tag }, { slug: id, title }) => { if (tag === 'h2') sections.push({ id, title }) }
  })
  md.use(alerts)
  const { rules } = md.renderer
  rules.html_block = rules.html_inline = (tokens, at) => safeHtml(tokens[at].content, { slug, sizes })
  if (commands !== undefined) {
    for (const name of /** @type {const} */ (['code_block', 'fence'])) {
      const usual = rules[name]
      rules[name] = (tokens, at, ...rest) =>
        commandsHtml(tokens[at].content, commands) ?? usual?.(tokens, at, ...rest) ?? ''
    }
    rules.code_inline = (tokens, at) => {
      const code = html`<code>${tokens[at].content}</code>`
      const [, lesson = ''] = /^npm run hint (\S+)$/.exec(tokens[at].content) ?? []
      return String(commands.names.includes(lesson) ? html`<a href="#panel-hints">${code}</a>` : code)
    }
  }
  rules.table_open = () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>'
  rules.table_close = () => '</table></div>'
  rules.image = (tokens, at) => imageHtml({
    src: String(tokens[at].attrGet('src')),
    alt: tokens[at].content
  }, { slug, sizes })
  rules.link_open = (tokens, at) => {
    return String(html`<a href="${hrefOf(String(tokens[at].attrGet('href')), slug)}" rel="noreferrer">`)
  }
  const tokens = md.parse(markdown, {})
  const [first, , third] = tokens
  if (first?.type === 'heading_open' && first.tag === 'h1' && third?.type === 'heading_close') tokens.splice(0, 3)
  if (slug === '') labelCells(tokens)
  return { html: trusted(renderFolded(tokens, (some) => md.renderer.render(some, md.options, {}))), sections }
}

/** Each cell knows its column's title, for a phone, where a row is a block. @param {Token[]} tokens */
function labelCells (tokens) {
  /** @type {string[]} */
  let titles = []
  let column = 0
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'thead_open') titles = []
    else if (token.type === 'th_open') titles.push(tokens[at + 1].content)
    else if (token.type === 'tr_open') column = 0
    else if (token.type === 'td_open') token.attrSet('data-label', titles[column++])
  }
}

/**
 * What a right answer is gets looked up, not read first: it's folded under its heading.
 *
 * @param {Token[]} tokens
 * @param {(tokens: Token[]) => string} render
 */
function renderFolded (tokens, render) {
  const isHeading = (/** @type {Token} */ { type, tag }) => type === 'heading_open' && tag === 'h2'
  const from = tokens.findIndex((token, at) => isHeading(token) && tokens[at + 1].content.startsWith('What a correct '))
  if (from === -1) return render(tokens)
  const [next = tokens.length] = tokens.flatMap((token, at) => at > from && isHeading(token) ? [at] : [])
  const [before, heading, contract, after] =
    [tokens.slice(0, from), tokens.slice(from, from + 3), tokens.slice(from + 3, next), tokens.slice(next)].map(render)
  return `${before}<details><summary>${heading}</summary>${contract}</details>\n${after}`
}

const inline = new MarkdownIt('zero').enable(['backticks', 'emphasis'])

/** A line of Markdown, with code and emphasis alone. @param {string} text */
export function inlineHtml (text) {
  return trusted(inline.renderInline(text))
}

/** The same as on GitHub: links to places in a text lead there in both. @param {string} title */
export function slugOf (title) {
  return title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-')
}

/** @param {string} raw @param {{ slug: string, sizes: Sizes }} lesson */
function safeHtml (raw, lesson) {
  return raw.replace(/<!--[\s\S]*?-->/g, '').replace(/<[^<>]*>|[^<]+|</g, (part) => {
    if (allowed.test(part)) return part
    if (!image.test(part)) return part.startsWith('<') ? String(html`${part}`) : part.replaceAll('>', '&gt;')
    const attribute = (/** @type {string} */ name) => new RegExp(`\\s${name}="([^"]*)"`).exec(part)?.[1] ?? ''
    return imageHtml({ src: attribute('src'), alt: attribute('alt') }, lesson)
  })
}

/** @param {{ src: string, alt: string }} given @param {{ slug: string, sizes: Sizes }} lesson */
function imageHtml ({ src, alt }, { slug, sizes }) {
  const size = Object.hasOwn(sizes, src) ? html` width="${sizes[src].width}" height="${sizes[src].height}"` : ''
  return String(html`<img src="${fileOf(src, slug)}" alt="${alt}"${size} loading="lazy">`)
}

/**
 * A file of the lesson's folder, or of docs/, whose texts show pictures of lessons, too; none comes from elsewhere.
 *
 * @param {string} src
 * @param {string} slug
 */
function fileOf (src, slug) {
  const [, lesson, file] = slug === '' ? /^\.\.\/lessons\/\d+-([a-z0-9-]+)\/(.+)$/.exec(src) ?? [] : []
  const [name] = (file ?? src).split(/[?#]/)
  const home = slug === '' && lesson === undefined ? '/docs' : `/lessons/${encodeURIComponent(lesson ?? slug)}`
  return `${home}/files/${name.split('/').map(encodeOnce).join('/')}`
}

/** @param {string} part */
function encodeOnce (part) {
  try {
    return encodeURIComponent(decodeURIComponent(part))
  } catch {
    return encodeURIComponent(part)
  }
}

/**
 * Links to other lessons and to docs lead to their pages, links to files of this one to these.
 *
 * @param {string} href
 * @param {string} slug
 */
function hrefOf (href, slug) {
  if (/^(https?:|mailto:|#)/i.test(href)) return href
  const [, doc = '', place = ''] = /(?:^|\/)([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  if (isDoc(doc)) return `/docs/${doc}${place}`
  const [, lesson] = /(?:^|\/)\d+-([a-z0-9-]+)\/(?:README\.md)?(?:#.*)?$/.exec(href) ?? []
  return lesson === undefined ? fileOf(href, slug) : `/lessons/${lesson}`
}
