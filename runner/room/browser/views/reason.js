import { html } from '../../../report/browser.js'
import { distanceText } from './words.js'

/**
 * The learners who share a reason. Pure.
 *
 * @import { SeatView } from '../../snapshot.js'
 *
 * @param {readonly SeatView[]} seats
 * @param {{ lesson: string, reason: string }} shared
 */
export function withReason (seats, { lesson, reason }) {
  return seats.filter(({ lessons }) => lessons[lesson]?.reason === reason)
}

/** @param {readonly SeatView[]} learners @param {string} lesson */
export function learnersHtml (learners, lesson) {
  if (learners.length === 0) return html`<li>They have all got further.</li>`
  return html`${learners.map(({ name, lessons: { [lesson]: { distance } } }) =>
    html`<li>${name}${distance === null ? '' : html` <span class="soft">${distanceText(distance)}</span>`}</li>`)}`
}
