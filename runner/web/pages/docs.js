import { html } from '../../report/index.js'
import { docs } from './doc-names.js'
import { renderMarkdown } from './markdown.js'
import { workshopFrame } from './room-bar.js'

/**
 * @import { Rendered } from './markdown.js'
 * @import { Around } from './room-bar.js'
 */

/**
 * @param {{ name: keyof typeof docs, text: string } & Around} doc text: Markdown
 * @returns {string} HTML
 */
export function docPage ({ name, text, ...around }) {
  const { html: article, sections } = renderMarkdown(text, { slug: '' })
  return workshopFrame({
    ...around,
    here: docs[name],
    title: `${docs[name]} · Make It Fast`,
    name: 'doc-page',
    main: html`<h1>${docs[name]}</h1>
${name === 'glossary' ? lettersHtml(sections) : ''}
<article>${article}</article>
${docLinks(name)}`
  })
}

/** From A to Z, each letter to its first term. @param {Rendered['sections']} sections */
function lettersHtml (sections) {
  /** @type {Map<string, string>} */
  const firsts = new Map()
  for (const { id, title } of sections) {
    const letter = title[0].toUpperCase()
    if (!firsts.has(letter)) firsts.set(letter, id)
  }
  return html`<nav aria-label="Terms by letter"><ul class="docs">${[...firsts].map(([letter, id]) =>
    html`<li><a href="#${id}">${letter}</a></li>`)}</ul></nav>`
}

/** @param {keyof typeof docs | null} here the page that needs no link; null: none */
export function docLinks (here) {
  const links = Object.entries(docs).filter(([name]) => name !== here)
    .map(([name, title]) => html`<li><a href="/docs/${name}">${title}</a></li>`)
  return html`<nav aria-label="Other pages"><ul class="docs">${links}</ul></nav>`
}
