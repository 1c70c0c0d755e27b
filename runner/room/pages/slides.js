import MarkdownIt from 'markdown-it'
import { frame } from '../../http/index.js'
import { html, trusted } from '../../report/index.js'
import { slidesOf } from './slides-of.js'

/**
 * Slides for the wall, one below the other, each as large as the window: keys that scroll lead through them.
 *
 * @param {object} given
 * @param {string} given.code
 * @param {string} given.text Markdown, as `slidesOf` reads it
 * @param {boolean} given.hasNotes what the speaker says stands below each
 * @returns {string} HTML
 */
export function slidesPage ({ code, text, hasNotes }) {
  const md = new MarkdownIt()
  const slides = slidesOf(text)
  return frame({
    title: 'Slides · Make It Fast',
    name: hasNotes ? 'slides-page notes' : 'slides-page',
    home: `/${code}`,
    styles: ['/static/room/browser/slides.css'],
    main: html`${slides.map(({ markdown, notes }, at) =>
      html`<section class="slide" aria-label="Slide ${at + 1} of ${slides.length}">
<div>${trusted(md.render(markdown))}</div>
${hasNotes ? html`<aside aria-label="Notes">${trusted(md.render(notes))}</aside>` : ''}</section>`)}`
  })
}
