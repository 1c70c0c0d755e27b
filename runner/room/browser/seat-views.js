import { formatNumber, formatRatio, formatWhen, html, marks, tableHtml, withCode } from '../../report/browser.js'
import { countText, lessonName, minutesText, reasonHtml, stuckHtml, targetText } from './words.js'

/**
 * The table of seats by lessons. Pure.
 *
 * @import { Standing } from '../attempts.js'
 * @import { Check } from '../seats.js'
 * @import { InstructorView, SeatView } from '../snapshot.js'
 * @import { Place } from '../submission.js'
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

/**
 * All that the room knows about one seat. Pure.
 *
 * @param {SeatView} seat
 * @param {InstructorView['lessons']} lessons
 */
export function seatHtml ({ nickname, isOnBoard, joinedAt, lastSeenAt, lessons: standings, stuck, unfit }, lessons) {
  const rows = lessons.flatMap(({ id, number, title }) => {
    const standing = standings[id]
    if (standing === undefined) return []
    const { state, attempts, ratio, target, tier, reason, distance, source } = standing
    return [[
      `${number} ${marks.dot} ${title}`,
      html`<span class="${state}">${marks[state]} ${words[state]}${tier === null ? '' : `, ${tier}`}</span>`,
      ratioText(ratio, target),
      `${countText(attempts, 'check')}${source === 'imported' ? ', from a file' : ''}`,
      reason === null ? '' : reasonHtml(reason, distance)
    ]]
  })
  return html`${stuck === null ? '' : html`<p class="note">${stuckHtml(stuck, lessons)}</p>`}
${unfit.map((sentence) => html`<p class="note">Machine: ${withCode(sentence)}</p>`)}
<dl><dt>nickname</dt><dd>${nickname ?? 'none'}</dd>
<dt>board</dt><dd>${isOnBoard ? 'wants to be on it' : 'not on it'}</dd>
<dt>joined</dt><dd>${formatWhen(joinedAt)}</dd><dt>last seen</dt><dd>${formatWhen(lastSeenAt)}</dd></dl>
${rows.length === 0
    ? html`<p>No checks reported yet.</p>`
    : tableHtml('Its lessons', { columns: ['lesson', 'state', '#ratio', 'tried', 'why not yet'], rows })}`
}

/** @type {Record<import('../attempts.js').Standing['state'], string>} */
const words = { pass: 'passed', fail: 'not yet', inconclusive: 'inconclusive', error: 'couldn’t be checked' }

/**
 * How its checks went, one after the other.
 *
 * @param {readonly Check[]} checks the newest first
 * @param {InstructorView['lessons']} lessons
 */
export function historyHtml (checks, lessons) {
  if (checks.length === 0) return html``
  const rows = checks.map(({ at, lesson, verdict, ratio, target, reason, distance, source }) => [
    formatWhen(at),
    lessonName(lesson, lessons),
    html`<span class="${verdict}">${marks[verdict]} ${words[verdict]}${
      source === 'imported' ? ', from a file' : ''}</span>`,
    ratioText(ratio, target),
    reason === null ? '' : reasonHtml(reason, distance)
  ])
  return html`<details><summary>${countText(checks.length, 'check')}, the newest first</summary>
${tableHtml('Checks', { columns: ['when', 'lesson', 'verdict', '#ratio', 'why not'], rows })}</details>`
}

/** @param {number | null} ratio @param {number | null} target @returns {string} `2.9× of 4×` */
function ratioText (ratio, target) {
  const is = formatRatio({ ratio, ratioUnit: '×', target }, marks)
  return target === null ? is : `${is} of ${targetText(target)}`
}

/** @param {SeatView} seat @returns {number} how many checks it has reported */
export function checksOf ({ lessons }) {
  return Object.values(lessons).reduce((sum, { attempts }) => sum + attempts, 0)
}

/** What is deleted along with a seat. @param {SeatView} seat @returns {string} a sentence */
export function removalText (seat) {
  const reports = checksOf(seat)
  return `This deletes the name, the nickname and ${reports === 0
    ? 'the seat, which hasn’t reported anything yet'
    : `all ${countText(reports, 'report')} of this seat`}. The learner is told, and can join again as someone new ` +
    'unless you close the lobby. This can’t be undone; only what you’ve already downloaded stays.'
}

/**
 * What was submitted, its place in the queue, and its result. Pure.
 */

/** @param {InstructorView} room the queue and its workers; empty if nothing was ever submitted */
export function queueHtml ({ queue: { waiting, stuck, isCut, places, workers }, seats, lessons }) {
  if (workers.length === 0 && places.length === 0) {
    return html`<p class="soft">Nothing waits to be graded. Learners submit with <code>npm run submit lesson-3</code>.
</p>`
  }
  const nameOf = (/** @type {number} */ id) => seats.find((seat) => seat.id === id)?.name ?? ''
  const left = waiting + stuck + places.filter(({ state }) => state === 'leased').length - places.length
  const machines = workers.map(({ name, machine, fitness, unfit, job, isGone }) => html`<li><strong>${name}</strong>:
${isGone ? 'hasn’t answered for a minute' : job === null ? 'free' : `grading submission ${job}`}.
<span class="soft">${machine}. ${fitness}${unfit.length === 0
    ? ''
    : ` Not taken there, for lack of margin: ${unfit.map((id) => lessonName(id, lessons)).join(', ')}.`}</span></li>`)
  return html`<p>${waiting} waiting, ${stuck} stuck.</p>
${isCut ? html`<p class="note">Redis doesn’t answer: other machines get no submissions until it does.</p>` : ''}
${workers.length === 0
    ? html`<p class="note">No machine is grading: open the room with <code>--grade</code>, or start a worker.</p>`
    : html`<ul>${machines}</ul>`}
${places.length === 0
    ? ''
    : html`<ol class="some" tabindex="0" aria-label="Submissions that aren’t graded yet">${places.map((place) =>
      placeHtml(place, nameOf(place.seat), lessonName(place.lesson, lessons)))}</ol>`}${left > 0
    ? html`<p class="soft">and ${left} more</p>`
    : ''}`
}

/** @param {Place} place @param {string} name @param {string} lesson */
function placeHtml ({ id, state, ahead, expectedMs, worker, problem }, name, lesson) {
  const expected = expectedMs === null ? '' : `, in about ${minutesText(expectedMs)}`
  if (state === 'stuck') {
    return html`<li class="fail">${marks.error} ${name}, ${lesson}: stuck. ${problem ?? ''} ${againHtml(id)}</li>`
  }
  const where = state === 'leased' ? `being graded by ${worker}` : ahead === 0 ? 'next' : `${ahead} before it`
  return html`<li>${name}, ${lesson}: ${where}${expected}${problem === null
    ? ''
    : html` <small>tried before: ${problem}</small>`}</li>`
}

/** @param {number} id */
function againHtml (id) {
  return html`<button type="button" class="small" id="again-${id}" data-again="${id}">Grade again<span
class="hidden"> submission ${id}</span></button>`
}

/** Those of one seat. @param {SeatView} seat @param {InstructorView['lessons']} lessons */
export function submissionsHtml ({ submissions }, lessons) {
  if (submissions.length === 0) return html``
  const rows = submissions.map(({ id, lesson, state, problem, cheat, result }) => [
    `${id}, ${lessonName(lesson, lessons)}`,
    stateText(state, problem),
    html`${result === null ? '' : resultHtml(result)}${cheat === null
      ? ''
      : html`<p class="note">Marked as a cheat: ${cheat.evidence}</p>`}`,
    html`${state === 'done' || state === 'stuck' ? againHtml(id) : ''}${result === null
      ? ''
      : cheat === null
        ? html` <button type="button" class="small danger" id="cheat-${id}" data-cheat="${id}">A cheat…</button>`
        : html` <button type="button" class="small" id="fair-${id}" data-fair="${id}">No cheat</button>`}
<button type="button" class="small" id="show-${id}" data-show="${id}">Download it</button>`
  ])
  return html`<h3>${countText(submissions.length, 'submission')}</h3>
${tableHtml('Its submissions', { columns: ['number', 'state', 'result', 'to do'], rows })}`
}

/** @param {NonNullable<SeatView['submissions'][0]['result']>} result */
function resultHtml ({ verdict, ratio, isVerified, sandbox, fitness }) {
  const figure = ratio === null ? '' : ` ${formatNumber(ratio, marks.none, 2)}×`
  return html`${verdictText(verdict)}${figure}
<small>${isVerified ? 'verified' : 'not verified'}: ${sandbox}. ${fitness}</small>`
}

/** @param {string} verdict */
function verdictText (verdict) {
  return { pass: `${marks.pass} passed`, fail: `${marks.fail} not yet` }[verdict] ?? `${marks.inconclusive} ${verdict}`
}

/** @param {Place['state']} state @param {string | null} problem */
function stateText (state, problem) {
  return { waiting: 'waiting', leased: 'being graded', done: 'graded', stuck: `stuck: ${problem}` }[state]
}
