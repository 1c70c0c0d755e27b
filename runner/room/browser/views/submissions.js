import { formatNumber, html, marks } from '../../../report/browser.js'
import { countText, lessonName, minutesText } from './words.js'

/**
 * What was submitted, its place in the queue, and its result. Pure.
 *
 * @import { InstructorView, SeatView } from '../../snapshot.js'
 * @import { Place } from '../../derive/queue-view.js'
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
  const rows = submissions.map(({ id, lesson, state, problem, cheat, result }) => html`<tr>
<th scope="row">${id}, ${lessonName(lesson, lessons)}</th><td>${stateText(state, problem)}</td>
<td>${result === null ? '' : resultHtml(result)}${cheat === null
    ? ''
    : html`<p class="note">Marked as a cheat: ${cheat.evidence}</p>`}</td>
<td>${state === 'done' || state === 'stuck' ? againHtml(id) : ''}${result === null
    ? ''
    : cheat === null
      ? html` <button type="button" class="small danger" id="cheat-${id}" data-cheat="${id}">A cheat…</button>`
      : html` <button type="button" class="small" id="fair-${id}" data-fair="${id}">No cheat</button>`}
<button type="button" class="small" id="show-${id}" data-show="${id}">Download it</button></td></tr>`)
  return html`<h3>${countText(submissions.length, 'submission')}</h3>
<div class="scroll" role="group" aria-label="Its submissions" tabindex="0"><table><thead><tr>
<th scope="col">number</th><th scope="col">state</th><th scope="col">result</th><th scope="col">to do</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
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
