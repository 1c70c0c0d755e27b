import { clockTime } from '../../format.js'
import { html, marks, withCode } from '../../report/browser.js'
import { countText, lessonName, minutesText } from './words.js'

/** @import { CountedLesson, InstructorView, SeatView } from '../snapshot.js' */

/**
 * The lessons, as the instructor opens and locks them. Pure.
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

/** Raised hands, the first one first: the items of a list. Pure. @param {InstructorView} room */
export function handsHtml ({ hands, seats, lessons }) {
  return html`${hands.map(({ seat, lesson, minutes }) => html`<li>
<strong>${seats.find(({ id }) => id === seat)?.name ?? ''}</strong>${
  lesson === null ? '' : `, ${lessonName(lesson, lessons)}`}, for ${minutesText(minutes * 60_000)}
<button type="button" class="small" id="hand-${seat}" data-hand="${seat}">Lower</button></li>`)}`
}

/**
 * Messages, as the instructor sends them. Pure.
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
      `${lessonName(shared.lesson, lessons)}, ${shared.reason}`,
      seats.filter((seat) => seat.lessons[shared.lesson]?.reason === shared.reason)))
  ].filter(({ ids }) => ids.length > 0)
}

/**
 * Seats that someone took who doesn't belong here. Pure.
 */

/** @param {InstructorView['crowded']} crowded the items of a list */
export function crowdedHtml (crowded) {
  return html`${crowded.map(({ address, joined }) => html`<li>${countText(joined, 'seat')} joined from
<code>${address}</code>, and no more are let in from there. One learner? Or a network that shows all of you under one
address? <button type="button" class="small" id="admit-${address}" data-address="${
    address}">Let as many again in</button></li>`)}`
}

/** @param {number} seats @returns {string} */
export function sweptText (seats) {
  return `${countText(seats, 'seat')} ${seats === 1 ? 'was' : 'were'} removed. For a minute, this can be undone.`
}

/** @param {readonly SeatView[]} seats @param {number} after ms since 1970 @returns {number} how many a sweep removes */
export function countSweep (seats, after) {
  const isSwept = (/** @type {SeatView} */ { joinedAt, lessons }) =>
    Date.parse(joinedAt) > after && Object.keys(lessons).length === 0
  return seats.filter(isSwept).length
}

/** @param {string} text `09:15` @param {number} now ms since 1970 @returns {number} when it was last that time */
export function lastTime (text, now) {
  const [hours, minutes] = text.split(':').map(Number)
  const at = new Date(now)
  at.setHours(hours, minutes, 0, 0)
  if (at.getTime() > now) at.setDate(at.getDate() - 1)
  return at.getTime()
}
