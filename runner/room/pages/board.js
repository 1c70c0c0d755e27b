import { html } from '../../report/index.js'
import { partHtml, roomFrame } from './room-frame.js'

/**
 * @param {{ code: string, room: import('../snapshot.js').PublicView }} given
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
