import MarkdownIt from 'markdown-it'
import { html, trusted } from '../../report/index.js'
import { partHtml, roomFrame } from './room-frame.js'

/**
 * The page at the room's address, to which its QR code leads, too.
 *
 * @param {object} given
 * @param {string} given.address with the code
 * @param {string} given.code
 * @param {import('../snapshot.js').PublicView} given.room
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
