import { html } from '../../../report/browser.js'
import { lessonName, minutesText } from './words.js'

/** @import { InstructorView } from '../../snapshot.js' */

/** Raised hands, the first one first: the items of a list. Pure. @param {InstructorView} room */
export function handsHtml ({ hands, seats, lessons }) {
  return html`${hands.map(({ seat, lesson, minutes }) => html`<li>
<strong>${seats.find(({ id }) => id === seat)?.name ?? ''}</strong>${
  lesson === null ? '' : `, ${lessonName(lesson, lessons)}`}, for ${minutesText(minutes * 60_000)}
<button type="button" class="small" id="hand-${seat}" data-hand="${seat}">Lower</button></li>`)}`
}
