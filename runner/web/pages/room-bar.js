import { clockTime, timeLeft } from '../../format.js'
import { frame } from '../../http/index.js'
import { html, withCode } from '../../report/index.js'
import { marks } from '../../report/browser.js'

/**
 * What the instructor's room says, above the text of every page. Pure.
 *
 * @import { Html } from '../../report/index.js'
 * @import { ClassState } from '../seat-state.js'
 *
 * @import { Token } from '../../http/index.js'
 *
 * @typedef {Pick<ClassState, 'seat' | 'room' | 'isGone'>} Heard
 * @typedef {Token & { classroom: Heard }} Around what every page is shown with
 */

/**
 * @param {Omit<Parameters<typeof frame>[0], 'above'> & { classroom: Heard, lesson?: string }} page lesson: slug
 * @returns {string} HTML
 */
export function workshopFrame ({ classroom, lesson = '', styles = [], scripts = [], ...page }) {
  const parts = roomParts(classroom, lesson)
  return frame({
    ...page,
    styles: ['/static/web/browser/room.css', ...styles],
    scripts: ['/static/web/browser/room.js', ...scripts],
    above: html`<aside class="room-bar" aria-label="Your class" data-lesson="${lesson}">
<div data-part="messages" aria-live="polite">${parts.messages}</div>
<div data-part="room">${parts.room}</div></aside>`
  })
}

/**
 * @param {Heard} classroom
 * @param {string} lesson slug of the page's; empty: it has none
 * @returns {{ messages: Html, room: Html }} by the name of the part; empty in no room
 */
export function roomParts ({ seat, room, isGone }, lesson) {
  if (seat === null || isGone) return { messages: html``, room: html`` }
  if (room === null) return { messages: html``, room: html`<span data-in-room></span>` }
  const { current, timer, lessons, isHandUp } = room
  const now = lessons.find(({ id }) => id === current?.lesson)
  const word = lessons.find(({ id }) => id === lesson)
  const facts = [
    ...timer === null ? [] : [html`<strong>${timer.text} until ${clockTime(timer.until)}</strong>`],
    ...now && current
      ? [html`Now in class: <a href="/lessons/${encodeURIComponent(now.id)}">lesson ${now.number}</a> ${marks.dot} ${
        timeLeft(current)}`]
      : [],
    ...word?.isLocked ? ['The instructor hasn’t opened this lesson yet.'] : [],
    ...word?.isRevealed
      ? [html`<a href="/lessons/${encodeURIComponent(lesson)}/compare?with=solution">Now for all: the solution</a>`]
      : []
  ]
  return {
    messages: html`${room.messages.map(({ text, sentAt }) => html`<p class="note">
<strong>The instructor says</strong>${sentAt === null ? '' : ` (${clockTime(sentAt)})`}: ${withCode(text)}</p>`)}`,
    room: html`<p class="in-room" data-in-room>${facts.map((fact) => html`<span>${fact}</span> `)}${
      isHandUp === null ? '' : handHtml(isHandUp)}</p>`
  }
}

/** @param {boolean} isUp */
function handHtml (isUp) {
  return html`<span>${isUp ? html`<strong>Your hand is up.</strong> ` : ''}<button type="button" class="small" id="hand"
data-hand="${isUp ? 'down' : 'up'}">${isUp ? 'Lower it' : 'Raise my hand'}</button></span>
<span role="alert" id="hand-said"></span>`
}
