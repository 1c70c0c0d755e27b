import { clockTime, plural, timeLeft } from '../../runner/shared/format.js'
import { formatRatio, html, marks, withCode } from '../../runner/report/index.js'

/**
 * Words that the pages of a room share. Pure.
 *
 * @import { Html } from '../../runner/report/index.js'
 * @import { Distance } from './attempts.js'
 * @import { SharedReason } from './presence.js'
 * @import { LearnerView, LessonView, SeatView } from './room-views.js'
 */

/** @param {number} ms @returns {string} `12 min`, `1 h 5 min` */
export function minutesText (ms) {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'under 1 min'
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
}

/** @param {string} id @param {readonly LessonView[]} lessons @returns {string} `lesson 3` */
export function lessonName (id, lessons) {
  const lesson = lessons.find((one) => one.id === id)
  return lesson === undefined ? id : `lesson ${lesson.number}`
}

/** @param {NonNullable<SeatView['stuck']>} stuck @param {readonly LessonView[]} lessons */
export function stuckHtml (stuck, lessons) {
  if ('minutes' in stuck) return html`No check and no preview for ${minutesText(stuck.minutes * 60_000)}.`
  const { lesson, times, reason, distance, isSame } = stuck
  return html`${lessonName(lesson, lessons).replace(/^l/, 'L')}, ${times} times${
    isSame ? '' : ', different reasons, now'}: ${reasonHtml(reason, distance)}`
}

/** @param {string} reason @param {Distance | null} distance @returns {Html} `too slow: traffic, 2.9× of 4×` */
export function reasonHtml (reason, distance) {
  return html`${withCode(reason)}${distance === null ? '' : html` <span class="far">${distanceText(distance)}</span>`}`
}

/** @param {Distance} distance @returns {string} `2.1× to 2.9× of 4×` */
export function distanceText ({ from, to, target, unit, isAtMost }) {
  const [low, high] = [from, to].map((ratio) => formatRatio({ ratio, ratioUnit: unit, target }, marks))
  return `${low === high ? low : `${low} to ${high}`}${isAtMost ? ', at most' : ' of'} ${targetText(target, unit)}`
}

/** @param {number} target @param {string} unit @returns {string} `4×` */
export function targetText (target, unit = '×') {
  return `${Number(target.toPrecision(3))}${unit}`
}

/** @param {Pick<LearnerView, 'messages'>} room */
export function messageHtml ({ messages }) {
  return html`${messages.map(({ text, sentAt }) => html`<p class="note message">
<strong>The instructor says</strong> (${clockTime(sentAt)}): ${withCode(text)}</p>`)}`
}

/** The lesson that the class is at, or their break. @param {Pick<LearnerView, 'current' | 'timer' | 'lessons'>} room */
export function nowHtml ({ current, timer, lessons }) {
  const lesson = lessons.find(({ id }) => id === current?.lesson)
  if (timer !== null) return clockHtml(`${timer.text} until ${clockTime(timer.until)}`, timer)
  if (current === null || lesson === undefined) return html``
  return clockHtml(`Now: lesson ${lesson.number}, ${lesson.title}`, current)
}

/** @param {string} what @param {Parameters<typeof timeLeft>[0]} clock */
function clockHtml (what, clock) {
  return html`<p class="note message"><strong>${what}</strong> ${marks.dot} ${timeLeft(clock)}</p>`
}

/**
 * What to talk about next.
 *
 * @param {{ reasons: readonly SharedReason[], lessons: readonly LessonView[] }} room
 * @param {number} most
 */
export function reasonsHtml ({ reasons, lessons }, most) {
  if (reasons.length === 0) return html`<p class="soft">Nothing is failing right now.</p>`
  const items = reasons.slice(0, most).map(({ lesson, reason, distance, seats, of }) => html`<li><strong>${
    ofText(seats, of)}</strong>
<span><span class="soft">${lessonName(lesson, lessons)}:</span> ${reasonHtml(reason, distance)}</span></li>`)
  const left = reasons.length - items.length
  return html`<ul class="reasons">${items}</ul>${left > 0
    ? html`<p class="soft">and ${plural(left, 'other reason')}</p>`
    : ''}`
}

/** @param {number} seats @param {number} of the seats that have tried and not passed */
function ofText (seats, of) {
  if (of === 1) return 'the only one who has tried'
  if (seats === of && of === 2) return 'both who haven’t passed'
  return seats === of ? `all ${of} who haven’t passed` : `${seats} of the ${of} who haven’t passed`
}

/** A question, as `data-sure` asks it. @param {string} title @param {string} text @param {string} yes */
export function sureText (title, text, yes) {
  return [title, text, yes].map((part) => part.replaceAll('|', '/')).join(' | ')
}

/**
 * A button that asks the room for something.
 *
 * @param {string} id
 * @param {string} ask `DELETE /api/class/sweep`
 * @param {string | Html} word
 * @param {{ body?: object, sure?: string, kind?: string }} [more] kind: what the styles call it
 */
export function askButton (id, ask, word, { body = {}, sure, kind = 'small' } = {}) {
  return html`<button type="button" id="${id}" class="${kind}" data-ask="${ask}" data-body="${JSON.stringify(body)}"${
    sure === undefined ? '' : html` data-sure="${sure}"`}>${word}</button>`
}
