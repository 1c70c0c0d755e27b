import { html } from '../../../report/browser.js'
import { boardHtml } from './board.js'
import { countHtml, progressHtml } from './projector.js'
import { predictionsHtml } from './predictions.js'
import { messageHtml, nowHtml, reasonsHtml } from './words.js'

/** The most that fit on a wall. */
const mostReasons = 4

/** @import { PublicView, ProjectorView } from '../../snapshot.js' */

/**
 * The parts of the public pages that follow the room, by name: drawn by the server first, then by the
 * page.
 */
export const parts = {
  message: messageHtml,
  now: nowHtml,
  board: boardHtml,
  count: countHtml,
  progress: progressHtml,
  predictions: predictionsHtml,
  reasons: (/** @type {Pick<ProjectorView, 'reasons' | 'lessons'>} */ room) => reasonsHtml(room, mostReasons),
  door: (/** @type {PublicView} */ { isLobbyLocked }) => isLobbyLocked
    ? html`<p class="note">The instructor has closed the lobby: ask them to let you in.</p>`
    : html``
}
