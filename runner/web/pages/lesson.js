import { html } from '../../report/index.js'
import { marks } from '../../report/browser.js'
import { renderMarkdown } from './markdown.js'
import { workshopFrame } from './room-bar.js'
import { stepsHtml } from './steps.js'
import { submitHtml } from './submit-panel.js'
import { workbenchHtml } from './workbench.js'

/**
 * @import { LessonPage, Place } from '../page-data.js'
 * @import { Around } from './room-bar.js'
 */

/**
 * One lesson: its text, and next to it the workbench.
 *
 * @param {LessonPage & Around} lesson
 * @returns {string} HTML
 */
export function lessonPage (lesson) {
  const { token, classroom, fitness, slug, number, title, text, sizes, jobs, last } = lesson
  const commands = { names: [`lesson-${number}`, String(number), slug], jobs, last }
  const { html: article, sections } = renderMarkdown(text, { slug, sizes, commands })
  return workshopFrame({
    classroom,
    fitness,
    here: `${number} ${marks.dot} ${title}`,
    lesson: slug,
    title: `${number} ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    token,
    name: 'lesson-page',
    styles: ['text', 'seen', 'charts', 'lesson'].map((style) => `/static/web/browser/${style}.css`),
    scripts: ['lesson', 'steps', 'glossary', ...submitHtml(lesson) === '' ? [] : ['submit']]
      .map((script) => `/static/web/browser/${script}.js`),
    data: { slug },
    main: html`${workbenchHtml(lesson)}
<div class="text"><h1>${title}</h1>
${stepsHtml(sections, lesson.done)}
<article>${article}</article>
${neighboursHtml(lesson)}</div>`
  })
}

/** @param {LessonPage} lesson */
function neighboursHtml ({ previous, next }) {
  return html`<nav class="neighbours" aria-label="Other lessons">${linkTo(previous, 'Previous lesson')}
${linkTo(next, 'Next lesson')}</nav>`
}

/** @param {Place | null} place @param {string} word */
function linkTo (place, word) {
  return place === null ? '' : html`<a href="/lessons/${place.slug}">${word}: ${place.title}</a>`
}
