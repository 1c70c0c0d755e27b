import { html } from '../../report/index.js'
import { docs } from './doc-names.js'
import { renderMarkdown } from './markdown.js'
import { workshopFrame } from './room-bar.js'

/** @import { Around } from './room-bar.js' */

/**
 * @param {{ name: keyof typeof docs, text: string } & Around} doc text: Markdown
 * @returns {string} HTML
 */
export function docPage ({ name, text, token, classroom, fitness }) {
  return workshopFrame({
    classroom,
    fitness,
    here: docs[name],
    title: `${docs[name]} · Make It Fast`,
    token,
    name: 'doc-page',
    main: html`<h1>${docs[name]}</h1>
<article>${renderMarkdown(text, { slug: '' }).html}</article>
${docLinks(name)}`
  })
}

/** @param {keyof typeof docs | null} here the page that needs no link; null: none */
export function docLinks (here) {
  const links = Object.entries(docs).filter(([name]) => name !== here)
    .map(([name, title]) => html`<li><a href="/docs/${name}">${title}</a></li>`)
  return html`<nav aria-label="Other pages"><ul class="docs">${links}</ul></nav>`
}
