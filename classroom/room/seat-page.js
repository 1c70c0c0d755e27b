import { plural } from '../../runner/shared/format.js'
import { formatNumber, formatRatio, formatWhen, html, marks, tableHtml, withCode } from '../../runner/report/index.js'
import { askButton, lessonName, minutesText, reasonHtml, stuckHtml, sureText, targetText } from './words.js'

/**
 * Seats on the instructor's page: a row for each, the dialog of one, and what was submitted. Pure.
 *
 * @import { Html } from '../../runner/report/index.js'
 * @import { Attempt, Standing } from './attempts.js'
 * @import { InstructorView, SeatView } from './room-views.js'
 * @import { Place } from './submissions.js'
 */

/** @param {readonly SeatView[]} seats @returns {SeatView[]} those who need help come first */
export function pickSeats (seats) {
  return seats.toSorted((a, b) =>
    needOf(b) - needOf(a) || passedOf(a) - passedOf(b) || a.name.localeCompare(b.name))
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
export function begunLessons ({ lessons, current }) {
  return lessons.filter(({ id, passed, trying, verified }) => passed + trying + verified > 0 || id === current?.lesson)
}

/** Rows as they were last, by seat: of 500, few change at once. @type {Map<number, { of: string, row: Html }>} */
let known = new Map()

/** @param {InstructorView} room */
export function seatRowsHtml (room) {
  const lessons = begunLessons(room)
  const about = JSON.stringify([lessons.map(({ id }) => id), room.lessons.map(({ id, number }) => [id, number])])
  const rows = new Map(pickSeats(room.seats).map((seat) => {
    const of = about + JSON.stringify(seat)
    const before = known.get(seat.id)
    return [seat.id, before?.of === of ? before : { of, row: rowHtml(seat, lessons, room.lessons) }]
  }))
  known = rows
  return html`${[...rows.values()].map(({ row }) => row)}`
}

/**
 * A row has a column for each lesson begun so far. The page filters rows by their data.
 *
 * @param {SeatView} seat
 * @param {InstructorView['lessons']} begun
 * @param {InstructorView['lessons']} all
 */
function rowHtml ({ id, name, nickname, lessons, verified, stuck, unfit, presence }, begun, all) {
  const is = ['all', stuck && 'stuck', presence.state === 'away' && 'away', unfit.length > 0 && 'unfit'].filter(Boolean)
  return html`<tr data-key="${id}" data-is="${is.join(' ')}" data-name="${`${name} ${nickname ?? ''}`.toLowerCase()}">
<th scope="row"><button type="button" class="link" id="seat-${id}" data-open="/api/class/seats/${id}"
aria-haspopup="dialog">${name}</button>${
  unfit.length === 0 ? '' : html`<small class="error">! unfit machine</small>`}</th>
<td class="needs">${stuck === null ? '' : html`<span class="clamp">${stuckHtml(stuck, all)}</span>`}</td>${
  begun.map((lesson) => cellHtml(lessons[lesson.id], verified[lesson.id]))}<td class="when">${
  presenceHtml(presence, all)}</td></tr>`
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

/** @param {Pick<Standing, 'ratio'>} standing */
function figureOf ({ ratio }) {
  return ratio === null ? '' : ` ${formatNumber(ratio, marks.none, 2)}×`
}

/**
 * The dialog of a seat, which follows the room while it's open.
 *
 * @param {SeatView} seat
 * @param {readonly Attempt[]} checks the newest first
 * @param {InstructorView['lessons']} lessons
 */
export function seatDialogHtml (seat, checks, lessons) {
  const { id, name } = seat
  const path = `/api/class/seats/${id}`
  return html`<h2 id="dialog-title" tabindex="-1" autofocus>${name}</h2>
<form data-ask="PATCH ${path}" data-close class="buttons"><label for="new-name">Name</label>
<input type="text" id="new-name" name="name" maxlength="40" required value="${name}">
<button id="rename">Rename</button></form>
${[factsHtml(seat, lessons), submissionsHtml(seat, lessons), historyHtml(checks, lessons)]}
<p class="buttons"><button type="button" id="remove" class="danger" data-close data-ask="DELETE ${path}" data-sure="${
  sureText(`Remove ${name}?`, removalText(seat), 'Remove it for good')}">Remove this seat…</button></p>`
}

/** @param {SeatView} seat @param {InstructorView['lessons']} lessons */
function factsHtml ({ nickname, isOnBoard, joinedAt, lastSeenAt, lessons: standings, stuck, unfit }, lessons) {
  const rows = lessons.flatMap(({ id, number, title }) => {
    const standing = standings[id]
    if (standing === undefined) return []
    const { state, attempts, ratio, target, tier, reason, distance, source } = standing
    return [[
      `${number} ${marks.dot} ${title}`,
      html`<span class="${state}">${marks[state]} ${words[state]}${tier === null ? '' : `, ${tier}`}</span>`,
      ratioText(ratio, target),
      `${plural(attempts, 'check')}${source === 'imported' ? ', from a file' : ''}`,
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

/** @type {Record<Standing['state'], string>} */
const words = { pass: 'passed', fail: 'not yet', inconclusive: 'undecided', error: 'couldn’t be checked' }

/** @param {readonly Attempt[]} checks the newest first @param {InstructorView['lessons']} lessons */
function historyHtml (checks, lessons) {
  if (checks.length === 0) return html``
  const rows = checks.map(({ at, lesson, verdict, ratio, target, reason, distance, source }) => [
    formatWhen(at),
    lessonName(lesson, lessons),
    html`<span class="${verdict}">${marks[verdict]} ${words[verdict]}${
      source === 'imported' ? ', from a file' : ''}</span>`,
    ratioText(ratio, target),
    reason === null ? '' : reasonHtml(reason, distance)
  ])
  return html`<details><summary>${plural(checks.length, 'check')}, the newest first</summary>
${tableHtml('Checks', { columns: ['when', 'lesson', 'verdict', '#ratio', 'why not'], rows })}</details>`
}

/** @param {number | null} ratio @param {number | null} target @returns {string} `2.9× of 4×` */
function ratioText (ratio, target) {
  const is = formatRatio({ ratio, ratioUnit: '×', target }, marks)
  return target === null ? is : `${is} of ${targetText(target)}`
}

/** What is deleted along with a seat. @param {SeatView} seat @returns {string} a sentence */
export function removalText ({ lessons }) {
  const reports = Object.values(lessons).reduce((sum, { attempts }) => sum + attempts, 0)
  return `This deletes the name, the nickname and ${reports === 0
    ? 'the seat, which hasn’t reported anything yet'
    : `all ${plural(reports, 'report')} of this seat`}. The learner is told, and can join again as someone new ` +
    'unless you close the lobby. This can’t be undone; only what you’ve already downloaded stays.'
}

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
  const word = html`Grade again<span class="hidden"> submission ${id}</span>`
  return askButton(`again-${id}`, 'POST /api/class/submissions/grade-again', word, { body: { id } })
}

/** The submissions of one seat. @param {SeatView} seat @param {InstructorView['lessons']} lessons */
export function submissionsHtml ({ submissions }, lessons) {
  if (submissions.length === 0) return html``
  const rows = submissions.map(({ id, lesson, state, problem, cheat, result }) => [
    `${id}, ${lessonName(lesson, lessons)}`,
    { waiting: 'waiting', leased: 'being graded', done: 'graded', stuck: `stuck: ${problem}` }[state],
    html`${result === null ? '' : resultHtml(result)}${cheat === null
      ? ''
      : html`<p class="note">Marked as a cheat: ${cheat.evidence}</p>`}`,
    html`${state === 'done' || state === 'stuck' ? againHtml(id) : ''}
<button type="button" class="small" id="show-${id}" data-save="/api/class/submissions/${id}">Download it</button>${
  result === null ? '' : cheatHtml(id, cheat !== null)}`
  ])
  return html`<h3>${plural(submissions.length, 'submission')}</h3>
${tableHtml('Its submissions', { columns: ['number', 'state', 'result', 'to do'], rows })}`
}

/** @param {number} id @param {boolean} isMarked */
function cheatHtml (id, isMarked) {
  const path = `/api/class/submissions/${id}/cheat`
  if (isMarked) return askButton(`fair-${id}`, `DELETE ${path}`, 'No cheat')
  return html`<details><summary>Submission ${id} is a cheat…</summary><form data-ask="PUT ${path}" class="buttons">
<label for="evidence-${id}">What shows that it’s a cheat?</label>
<input type="text" id="evidence-${id}" name="evidence" maxlength="500" required>
<button class="danger" id="cheat-${id}">Mark it as a cheat</button></form></details>`
}

/** @param {NonNullable<SeatView['submissions'][0]['result']>} result */
function resultHtml ({ verdict, ratio, isVerified, sandbox, fitness }) {
  return html`${marks[verdict]} ${words[verdict]}${figureOf({ ratio })}
<small>${isVerified ? 'verified' : 'not verified'}: ${sandbox}. ${fitness}</small>`
}
