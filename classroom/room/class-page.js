import { clockTime, plural } from '../../runner/shared/format.js'
import { frame } from '../../runner/http/index.js'
import { html, marks, withCode } from '../../runner/report/index.js'
import { begunLessons, queueHtml, seatRowsHtml } from './seat-page.js'
import { askButton, lessonName, minutesText, nowHtml, reasonsHtml, sureText } from './words.js'

/**
 * The instructor's page: its frame, without any data, since anyone may open it, and its parts, which only the secret
 * opens. Pure.
 *
 * @import { Html } from '../../runner/report/index.js'
 * @import { InstructorView, SeatView } from './room-views.js'
 *
 * @typedef {InstructorView & { learners: string[] }} ClassView learners: their addresses
 */

/** @returns {string} HTML */
export function classPage () {
  return frame({
    title: 'Your class · Make It Fast',
    name: 'class-page',
    home: null,
    styles: ['/static/classroom/room/browser/public.css', '/static/classroom/room/browser/class.css'],
    scripts: ['/static/classroom/room/browser/instructor.js'],
    parts: '/api/class/events',
    main: html`<h1>Your class</h1>
<noscript><p class="note">This page needs JavaScript.</p></noscript>
<div id="room" hidden>
<p class="numbers" data-part="numbers"></p>
<div class="tops">
<section class="panel way-in" aria-labelledby="join"><h2 id="join">Join</h2><div data-part="join"></div></section>
<section class="panel" aria-labelledby="next"><h2 id="next">What to talk about next</h2>
<div data-part="reasons" class="some" role="group" aria-labelledby="next" tabindex="0"></div></section>
${messagePanel}
</div>
<section data-part="hands" aria-live="polite"></section>
<div id="now" class="buttons"><div data-part="now"></div>
<form data-ask="PUT /api/class/now" class="buttons"><label for="now-lesson">Now</label>
<select id="now-lesson" name="lesson" data-part="now-lessons"></select>
<input type="text" name="text" aria-label="What to call the break" value="Break" maxlength="100">
<label><input type="number" name="minutes" min="1" max="600" value="40" required> min</label>
<button>Begin</button></form></div>
${seatsSection}
<section aria-labelledby="queue-title"><h2 id="queue-title">Submissions</h2>
<p class="soft">What is measured again here counts as verified. A result stays until there is a new one.</p>
<div data-part="queue"></div>
<form data-ask="POST /api/class/submissions/grade-again" class="buttons"><label for="again-what">Grade again</label>
<select id="again-what" name="lesson" data-part="again-lessons"></select> <button>Grade again</button></form></section>
<section aria-labelledby="lessons-title"><h2 id="lessons-title">Lessons</h2>
<p class="soft">A lock is a request, not a wall: the lessons are on the learners’ machines.</p>
<div class="scroll" role="group" aria-label="Lessons" tabindex="0"><table class="lessons">
<thead><tr><th scope="col">lesson</th><th scope="col" class="number">passed</th>
<th scope="col" class="number">not yet</th><th scope="col" class="number">median time</th>
<th scope="col">for learners</th><th scope="col">solution</th></tr></thead>
<tbody data-part="lessons"></tbody></table></div></section>
${filesSection}
<section aria-labelledby="key-title"><h2 id="key-title">Answers</h2>
<details id="key"><summary>The key to all questions of <em>Fix it</em>, from the write-ups</summary>
<div id="key-text"></div></details></section>
</div>
<p class="said" role="alert" data-said></p>`
  })
}

const messagePanel = html`<section class="panel" aria-labelledby="say"><h2 id="say">Messages</h2>
<form data-ask="POST /api/class/messages" data-reset><label for="message-text" class="hidden">Message</label>
<textarea id="message-text" name="text" rows="2" maxlength="500" required
placeholder="In the browser, in watch, and, to all, on the projector"></textarea>
<p class="buttons"><label>To <select id="message-to" name="to" required data-part="recipients"></select></label>
<label>for <input type="number" name="minutes" min="1" max="600" value="20" required> min</label>
<button class="main">Send</button></p></form>
<ul id="messages" class="some" data-part="messages"></ul></section>`

const seatsSection = html`<section aria-labelledby="seats-title"><h2 id="seats-title">Learners</h2>
<div role="status" data-part="swept"></div>
<div class="filters"><fieldset class="buttons"><legend class="hidden">Show</legend>${[
  ['all', 'all'], ['stuck', 'stuck'], ['away', 'away'], ['unfit', 'with an unfit machine']
].map(([value, word]) => html`<label><input type="radio" name="filter" value="${value}"${
  value === 'all' ? html` checked` : ''}> ${word} <span data-part="count-${value}"></span></label> `)}</fieldset>
<label>Name <input type="text" id="find" autocomplete="off"></label></div>
<p class="soft">As reported by the learners’ own machines.</p>
<p id="no-seats" role="status"></p>
<div class="scroll seats" role="group" aria-label="Seats by lessons" tabindex="0"><table>
<thead><tr data-part="seats-head"></tr></thead><tbody id="seats" data-part="seats"></tbody></table></div>
<p class="soft">✓ passed, ✗ not yet, ? undecided, ! couldn’t be checked; below, the number of checks. Learners who need
help come first. Click a name for details.</p>
<details><summary>Strangers have joined?</summary><form class="buttons" data-ask="POST /api/class/sweep" data-sure="${
  sureText('Remove them?', 'All seats that joined after that and haven’t reported go. Their learners are told, and ' +
    'can join again unless you close the lobby. For a minute, you can undo it.', 'Remove them')}">
<label for="after">Remove all seats that joined after</label> <input type="time" id="after" required>
<input type="hidden" name="after"> and haven’t reported: <button class="danger">Remove them…</button></form></details>
</section>`

const filesSection = html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<form data-ask="POST /api/class/import" data-reset>
<p><label for="import">If the network keeps people apart: import what <code>npm run export</code> wrote.</label></p>
<p><input type="file" id="import" multiple accept=".json,application/json"></p>
<p class="lines" role="status" data-said></p></form>
<p class="buttons"><button type="button" data-save="/api/class/export.csv">Download a table (CSV)</button>
<button type="button" data-save="/api/class/export.json">Download everything (JSON)</button></p></section>`

/** @param {ClassView} room @returns {Record<string, Html>} by name */
export function classParts (room) {
  const { seats, lessons, isLobbyLocked, swept } = room
  const count = (/** @type {(seat: SeatView) => boolean} */ is) => seats.filter(is).length
  const [stuck, unfit] = [count((seat) => seat.stuck !== null), count((seat) => seat.unfit.length > 0)]
  const options = lessons.map(({ id, number, title }) => html`<option value="${id}">${number} ${title}</option>`)
  return {
    numbers: html`<span>${plural(seats.length, 'learner')}</span> <span>${stuck} stuck</span>
<span>${plural(unfit, 'unfit machine')}</span>${isLobbyLocked ? html` <span>the lobby is closed</span>` : ''}`,
    join: joinHtml(room),
    reasons: reasonsHtml(room, mostReasons),
    recipients: recipientsHtml(room),
    messages: messageRowsHtml(room),
    hands: room.hands.length === 0 ? html`` : html`<h2>Hands</h2><ol>${handsHtml(room)}</ol>`,
    now: html`${nowHtml(room)}${room.current === null && room.timer === null ? '' : endHtml(room.timer !== null)}`,
    'now-lessons': html`${options}<option value="">Break</option>`,
    swept: swept === 0
      ? html``
      : html`<p class="note">${plural(swept, 'seat')} ${swept === 1 ? 'was' : 'were'} removed. For a minute, this can
be undone. ${askButton('undo', 'DELETE /api/class/sweep', 'Undo')}</p>`,
    'count-all': html`${seats.length}`,
    'count-stuck': html`${stuck}`,
    'count-away': html`${count(({ presence }) => presence.state === 'away')}`,
    'count-unfit': html`${unfit}`,
    'seats-head': seatsHeadHtml(room),
    seats: seatRowsHtml(room),
    queue: queueHtml(room),
    'again-lessons': html`<option value="">all lessons</option>${options}`,
    lessons: lessonRowsHtml(lessons)
  }
}

const mostReasons = 50

/** @param {ClassView} room */
function joinHtml ({ code, learners, crowded, isLobbyLocked }) {
  const sure = sureText('Give the room a new join code?', 'The old one stops working, and so do pages opened with ' +
    'it: open the projector again from here. Learners in the room stay in it.', 'Use a new code')
  return html`<img src="/${code}/qr.svg" alt="QR code of the address" width="132" height="132">
<p class="code" id="code">${code}</p>
<ul>${learners.map((address, at) => html`<li><code>${
    address.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)}</code>
<a href="/${code}/projector?at=${at}" target="_blank" id="projector-${at}">Projector</a></li>`)}</ul>
<ul>${crowded.map(({ address, joined }) => html`<li>${plural(joined, 'seat')} joined from
<code>${address}</code>, and no more are let in from there. One learner? Or a network that shows all of you under one
address?
${askButton(`admit-${address}`, 'POST /api/class/admit', 'Let as many again in', { body: { address } })}</li>`)}</ul>
<p class="buttons">${askButton('lobby', 'PATCH /api/class', isLobbyLocked ? 'Open the lobby' : 'Close the lobby',
    { body: { lobbyLocked: !isLobbyLocked }, kind: '' })}
${askButton('new-code', 'POST /api/class/code', 'New code…', { sure, kind: '' })}</p>
<p class="links"><a href="/${code}/board" target="_blank" id="to-board">Board</a>
<a href="/${code}" target="_blank" id="to-learners">What learners see</a></p>`
}

/**
 * The recipients that a message can have: the options of a list.
 *
 * @typedef {Pick<InstructorView, 'seats' | 'lessons' | 'reasons'>} Whom
 *
 * @param {Whom} room
 */
function recipientsHtml (room) {
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
  /** @param {string} key @param {string} name @param {(seat: SeatView) => boolean} is */
  const group = (key, name, is) => ({ key, name, ids: seats.filter(is).map(({ id }) => id) })
  return [
    group('stuck', 'who is stuck', ({ stuck }) => stuck !== null),
    ...lessons.map(({ id, number }) => group(`not passed ${id}`, `who tried lesson ${number} and hasn’t passed`,
      (seat) => seat.lessons[id] !== undefined && seat.lessons[id].state !== 'pass')),
    ...reasons.map(({ lesson, reason }) => group(JSON.stringify([lesson, reason]),
      `${lessonName(lesson, lessons)}, ${reason}`, (seat) => seat.lessons[lesson]?.reason === reason))
  ].filter(({ ids }) => ids.length > 0)
}

/** The items of a list. @param {Pick<InstructorView, 'messages' | 'seats'>} room */
export function messageRowsHtml ({ messages, seats }) {
  return html`${messages.map(({ id, text, to, sentAt, endsAt, isOver }) => {
    const minutes = Math.max(1, Math.round((Date.parse(endsAt) - Date.parse(sentAt)) / 60_000))
    const button = isOver
      ? askButton(`message-${id}`, 'POST /api/class/messages', 'Send again', { body: { text, to, minutes } })
      : askButton(`message-${id}`, `DELETE /api/class/messages/${id}`, 'Clear')
    return html`<li><span class="soft">${clockTime(sentAt)} to ${toText(to, seats)}, ${
      isOver ? 'over' : html`until ${clockTime(endsAt)}`}:</span> ${withCode(text)}
${button}</li>`
  })}`
}

/** @param {InstructorView['messages'][number]['to']} to @param {readonly SeatView[]} seats */
function toText (to, seats) {
  if (to === 'all') return to
  const [first] = seats.filter(({ id }) => to.includes(id))
  return to.length === 1 && first ? first.name : plural(to.length, 'learner')
}

/** Raised hands, the first one first: the items of a list. @param {InstructorView} room */
function handsHtml ({ hands, seats, lessons }) {
  return html`${hands.map(({ seat, lesson, minutes }) => html`<li>
<strong>${seats.find(({ id }) => id === seat)?.name ?? ''}</strong>${
  lesson === null ? '' : `, ${lessonName(lesson, lessons)}`}, for ${minutesText(minutes * 60_000)}
${askButton(`hand-${seat}`, `DELETE /api/class/seats/${seat}/hand`, 'Lower')}</li>`)}`
}

/** @param {boolean} isBreak */
function endHtml (isBreak) {
  const [word, body] = isBreak ? ['End the break', { timer: null }] : ['End', { current: null }]
  return askButton('now-end', 'PATCH /api/class', word, { body, kind: '' })
}

/** @param {InstructorView} room */
function seatsHeadHtml (room) {
  const heads = begunLessons(room).map(({ number, title, isLocked, passed }) => html`
<th scope="col" class="lesson" title="${title}">${number}<span class="hidden"> ${title}</span><small>${
    isLocked ? 'locked' : `${passed} ${marks.pass}`}</small></th>`)
  return html`<th scope="col">learner</th><th scope="col">needs help</th>${heads}<th scope="col">now</th>`
}

/** The rows of the table in which lessons are opened and locked. @param {InstructorView['lessons']} lessons */
function lessonRowsHtml (lessons) {
  const toggled = (/** @type {string} */ id, /** @type {'isLocked' | 'isRevealed'} */ mark) =>
    lessons.filter((one) => (one.id === id) !== one[mark]).map((one) => one.id)
  return html`${lessons.map(({ id, number, title, passed, trying, medianMs, isLocked, isRevealed }) => {
    const sure = sureText(`Show the solution of lesson ${number} to all?`,
      'It’s offered to all learners, even those still working on it. This can’t be unseen.', 'Show it to all')
    /** @param {string} act @param {string} word @param {Parameters<typeof askButton>[3]} more */
    const button = (act, word, more) =>
      askButton(`${act}-${id}`, 'PATCH /api/class', html`${word}<span class="hidden"> lesson ${number}</span>`, more)
    const [locked, revealed] = [toggled(id, 'isLocked'), toggled(id, 'isRevealed')]
    return html`<tr><th scope="row">${number} ${marks.dot} ${title}</th>
<td class="number">${passed}</td><td class="number">${trying}</td>
<td class="number">${medianMs === null ? marks.none : minutesText(medianMs)}</td>
<td>${isLocked ? html`<strong>locked</strong>` : 'open'} ${
  button('lock', isLocked ? 'Open' : 'Lock', { body: { locked } })}</td>
<td>${isRevealed
  ? html`<strong>shown to all</strong> ${button('reveal', 'Hide again', { body: { revealed } })}`
  : html`not shown ${button('reveal', 'Show to all…', { body: { revealed }, sure })}`}</td></tr>`
  })}`
}
