import fs from 'node:fs/promises'
import path from 'node:path'
import { imageSizeFromFile } from 'image-size/fromFile'
import MarkdownIt from 'markdown-it'
import anchor from 'markdown-it-anchor'
import { clockTime } from '../../shared/format.js'
import { html, trusted, withCode } from '../../report/index.js'
import { queryOf } from '../browser/lines.js'
import { byHandOf } from '../by-hand.js'
import { commandOf, nameOf } from '../job-handlers.js'
import { highlightLines } from './code-lines.js'
import { headline } from './verdict-card.js'
import { runHtml } from './workshop-frame.js'

/**
 * @import { Token } from 'markdown-it'
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { Html } from '../../report/index.js'
 * @import { Ended, LastJobs } from '../jobs.js'
 *
 * @typedef {Record<string, { width: number, height: number }>} Sizes pixels, by the path in the lesson's folder, with
 *   slashes
 *
 * @typedef {object} Rendered
 * @property {Html} html
 * @property {{ id: string, title: string, commands: string[] }[]} sections its headings of the second level, with what
 *   can be run there, as `nameOf` has it
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
    typographer: true,
    highlight: (code, language) => highlightLines(code, language).join('\n')
  })
  // Of the typographer, its quotes alone.
  md.disable('replacements')
  md.use(anchor, {
    slugify: (title) => prefix + slugOf(title),
    tabIndex: false,
    callback: ({ tag }, { slug: id, title }) => { if (tag === 'h2') sections.push({ id, title, commands: [] }) }
  })
  const { rules } = md.renderer
  rules.html_block = rules.html_inline = (tokens, at) => safeHtml(tokens[at].content, { slug, sizes })
  if (commands !== undefined) {
    let former = ''
    for (const name of /** @type {const} */ (['code_block', 'fence'])) {
      const usual = rules[name]
      rules[name] = (tokens, at, ...rest) => {
        const lines = commandLines(tokens[at].content)
        if (lines === null) return usual?.(tokens, at, ...rest) ?? ''
        former = lines.at(-1) ?? ''
        return lines.map((line) => commandHtml(line, slug, commands)).join('\n')
      }
    }
    rules.code_inline = (tokens, at) => inlineCode(tokens[at].content, former, slug, commands)
    rules.heading_close = (tokens, at, options, env, self) => self.renderToken(tokens, at, options) +
      (tokens[at - 1].content === '2. Predict' ? '<p><a href="#predict">Write your prediction down here</a></p>\n' : '')
    rules.text = (tokens, at) =>
      String(html`${tokens[at].content.replace(/(top the (?:slow )?server) with Ctrl-C/, '$1')}`)
  } else rules.code_inline = (tokens, at) => String(codeHtml(tokens[at].content))
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
  if (commands !== undefined) findCommands(tokens, sections, commands.names)
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
  // Where the text folds it, that's enough.
  if (from === -1 || tokens[from + 3]?.content.startsWith('<details')) return render(tokens)
  const [next = tokens.length] = tokens.flatMap((token, at) => at > from && isHeading(token) ? [at] : [])
  const [before, heading, contract, after] =
    [tokens.slice(0, from), tokens.slice(from, from + 3), tokens.slice(from + 3, next), tokens.slice(next)].map(render)
  return `${before}<details><summary>${heading}</summary>${contract}</details>\n${after}`
}

const inline = new MarkdownIt('zero', { typographer: true }).enable(['backticks', 'emphasis', 'smartquotes'])

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
 * Links to other lessons, to docs and to write-ups lead to their pages, links to files of this one to these.
 *
 * @param {string} href
 * @param {string} slug
 */
function hrefOf (href, slug) {
  if (/^(https?:|mailto:|#)/i.test(href)) return href
  const [, doc = '', place = ''] = /(?:^|\/)([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  if (isDoc(doc)) return `/docs/${doc}${place}`
  const [, lesson] = /(?:^|\/)\d+-([a-z0-9-]+)\/(?:README\.md)?(?:#.*)?$/.exec(href) ?? []
  if (lesson !== undefined && /(?:^|\/)solutions\//.test(href)) return `/lessons/${lesson}/diff?with=solution#write-up`
  return lesson === undefined ? fileOf(href, slug) : `/lessons/${lesson}`
}

/**
 * Commands of a lesson's text, one a line, each to be run or copied, with what came of it last.
 *
 * @typedef {object} Commands
 * @property {string[]} names by which commands call this lesson
 * @property {LastJobs} jobs
 * @property {ResultRecord | null} last
 */

const forShell = /^(npm run|npx|node|curl) /

/** @param {string} code of a block @returns {string[] | null} null: the block holds something else */
function commandLines (code) {
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 && !code.includes('\\\n') && lines.every((line) => forShell.test(line)) ? lines : null
}

/**
 * What can be run in each section.
 *
 * @param {Token[]} tokens
 * @param {Rendered['sections']} sections
 * @param {string[]} names
 */
function findCommands (tokens, sections, names) {
  let count = 0
  for (const { type, tag, content } of tokens) {
    if (type === 'heading_open' && tag === 'h2') count++
    if (type !== 'fence' && type !== 'code_block') continue
    const found = (commandLines(content) ?? []).map((line) => commandOf(line, names))
    // Of what's sent by hand once, no outcome is kept.
    for (const command of found) {
      if (command !== null && command.kind !== 'serve' && command.kind !== 'send') {
        sections[count - 1]?.commands.push(nameOf(command))
      }
    }
  }
}

/**
 * @param {string} line
 * @param {string} slug
 * @param {Commands} commands
 */
function commandHtml (line, slug, { names, jobs: { outcomes = {} }, last }) {
  const command = commandOf(line, names)
  const copy = html`<button type="button" class="small" data-copy="${line}" aria-label="Copy ${line}">Copy</button>`
  if (command === null) return html`<div class="command"><pre><code>${line}</code></pre>${copy}</div>`
  const { kind, server } = command
  const name = nameOf(kind === 'serve' ? { kind, server } : command)
  const word = kind === 'load' && !byHandOf(line)?.args ? 'Load' : kind === 'send' ? 'Send' : 'Run'
  const stop = kind === 'serve' ? html`<span data-part="stop ${name}"></span>` : ''
  return html`<div class="command"><pre><code>${line}</code></pre><span class="buttons">${
    runHtml(command, line, slug, word)}${stop}${copy}</span>
<p class="outcome" role="status" data-said${kind === 'send' ? '' : html` data-part="outcome ${name}"`}>${
  outcomeHtml(outcomes[name], last)}</p></div>`
}

/** So much code isn't broken into two lines. */
const shortCode = 24

/** @param {string} text */
function codeHtml (text) {
  return html`<code${text.length <= shortCode ? html` class="short"` : ''}>${text}</code>`
}

/**
 * Code in a sentence: a hint's command leads to the hints, flags alone belong to the command before, whose profile
 * they may open.
 *
 * @param {string} text
 * @param {string} former the last command
 * @param {string} slug
 * @param {Commands} commands
 */
function inlineCode (text, former, slug, { names }) {
  const code = codeHtml(text)
  const [, lesson = ''] = /^npm run hint (\S+)$/.exec(text) ?? []
  if (names.includes(lesson)) return String(html`<a href="#hints">${code}</a>`)
  const line = text.startsWith('-- --') ? `${former.split(' -- ')[0]} ${text}` : ''
  const command = commandOf(line, names)
  if (command === null) return String(code)
  const button = command.kind === 'profile' && text === '-- --open'
    ? html`(<a href="/lessons/${slug}/profile${queryOf(command)}">see it</a>)`
    : runHtml(command, line, slug)
  return String(html`<span class="nowrap">${code} ${button}</span>`)
}

/** @param {Ended | undefined} ended @param {ResultRecord | null} last */
export function outcomeHtml (ended, last) {
  if (ended === undefined) return html``
  const { job: { kind, state, message, lesson, tool = 'cpu' }, job, at } = ended
  const found = kind === 'check' && state === 'done' && last !== null ? headline(last) : ''
  const place = kind === 'check' || kind === 'preview' ? '#panel-result' : '#panel-profile'
  const isDrawn = tool === 'trace' || tool === 'loop'
  return html`${state === 'done' && kind !== 'load'
    ? html`<a href="${isDrawn ? `/lessons/${lesson}/profile${queryOf(job)}` : place}">See it</a> `
    : ''}${
    saidHtml([found, message].filter(Boolean).join(' ') || 'Done.')} <span class="soft">at ${clockTime(at)}</span>`
}

/** What a job says, or what its script has written. @param {string} message */
export function saidHtml (message) {
  return message.includes('\n') ? html`<code class="written">${message}</code>` : withCode(message)
}

/** Texts of the folder docs/ that have a page, and their titles. No other file of it is shown. */
export const docs = {
  'which-tool': 'Which tool when',
  gallery: 'Ten shapes',
  'cheat-sheet': 'Cheat sheet',
  glossary: 'Glossary',
  'your-own-service': 'Your own service',
  compare: 'Compare two servers'
}

/** @param {string} name @returns {name is keyof typeof docs} */
export function isDoc (name) {
  return Object.hasOwn(docs, name)
}

/** The pictures that a lesson's text may show: PNG and SVG files in its folder. */

const pictures = /\.(png|svg)$/i

/** @param {string} dir @returns {Promise<Sizes>} without those that cannot be read */
export async function readPictureSizes (dir) {
  const names = (await fs.readdir(dir, { recursive: true })).filter((name) => pictures.test(name))
  const sizes = await Promise.all(names.map(async (name) => {
    const { width, height } = await imageSizeFromFile(path.join(dir, name)).catch(() => ({ width: 0, height: 0 }))
    return width > 0 && height > 0 ? [[name.split(path.sep).join('/'), { width, height }]] : []
  }))
  return Object.fromEntries(sizes.flat())
}

/**
 * @param {string} dir
 * @param {string[]} parts of the path, as a browser sent them
 * @returns {Promise<string | null>} its real path, if that lies in `dir`
 */
export async function pictureIn (dir, parts) {
  if (parts.some((part) => /^\.|[\\/\0]/.test(part)) || !pictures.test(parts.at(-1) ?? '')) return null
  try {
    const [home, file] = await Promise.all([fs.realpath(dir), fs.realpath(path.join(dir, ...parts))])
    return file.startsWith(home + path.sep) && pictures.test(file) ? file : null
  } catch {
    return null
  }
}
