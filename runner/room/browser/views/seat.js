import { formatRatio, formatWhen, html, marks, withCode } from '../../../report/browser.js'
import { countText, lessonName, reasonHtml, stuckHtml, targetText } from './words.js'

/**
 * All that the room knows about one seat. Pure.
 *
 * @import { Check } from '../../seats.js'
 * @import { InstructorView, SeatView } from '../../snapshot.js'
 *
 * @param {SeatView} seat
 * @param {InstructorView['lessons']} lessons
 */
export function seatHtml ({ nickname, isOnBoard, joinedAt, lastSeenAt, lessons: standings, stuck, unfit }, lessons) {
  const rows = lessons.flatMap(({ id, number, title }) => {
    const standing = standings[id]
    if (standing === undefined) return []
    const { state, attempts, ratio, target, tier, reason, distance, source } = standing
    return [html`<tr><th scope="row">${number} ${marks.dot} ${title}</th>
<td class="${state}">${marks[state]} ${words[state]}${tier === null ? '' : `, ${tier}`}</td>
<td class="number">${ratioText(ratio, target)}</td>
<td>${countText(attempts, 'check')}${source === 'imported' ? ', from a file' : ''}</td>
<td>${reason === null ? '' : reasonHtml(reason, distance)}</td></tr>`]
  })
  return html`${stuck === null ? '' : html`<p class="note">${stuckHtml(stuck, lessons)}</p>`}
${unfit.map((sentence) => html`<p class="note">Machine: ${withCode(sentence)}</p>`)}
<dl><dt>nickname</dt><dd>${nickname ?? 'none'}</dd>
<dt>board</dt><dd>${isOnBoard ? 'wants to be on it' : 'not on it'}</dd>
<dt>joined</dt><dd>${formatWhen(joinedAt)}</dd><dt>last seen</dt><dd>${formatWhen(lastSeenAt)}</dd></dl>
${rows.length === 0
    ? html`<p>No checks reported yet.</p>`
    : html`<div class="scroll" role="group" aria-label="Its lessons" tabindex="0"><table>
<thead><tr><th scope="col">lesson</th><th scope="col">state</th><th scope="col">ratio</th><th scope="col">tried</th>
<th scope="col">why not yet</th></tr></thead><tbody>${rows}</tbody></table></div>`}`
}

/** @type {Record<import('../../derive/attempts.js').Standing['state'], string>} */
const words = { pass: 'passed', fail: 'not yet', inconclusive: 'inconclusive', error: 'couldn’t be checked' }

/**
 * How its checks went, one after the other.
 *
 * @param {readonly Check[]} checks the newest first
 * @param {InstructorView['lessons']} lessons
 */
export function historyHtml (checks, lessons) {
  if (checks.length === 0) return html``
  return html`<details><summary>${countText(checks.length, 'check')}, the newest first</summary>
<div class="scroll" role="group" aria-label="Checks" tabindex="0"><table><thead><tr><th scope="col">when</th>
<th scope="col">lesson</th><th scope="col">verdict</th><th scope="col">ratio</th><th scope="col">why not</th>
</tr></thead><tbody>${checks.map(({ at, lesson, verdict, ratio, target, reason, distance, source }) => html`<tr>
<th scope="row">${formatWhen(at)}</th><td>${lessonName(lesson, lessons)}</td>
<td class="${verdict}">${marks[verdict]} ${words[verdict]}${source === 'imported' ? ', from a file' : ''}</td>
<td class="number">${ratioText(ratio, target)}</td><td>${reason === null ? '' : reasonHtml(reason, distance)}</td>
</tr>`)}</tbody></table></div></details>`
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
