import { html } from '../../report/index.js'

/**
 * Handing in to the class: first the list of files, then the button that sends them. Pure.
 *
 * @import { SubmittedFile } from '../../submitted-files.js'
 * @import { LessonPage } from '../page-data.js'
 * @import { Around } from './room-bar.js'
 */

/** @param {LessonPage & Around} lesson empty in no room */
export function submitHtml ({ classroom: { seat, isGone } }) {
  if (seat === null || isGone) return ''
  return html`<p>The class measures your server again on its own machine. The room keeps what you submit until you leave
or the instructor removes your seat.</p>
<div id="to-submit"><p class="buttons"><button type="button" data-list>Show my files</button></p></div>
<p id="submit-said" role="status"></p>`
}

/**
 * @param {readonly SubmittedFile[]} files
 * @param {string} hash of them: these and no others are sent
 */
export function filesHtml (files, hash) {
  const sizes = files.map(({ path, text }) => html`<li><code>${path}</code>, ${
    Math.ceil(Buffer.byteLength(text) / 1024)} kB</li>`)
  return html`<p>These files go to the room:</p><ul>${sizes}</ul>
<p class="buttons"><button type="button" class="main" data-submit="${hash}">Submit them</button></p>`
}
