import { html } from '../../../report/browser.js'
import { boardHtml } from './board.js'
import { countHtml, progressHtml } from './projector.js'
import { messageHtml, reasonsHtml } from './words.js'

/** On a wall there is room for so many. */
const mostReasons = 4

/** @import { Html } from '../../../report/browser.js' */

/**
 * The parts of the pages for everybody that move with the room, by name: drawn by the server first, then by the page.
 *
 * @type {Record<string, (room: any) => Html>} room: as the page is told of it
 */
export const parts = {
  message: messageHtml,
  board: boardHtml,
  count: countHtml,
  progress: progressHtml,
  reasons: (room) => reasonsHtml(room, mostReasons),
  door: ({ isLobbyLocked }) => isLobbyLocked
    ? html`<p class="note">The instructor has closed the door: ask them to open it for you.</p>`
    : html``
}
