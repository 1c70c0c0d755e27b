import { marks } from '../../report/browser.js'
import { html } from '../../report/index.js'
import { renderMarkdown } from './markdown.js'
import { submitHtml, workshopFrame } from './room-bar.js'
import { workbenchHtml } from './workbench.js'

/**
 * @import { LessonPage, Place } from '../page-data.js'
 * @import { Rendered } from './markdown.js'
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

/** As every lesson's text numbers them. */
const names = ['Baseline', 'Predict', 'Find', 'Fix', 'Verify']

/**
 * The five steps, with a tick at those done, and the other sections after them.
 *
 * @param {Rendered['sections']} sections of the text
 * @param {boolean[]} done by step
 */
export function stepsHtml (sections, done) {
  const numbered = names.flatMap((name, at) => {
    const section = sections.find(({ title }) => title.startsWith(`${at + 1}. `))
    return section === undefined ? [] : [{ ...section, name, isDone: done[at], number: at + 1 }]
  })
  const others = sections.filter(({ id }) => !numbered.some((step) => step.id === id))
  return html`${numbered.length === 0
    ? ''
    : html`<nav aria-label="Steps" class="steps" data-part="steps"><ol>${numbered.map(stepHtml)}</ol></nav>`}
${others.length < 2
    ? ''
    : html`<nav aria-label="In this lesson"><ul class="sections">${others.map(({ id, title }) =>
      html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`}`
}

/** @param {{ id: string, name: string, isDone: boolean, number: number }} step */
function stepHtml ({ id, name, isDone, number }) {
  return html`<li${isDone ? html` class="done"` : ''}><a href="#${id}"><span class="number" aria-hidden="true">${
    isDone ? marks.pass : number}</span> ${name}${isDone ? html`<span class="hidden">, done</span>` : ''}</a></li>`
}
