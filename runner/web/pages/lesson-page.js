import { html, marks } from '../../report/index.js'
import { renderMarkdown } from './lesson-text.js'
import { workshopFrame } from './workshop-frame.js'
import { progressParts, workbenchHtml, workbenchParts } from './workbench.js'

/**
 * @import { Jobs } from '../jobs.js'
 * @import { Place } from '../page-data.js'
 * @import { Rendered } from './lesson-text.js'
 * @import { ShownLesson } from './workbench.js'
 */

/**
 * One lesson: its text, and next to it the workbench.
 *
 * @param {ShownLesson} lesson
 * @param {Jobs} jobsNow
 * @returns {string} HTML
 */
export function lessonPage (lesson, jobsNow) {
  const { token, classroom, fitness, slug, number, title } = lesson
  const { html: article, sections } = textOf(lesson)
  return workshopFrame({
    classroom,
    fitness,
    here: `${number} ${marks.dot} ${title}`,
    lesson: slug,
    title: `${number} ${marks.dot} ${title} ${marks.dot} Make It Fast`,
    token,
    name: 'lesson-page',
    parts: `/api/parts/lessons/${slug}`,
    styles: ['lesson'],
    scripts: ['lesson-view'],
    main: html`${workbenchHtml(lesson, { ...workbenchParts(lesson), ...progressParts(lesson, jobsNow) })}
<div class="text"><h1>${title}</h1>
<nav aria-label="Steps" class="steps" data-part="steps">${stepsHtml(sections, lesson.done)}</nav>
${otherSectionsHtml(sections)}
<article>${article}</article>
${neighboursHtml(lesson)}</div>`
  })
}

/** @param {ShownLesson} lesson */
export function lessonParts (lesson) {
  return { ...workbenchParts(lesson), steps: stepsHtml(textOf(lesson).sections, lesson.done) }
}

/** @param {ShownLesson} lesson */
function textOf ({ slug, number, text, sizes, jobs, last }) {
  const commands = { names: [`lesson-${number}`, String(number), slug], jobs, last }
  return renderMarkdown(text, { slug, sizes, commands })
}

/** @param {ShownLesson} lesson */
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
 * The five steps, with a tick at those done.
 *
 * @param {Rendered['sections']} sections of the text
 * @param {boolean[]} done by step
 */
export function stepsHtml (sections, done) {
  const numbered = stepsIn(sections)
  return numbered.length === 0
    ? html``
    : html`<ol>${numbered.map((step) => stepHtml({ ...step, isDone: done[step.number - 1] }))}</ol>`
}

/** @param {Rendered['sections']} sections */
function stepsIn (sections) {
  return names.flatMap((name, at) => {
    const section = sections.find(({ title }) => title.startsWith(`${at + 1}. `))
    return section === undefined ? [] : [{ ...section, name, number: at + 1 }]
  })
}

/** @param {Rendered['sections']} sections */
export function otherSectionsHtml (sections) {
  const steps = stepsIn(sections)
  const others = sections.filter(({ id }) => !steps.some((step) => step.id === id))
  return others.length < 2
    ? ''
    : html`<nav aria-label="In this lesson"><ul class="sections">${others.map(({ id, title }) =>
      html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`
}

/** @param {{ id: string, name: string, isDone: boolean, number: number }} step */
function stepHtml ({ id, name, isDone, number }) {
  return html`<li${isDone ? html` class="done"` : ''}><a href="#${id}"><span class="number" aria-hidden="true">${
    isDone ? marks.pass : number}</span> ${name}${isDone ? html`<span class="hidden">, done</span>` : ''}</a></li>`
}
