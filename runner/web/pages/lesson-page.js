import { html, marks } from '../../report/index.js'
import { renderMarkdown } from './lesson-text.js'
import { workshopFrame } from './workshop-frame.js'
import { progressParts, workbenchHtml, workbenchParts } from './workbench.js'

/**
 * @import { Jobs } from '../jobs.js'
 * @import { Place, StepState } from '../page-data.js'
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
    skip: html`<a class="skip" href="#bench">Skip to the workbench</a>`,
    main: html`<div class="text"><h1>${title}</h1>
<nav aria-label="Steps" class="steps" data-part="steps">${stepsHtml(sections, stepsOf(lesson, sections))}</nav>
${otherSectionsHtml(sections)}
<article>${article}</article>
${neighboursHtml(lesson)}</div>
${workbenchHtml(lesson, { ...workbenchParts(lesson), ...progressParts(lesson, jobsNow) })}`
  })
}

/** @param {ShownLesson} lesson */
export function lessonParts (lesson) {
  const { sections } = textOf(lesson)
  return { ...workbenchParts(lesson), steps: stepsHtml(sections, stepsOf(lesson, sections)) }
}

/**
 * The first step is done when each of its commands was run.
 *
 * @param {ShownLesson} lesson
 * @param {Rendered['sections']} sections
 */
function stepsOf ({ steps: [first, ...others], jobs: { outcomes = {} } }, sections) {
  const commands = stepsIn(sections).find(({ number }) => number === 1)?.commands ?? []
  const isDone = commands.length > 0 && commands.every((name) => outcomes[name]?.job.state === 'done')
  return [isDone ? /** @type {StepState} */ ('done') : first, ...others]
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
 * The five steps, with a tick at those done, and a ring around those begun.
 *
 * @param {Rendered['sections']} sections of the text
 * @param {StepState[]} states by step
 */
export function stepsHtml (sections, states) {
  const numbered = stepsIn(sections)
  return numbered.length === 0
    ? html``
    : html`<ol>${numbered.map((step) => stepHtml({ ...step, state: states[step.number - 1] }))}</ol>`
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

/** @param {{ id: string, name: string, state: StepState, number: number }} step */
function stepHtml ({ id, name, state, number }) {
  const sign = state === 'done' ? marks.pass : number
  return html`<li${state === '' ? '' : html` class="${state}"`}><a href="#${id}"><span class="number"
aria-hidden="true">${sign}</span> ${name}${state === '' ? '' : html`<span class="hidden">, ${state}</span>`}</a></li>`
}
