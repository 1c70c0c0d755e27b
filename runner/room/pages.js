import MarkdownIt from 'markdown-it'
import { frame } from '../http/index.js'
import { html, trusted } from '../report/index.js'
import { parts } from './browser/public-views.js'

/** @import { Html } from '../report/index.js' */

/**
 * The instructor's page, empty: its script fetches the room with the secret in the fragment of the link,
 * which no server sees.
 *
 * @returns {string} HTML
 */
export function classPage () {
  return frame({
    title: 'Your class · Make It Fast',
    name: 'class-page',
    home: null,
    styles: ['/static/room/browser/public.css', '/static/room/browser/class.css'],
    scripts: ['/static/room/browser/class.js'],
    main: html`<h1>Your class</h1>
<noscript><p class="note">This page needs JavaScript.</p></noscript>
<p id="connection" class="note" role="status" hidden></p>
<div id="room" hidden>
<p id="numbers" class="numbers"></p>
<div class="tops">
${joinPanel}
<section class="panel" aria-labelledby="next"><h2 id="next">What to talk about next</h2>
<div id="reasons" class="some" role="group" aria-labelledby="next" tabindex="0"></div></section>
${messagePanel}
</div>
<section id="hands-section" aria-labelledby="hands-title" hidden><h2 id="hands-title">Hands</h2>
<ol id="hands" aria-live="polite"></ol></section>
<form id="now" class="buttons"><div id="now-text"></div><label for="now-lesson">Now</label>
<select id="now-lesson"></select>
<input type="text" id="timer-text" aria-label="What to call the break" value="Break" maxlength="100" hidden>
<label><input type="number" id="now-minutes" min="1" max="600" value="40" required> min</label>
<button>Begin</button> <button type="button" id="now-end">End</button></form>
${seatsSection}
${queueSection}
${lessonsSection}
${filesSection}
<section aria-labelledby="key-title"><h2 id="key-title">Answers</h2>
<details id="key"><summary>The key to all questions of <em>Fix it</em>, from the write-ups</summary>
<div id="key-text"></div></details></section>
</div>
<div class="said"><p id="said" role="alert" hidden></p></div>
<dialog id="seat" aria-labelledby="seat-name"><h2 id="seat-name" tabindex="-1" autofocus></h2>
<form id="rename" class="buttons"><label for="new-name">Name</label>
<input type="text" id="new-name" maxlength="40" required> <button>Rename</button></form>
<div id="seat-facts"></div>
<div id="seat-submissions"></div>
<form id="cheat" class="buttons" hidden><label for="evidence">What shows that it’s a cheat?</label>
<input type="text" id="evidence" maxlength="500" required> <button class="danger">Mark it as a cheat</button></form>
<div id="seat-history"></div>
<p class="buttons"><button type="button" id="remove" class="danger">Remove this seat…</button>
<button type="button" data-close>Close</button></p></dialog>
<dialog id="sure" aria-labelledby="sure-title" aria-describedby="sure-text"><h2 id="sure-title"></h2>
<p id="sure-text"></p>
<form method="dialog" class="buttons"><button value="no" autofocus>No, leave it</button>
<button value="yes" class="danger" id="sure-yes"></button></form></dialog>`
  })
}

const joinPanel = html`<section class="panel way-in" aria-labelledby="join"><h2 id="join">Join</h2>
<img id="qr" alt="QR code of the address" width="132" height="132">
<p class="code" id="code"></p>
<ul id="addresses"></ul>
<ul id="crowded"></ul>
<p class="buttons"><button type="button" id="lobby"></button>
<button type="button" id="new-code">New code…</button></p>
<p class="links"><a id="to-board" target="_blank">Board</a>
<a id="to-learners" target="_blank">What learners see</a></p>
</section>`

const messagePanel = html`<section class="panel" aria-labelledby="say"><h2 id="say">Messages</h2>
<form id="message"><label for="message-text" class="hidden">Message</label>
<textarea id="message-text" rows="2" maxlength="500" required
placeholder="In the browser, in watch, and, to all, on the projector"></textarea>
<p class="buttons"><label>To <select id="message-to" required></select></label>
<label>for <input type="number" id="message-minutes" min="1" max="600" value="20" required> min</label>
<button class="main">Send</button></p></form>
<ul id="messages" class="some"></ul></section>`

const seatsSection = html`<section aria-labelledby="seats-title"><h2 id="seats-title">Learners</h2>
<p class="note" id="swept" role="status" hidden><span id="swept-text"></span>
<button type="button" id="undo">Undo</button></p>
<div class="filters"><fieldset class="buttons"><legend class="hidden">Show</legend>${[
  ['all', 'all'], ['stuck', 'stuck'], ['away', 'away'], ['unfit', 'with an unfit machine']
].map(([value, word]) => html`<label><input type="radio" name="filter" value="${value}"${
  value === 'all' ? ' checked' : ''}> ${word} <span id="count-${value}"></span></label> `)}</fieldset>
<label>Name <input type="text" id="find" autocomplete="off"></label></div>
<p class="soft">As reported by the learners’ own machines.</p>
<p id="no-seats" hidden></p>
<div class="scroll seats" role="group" aria-label="Seats by lessons" tabindex="0"><table>
<thead><tr id="seats-head"></tr></thead><tbody id="seats"></tbody></table></div>
<p class="soft">✓ passed, ✗ not yet, ? undecided, ! couldn’t be checked; below, the number of checks. Learners who need
help come first. Click a name for details.</p>
<details><summary>Strangers have joined?</summary><form id="sweep" class="buttons">
<label for="after">Remove all seats that joined after</label> <input type="time" id="after" required>
and haven’t reported: <button class="danger">Remove them…</button></form></details></section>`

const queueSection = html`<section aria-labelledby="queue-title"><h2 id="queue-title">Submissions</h2>
<p class="soft">What is measured again here counts as verified. A result stays until there is a new one.</p>
<div id="queue"></div>
<form id="again" class="buttons"><label for="again-what">Grade again</label> <select id="again-what"></select>
<button>Grade again</button></form></section>`

const lessonsSection = html`<section aria-labelledby="lessons-title"><h2 id="lessons-title">Lessons</h2>
<p class="soft">A lock is a request, not a wall: the lessons are on the learners’ machines.</p>
<div class="scroll" role="group" aria-label="Lessons" tabindex="0"><table class="lessons">
<thead><tr><th scope="col">lesson</th><th scope="col" class="number">passed</th>
<th scope="col" class="number">not yet</th><th scope="col" class="number">median time</th>
<th scope="col">for learners</th><th scope="col">solution</th></tr></thead>
<tbody id="lessons"></tbody></table></div></section>`

const filesSection = html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<p><label for="import">If the network keeps people apart: import what <code>npm run export</code> wrote.</label>
</p>
<p><input type="file" id="import" multiple accept=".json,application/json"></p>
<ul id="imported" role="status"></ul>
<p class="buttons"><button type="button" id="export.csv">Download a table (CSV)</button>
<button type="button" id="export.json">Download everything (JSON)</button></p></section>`

/**
 * The page at the room's address, to which its QR code leads, too.
 *
 * @param {object} given
 * @param {string} given.address with the code
 * @param {string} given.code
 * @param {import('./snapshot.js').PublicView} given.room
 * @param {string} given.sent Markdown: what is sent
 * @returns {string} HTML
 */
export function joinPage ({ address, code, room, sent }) {
  return roomFrame({
    title: 'Join the room',
    name: 'join-page',
    home: `/${code}`,
    events: `/api/rooms/${code}/events`,
    main: html`<h1>Join the room</h1>
${partHtml('message', room, html` aria-live="polite"`)}
${partHtml('now', room)}
${partHtml('door', room)}
<p>You need the workshop on your own machine. In its folder, type this, with your own name:</p>
<pre id="command">npm run join ${address} -- --name "Ada"</pre>
<p class="buttons"><button type="button" data-copy="command">Copy</button></p>
<p>Prefer the browser? In <code>npm start</code>, open “Class” and enter this address:
<code>${address}</code></p>
<p>You see what’s sent, and confirm it, before anything is. Then carry on as before: each check is reported by
itself.</p>
<section aria-labelledby="sent"><h2 id="sent">What is sent</h2>
${trusted(new MarkdownIt().render(sent))}</section>
<section aria-labelledby="to-board"><h2 id="to-board">The board</h2>
<p>The last lesson has <a href="/${code}/board">a board</a> for those who want to be on it. You’re only on it if you
say so: with <code>--board</code>, and <code>--nickname</code> if you like, or by a tick in the browser.</p></section>`
  })
}

/**
 * @param {{ code: string, room: import('./snapshot.js').PublicView }} given
 * @returns {string} HTML
 */
export function boardPage ({ code, room }) {
  return roomFrame({
    title: 'The board',
    name: 'board-page',
    home: `/${code}`,
    events: `/api/rooms/${code}/events`,
    main: html`<h1>The board</h1>
${partHtml('message', room, html` aria-live="polite"`)}
${partHtml('board', room)}
<section aria-labelledby="how"><h2 id="how">How to read it</h2>
<p>Machines differ, so requests a second say little. What counts is the tier, and within it the share of what a bare
server answers on that same machine: 100 % is all that it can do.</p>
<p>A bar is the interval in which the share lies (95 %), the stroke in it the best guess; the thin lines are 0, 50 and
100 %. Within a tier, bars that overlap the leader’s share a rank: there’s no telling which is faster.</p>
<p>Only people who opted in are listed, by a nickname if they gave one. You want to be on it?
<code>npm run join -- --board --nickname NAME</code>, or “Class” in the browser.</p></section>`
  })
}

/**
 * For the wall: no names.
 *
 * @param {object} given
 * @param {string} given.address with the code
 * @param {string} given.code
 * @param {string} given.picture address of the QR code
 * @param {import('./snapshot.js').ProjectorView} given.room
 * @returns {string} HTML
 */
export function projectorPage ({ address, code, picture, room }) {
  return roomFrame({
    title: 'The room',
    name: 'projector-page',
    home: `/${code}`,
    events: `/api/rooms/${code}/projector/events`,
    main: html`<h1 class="hidden">The room</h1>
${partHtml('message', room, html` class="wide" aria-live="polite"`)}
${partHtml('now', room, html` class="wide" aria-live="polite"`)}
<section class="way-in" aria-labelledby="join"><h2 id="join">Join</h2>
<img src="${picture}" alt="QR code of the address" width="330" height="330">
<p class="address">${address.replace(/^https?:\/\//, '').replace(/\/[^/]*$/, '/')}<strong>${
      code}</strong></p>
${partHtml('count', room)}</section>
<section class="where" aria-labelledby="where"><h2 id="where">Where we are</h2>
${partHtml('progress', room)}
${partHtml('predictions', room)}</section>
<section class="why" aria-labelledby="why"><h2 id="why">What stops us</h2>
${partHtml('reasons', room)}</section>`
  })
}

/**
 * The frame of the public pages, which follow the room.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.name what the styles call it
 * @param {Html} page.main
 * @param {string} page.home where the name of the workshop leads
 * @param {string} page.events address of the stream
 * @returns {string} HTML
 */
function roomFrame ({ title, name, main, home, events }) {
  return frame({
    title: `${title} · Make It Fast`,
    name,
    home,
    styles: ['/static/room/browser/public.css'],
    scripts: ['/static/room/browser/public.js'],
    data: { events },
    main: html`<p id="connection" class="note" role="status" hidden></p>
${main}`
  })
}

/**
 * @template {keyof typeof parts} Name
 * @param {Name} name
 * @param {Parameters<typeof parts[Name]>[0]} room
 * @param {Html} [attributes] of its element
 * @returns {Html} which the page redraws with each change
 */
function partHtml (name, room, attributes = html``) {
  return html`<div data-part="${name}"${attributes}>${/** @type {(room: unknown) => Html} */ (parts[name])(room)}</div>`
}

/**
 * The key to all questions: a part of the instructor's page.
 *
 * @param {readonly { number: number, title: string, answers: string }[]} lessons answers: Markdown
 */
export function keyHtml (lessons) {
  const md = new MarkdownIt()
  // They lead to files, which a room doesn't serve.
  for (const rule of ['link_open', 'link_close']) md.renderer.rules[rule] = () => ''
  return html`${lessons.map(({ number, title, answers }) => html`<details>
<summary>${number} ${title}</summary>${trusted(md.render(answers))}</details>`)}`
}
