import { html, marks } from '../../../report/browser.js'
import { minutesText } from './words.js'

/**
 * The lessons, as the instructor opens and locks them. Pure.
 *
 * @import { CountedLesson } from '../../snapshot.js'
 *
 * @param {readonly CountedLesson[]} lessons the rows of the table
 */
export function lessonRowsHtml (lessons) {
  return html`${lessons.map(({ id, number, title, passed, trying, medianMs, isLocked, isRevealed }) => {
    const button = (/** @type {string} */ act, /** @type {string} */ word) =>
      html`<button type="button" class="small" id="${act}-${id}" data-act="${act}" data-lesson="${
        id}">${word}<span class="hidden"> lesson ${number}</span></button>`
    return html`<tr><th scope="row">${number} ${marks.dot} ${title}</th>
<td class="number">${passed}</td><td class="number">${trying}</td>
<td class="number">${medianMs === null ? marks.none : minutesText(medianMs)}</td>
<td>${isLocked ? html`<strong>locked</strong>` : 'open'} ${button('lock', isLocked ? 'Open' : 'Lock')}</td>
<td>${isRevealed ? html`<strong>shown to all</strong>` : 'not shown'} ${
  button('reveal', isRevealed ? 'Hide again' : 'Show to all…')}</td></tr>`
  })}`
}
