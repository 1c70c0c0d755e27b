import { clockTime } from '../../../format.js'
import { html, withCode } from '../../../report/browser.js'
import { countText } from './words.js'

/**
 * Messages, as the instructor sends them. Pure.
 *
 * @import { InstructorView, SeatView } from '../../snapshot.js'
 */

/** @param {InstructorView['messages']} messages @param {readonly SeatView[]} seats the items of a list */
export function messageRowsHtml (messages, seats) {
  return html`${messages.map(({ id, text, to, sentAt, endsAt, isOver }) => html`<li>
<span class="soft">${clockTime(sentAt)} to ${toText(to, seats)}, ${
  isOver ? 'over' : html`until ${clockTime(endsAt)}`}:</span> ${withCode(text)}
<button type="button" class="small" id="message-${id}" data-act="${isOver ? 'again' : 'end'}" data-message="${id}">${
  isOver ? 'Send again' : 'Clear'}</button></li>`)}`
}

/** @param {InstructorView['messages'][number]['to']} to @param {readonly SeatView[]} seats */
function toText (to, seats) {
  if (to === 'all') return to
  const [first] = seats.filter(({ id }) => to.includes(id))
  return to.length === 1 && first ? first.name : countText(to.length, 'learner')
}

/** To whom a message can go: the options of a list. @param {readonly SeatView[]} seats */
export function recipientsHtml (seats) {
  const stuck = seatsFor('stuck', seats).length
  const byName = seats.toSorted((a, b) => a.name.localeCompare(b.name))
  return html`<option value="all">all</option>${
    stuck === 0 ? '' : html`<option value="stuck">who is stuck (${stuck})</option>`}${
    byName.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}`
}

/** @param {string} chosen value of an option @param {readonly SeatView[]} seats @returns {'all' | number[]} ids */
export function seatsFor (chosen, seats) {
  if (chosen === 'all') return chosen
  return chosen === 'stuck' ? seats.filter(({ stuck }) => stuck !== null).map(({ id }) => id) : [Number(chosen)]
}
