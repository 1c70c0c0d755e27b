import MarkdownIt from 'markdown-it'
import { frame } from '../../http/index.js'
import { html, trusted } from '../../report/index.js'
import { slidesOf } from './slides-of.js'

/**
 * @typedef {{ html: string, notes: string }} Slide both as HTML; notes: may be empty
 *
 * @param {string} text Markdown, as `slidesOf` reads it
 * @returns {Slide[]} for the presenter
 */
export function slidesWithNotes (text) {
  const md = new MarkdownIt()
  md.normalizeLink = (url) => url.replace(/^(\.\.\/)+lessons\/([\w-]+)\/pictures\//, '/pictures/$2/')
  return slidesOf(text).map(({ markdown, notes }) => ({ html: md.render(markdown), notes: md.render(notes) }))
}

/**
 * Slides for the wall, one below the other, each as large as the window. Anyone with the code may read them, so they
 * have no notes.
 *
 * @param {{ code: string, text: string }} given text: Markdown, as `slidesOf` reads it
 * @returns {string} HTML
 */
export function slidesPage ({ code, text }) {
  const slides = slidesWithNotes(text)
  return frame({
    title: 'Slides · Make It Fast',
    name: 'slides-page',
    home: `/${code}`,
    styles: ['/static/room/browser/slides.css'],
    scripts: ['/static/room/browser/slides.js'],
    main: html`${slides.map((slide, at) =>
      html`<section class="slide" aria-label="Slide ${at + 1} of ${slides.length}"><div>${trusted(slide.html)}</div>
<p class="at" aria-hidden="true">${at + 1} / ${slides.length}</p></section>`)}`
  })
}
