import { html } from '../../report/index.js'
import { marks } from '../../report/browser.js'

/** @import { Rendered } from './markdown.js' */

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
