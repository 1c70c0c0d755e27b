import { html, withCode } from '../../report/index.js'
import { renderMarkdown } from './markdown.js'

/** @import { State } from '../page-data.js' */
/** @import { ClassState } from '../seat-state.js' */

/** The lesson that the class is at, while it isn't passed. @param {State} state @returns {string | null} its slug */
export function classLesson ({ lessons, classroom: { room } }) {
  const found = lessons.find(({ slug, state }) => slug === room?.current?.lesson && state !== 'pass')
  return found?.slug ?? null
}

/** The seat in an instructor's room, or the way to one. @param {ClassState} classroom */
export function classHtml ({ seat, problem, isGone, sent }) {
  const trouble = problem === '' ? '' : html`<p class="note">${withCode(problem)}</p>`
  return html`${trouble}${seat === null ? joinHtml(sent) : isGone ? goneHtml : seatHtml(seat)}`
}

const goneHtml = html`<p class="buttons"><button type="button" data-leave="forget">Forget this room</button></p>
<p role="alert" data-said></p>`

/** @param {NonNullable<ClassState['seat']>} seat */
function seatHtml ({ name, nickname, board, url, code }) {
  const onBoard = board ? `on the board as ${nickname ?? name}` : 'not on the board'
  const link = code === undefined
    ? ''
    : html` <a href="${url}${encodeURIComponent(code)}/board" rel="noreferrer">The board</a>`
  return html`<p>You are in the room at <code>${url}</code> as <strong>${name}</strong>, ${onBoard}.
Each check is reported there.${link}</p>
<form data-change><p><label for="seat-nickname">Nickname</label>
<input type="text" id="seat-nickname" name="nickname" maxlength="40" autocomplete="off" value="${nickname ?? ''}">
<label><input type="checkbox" name="board"${board ? html` checked` : ''}> On the board</label>
<button>Change</button></p></form>
<details><summary>Leave this room</summary>
<p>The room deletes your seat and all its reports. Your own results stay.</p>
<p class="buttons"><button type="button" data-leave>Leave, and delete my seat there</button>
<button type="button" data-leave="forget">The room is gone: forget it here</button></p></details>
<p role="alert" data-said></p>`
}

/** @param {string} sent Markdown */
function joinHtml (sent) {
  const field = (/** @type {string} */ name, /** @type {string} */ label, more = html``) =>
    html`<p><label for="join-${name}">${label}</label>
<input type="text" id="join-${name}" name="${name}" autocomplete="off"${more}></p>`
  return html`<p class="soft">In a room, the instructor sees how far you are and whether you’re stuck.</p>
<details><summary>Join a class</summary><form data-join>
${field('address', 'Address, as the instructor gives it',
    html` required placeholder="http://192.168.1.5:4000/b8zm-k62t" aria-describedby="join-said"`)}
<p role="alert" id="join-said" class="fail" data-said></p>
${field('name', 'Your name, for the instructor', html` required maxlength="40"`)}
${field('nickname', 'A nickname for the others, if you like', html` maxlength="40"`)}
<p><label><input type="checkbox" name="board"> Show my best result of the last lesson on the board</label></p>
<h3>What is sent</h3>
${renderMarkdown(sent, { slug: '' }).html}
<p class="buttons"><button class="main">Join</button></p></form></details>`
}
