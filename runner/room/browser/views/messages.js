import { clockTime } from '../../../format.js'
import { html, withCode } from '../../../report/browser.js'
import { withReason } from './reason.js'
import { countText, lessonName } from './words.js'

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

/**
 * The recipients that a message can have: the options of a list.
 *
 * @typedef {Pick<InstructorView, 'seats' | 'lessons' | 'reasons'>} Whom
 *
 * @param {Whom} room
 */
export function recipientsHtml (room) {
  const byName = room.seats.toSorted((a, b) => a.name.localeCompare(b.name))
  return html`<option value="all">all</option>${groupsOf(room).map(({ key, name, ids }) =>
    html`<option value="${key}">${name} (${ids.length})</option>`)}${
    byName.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}`
}

/** @param {string} chosen value of an option @param {Whom} room @returns {'all' | number[]} ids */
export function seatsFor (chosen, room) {
  if (chosen === 'all') return chosen
  return groupsOf(room).find(({ key }) => key === chosen)?.ids ?? [Number(chosen)]
}

/** @param {Whom} room @returns {{ key: string, name: string, ids: number[] }[]} none is empty */
function groupsOf ({ seats, lessons, reasons }) {
  const group = (/** @type {string} */ key, /** @type {string} */ name, /** @type {readonly SeatView[]} */ found) =>
    ({ key, name, ids: found.map(({ id }) => id) })
  return [
    group('stuck', 'who is stuck', seats.filter(({ stuck }) => stuck !== null)),
    ...lessons.map(({ id, number }) => group(`not passed ${id}`, `who tried lesson ${number} and hasn’t passed`,
      seats.filter((seat) => seat.lessons[id] !== undefined && seat.lessons[id].state !== 'pass'))),
    ...reasons.map((shared) => group(JSON.stringify([shared.lesson, shared.reason]),
      `${lessonName(shared.lesson, lessons)}, ${shared.reason}`, withReason(seats, shared)))
  ].filter(({ ids }) => ids.length > 0)
}
