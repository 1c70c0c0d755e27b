import { formatNumber, html, marks } from '../../../report/browser.js'
import { lessonName, minutesText, stuckHtml } from './words.js'

/**
 * The table of seats by lessons. Pure.
 *
 * @import { Standing } from '../../derive/attempts.js'
 * @import { InstructorView, SeatView } from '../../snapshot.js'
 *
 * @typedef {'all' | 'stuck' | 'away' | 'unfit'} Filter
 * @typedef {{ filter: Filter, name: string }} Wanted name: part of one; may be empty
 */

/** @type {Record<Filter, (seat: SeatView) => boolean>} */
const filters = {
  all: () => true,
  stuck: ({ stuck }) => stuck !== null,
  away: ({ presence }) => presence.state === 'away',
  unfit: ({ unfit }) => unfit.length > 0
}

/**
 * @param {readonly SeatView[]} seats
 * @param {Wanted} wanted
 * @returns {SeatView[]} those who need help come first
 */
export function pickSeats (seats, { filter, name }) {
  const part = name.trim().toLowerCase()
  return seats
    .filter((seat) => filters[filter](seat) && `${seat.name} ${seat.nickname ?? ''}`.toLowerCase().includes(part))
    .sort((a, b) => needOf(b) - needOf(a) || passedOf(a) - passedOf(b) || a.name.localeCompare(b.name))
}

/** @param {readonly SeatView[]} seats @returns {Record<Filter, number>} */
export function countSeats (seats) {
  const count = (/** @type {Filter} */ filter) => seats.filter(filters[filter]).length
  return { all: seats.length, stuck: count('stuck'), away: count('away'), unfit: count('unfit') }
}

/** Failing comes before silence, the most recent first; away comes last. @param {SeatView} seat */
function needOf ({ stuck, presence, lastSeenAt }) {
  if (presence.state === 'away') return -1
  if (stuck === null) return 0
  return 'times' in stuck ? 1e12 + Date.parse(lastSeenAt) : stuck.minutes
}

/** @param {SeatView} seat */
function passedOf ({ lessons }) {
  return Object.values(lessons).filter(({ state }) => state === 'pass').length
}

/** The columns worth showing. @param {Pick<InstructorView, 'lessons' | 'current'>} room */
function begunLessons ({ lessons, current }) {
  return lessons.filter(({ id, passed, trying, verified }) => passed + trying + verified > 0 || id === current?.lesson)
}

/** The row of heads. @param {InstructorView} room */
export function seatsHeadHtml (room) {
  const heads = begunLessons(room).map(({ number, title, isLocked, passed }) => html`
<th scope="col" class="lesson" title="${title}">${number}<span class="hidden"> ${title}</span><small>${
    isLocked ? 'locked' : `${passed} ${marks.pass}`}</small></th>`)
  return html`<th scope="col">learner</th><th scope="col">needs help</th>${heads}<th scope="col">now</th>`
}

/**
 * The cells of its row: columns of the lessons begun so far, names from all.
 *
 * @param {SeatView} seat
 * @param {Pick<InstructorView, 'lessons' | 'current'>} room
 */
export function seatCellsHtml ({ id, name, lessons: standings, verified, stuck, unfit, presence }, room) {
  return html`<th scope="row">
<button type="button" class="link" id="seat-${id}" data-seat="${id}" aria-haspopup="dialog">${name}</button>${
  unfit.length === 0 ? '' : html`<small class="error">! unfit machine</small>`}</th>
<td class="needs">${stuck === null ? '' : html`<span class="clamp">${stuckHtml(stuck, room.lessons)}</span>`}</td>${
  begunLessons(room).map((lesson) => cellHtml(standings[lesson.id], verified[lesson.id]))}<td class="when">${
  presenceHtml(presence, room.lessons)}</td>`
}

/** @param {SeatView['presence']} presence @param {InstructorView['lessons']} lessons */
function presenceHtml ({ state, lesson, minutes }, lessons) {
  const seen = minutes === 0 ? 'just now' : `${minutesText(minutes * 60_000)} ago`
  if (state === null) return html`<small>seen ${seen}</small>`
  return html`${state}${lesson === null ? '' : ` ${lessonName(lesson, lessons)}`}<small>${seen}</small>`
}

/** @param {Standing | undefined} standing @param {Standing | undefined} verified */
function cellHtml (standing, verified) {
  const measured = verified === undefined
    ? ''
    : html`<small>verified ${marks[verified.state]}${figureOf(verified)}</small>`
  if (standing === undefined) return html`<td>${measured}</td>`
  const { state, attempts, tier, source } = standing
  return html`<td class="${state}">${marks[state]}${figureOf(standing)}<small>${
    tier === null ? '' : `${tier} `}${attempts}${source === 'imported' ? ' file' : ''}</small>${measured}</td>`
}

/** @param {Standing} standing */
function figureOf ({ ratio }) {
  return ratio === null ? '' : ` ${formatNumber(ratio, marks.none, 2)}×`
}
