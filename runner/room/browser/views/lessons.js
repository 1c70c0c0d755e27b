import { escapeHtml, marks } from '../../../report/browser.js'
import { minutesText } from './words.js'

/**
 * The lessons, as the instructor opens and locks them. Pure.
 *
 * @import { CountedLesson } from '../../snapshot.js'
 *
 * @param {readonly CountedLesson[]} lessons
 * @returns {string} HTML, the rows of a table
 */
export function lessonRowsHtml (lessons) {
  return lessons.map(({ id, number, title, passed, trying, medianMs, isLocked, isRevealed }) => {
    const button = (/** @type {string} */ act, /** @type {string} */ word) =>
      `<button type="button" class="small" id="${act}-${escapeHtml(id)}" data-act="${act}" data-lesson="${
        escapeHtml(id)}">${word}<span class="hidden"> lesson ${number}</span></button>`
    return `<tr><th scope="row">${number} ${marks.dot} ${escapeHtml(title)}</th>
<td class="number">${passed}</td><td class="number">${trying}</td>
<td class="number">${medianMs === null ? marks.none : minutesText(medianMs)}</td>
<td>${isLocked ? '<strong>locked</strong>' : 'open'} ${button('lock', isLocked ? 'Open' : 'Lock')}</td>
<td>${isRevealed ? '<strong>shown to all</strong>' : 'not shown'} ${
  button('reveal', isRevealed ? 'Hide again' : 'Show to all…')}</td></tr>`
  }).join('')
}
