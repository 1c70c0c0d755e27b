import { html } from '../../../report/browser.js'
import { countText } from './words.js'

/**
 * Seats that someone took who doesn't belong here. Pure.
 *
 * @import { InstructorView, SeatView } from '../../snapshot.js'
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
