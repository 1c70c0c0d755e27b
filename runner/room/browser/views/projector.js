import { html, marks } from '../../../report/browser.js'
import { countText } from './words.js'

/**
 * The room in figures, for all to see: no names. Pure.
 *
 * @import { ProjectorView } from '../../snapshot.js'
 */

/** @param {ProjectorView} room */
export function countHtml ({ seats, isLobbyLocked }) {
  return html`${countText(seats, 'learner')}${isLobbyLocked ? '. The lobby is closed.' : ''}`
}

/** @param {ProjectorView} room */
export function progressHtml ({ lessons, seats, current }) {
  const shown = current === null ? lessons : lessons.filter(({ id }) => id === current.lesson)
  return html`<ol class="bars">${shown.map(({ number, title, passed, verified, trying, isLocked }) => html`<li${
    isLocked ? html` class="locked"` : ''}><span class="title">${number} ${marks.dot} ${title}</span>
<span class="figures">${isLocked && passed + trying + verified === 0
    ? 'not open yet'
    : [
        verified === 0 ? `${passed} passed` : `${passed} passed (verified: ${verified})`, `${trying} not yet`,
        ...current === null ? [] : [`${seats - passed - trying} not begun`]
      ].join(', ')}</span>
<svg viewBox="0 0 ${Math.max(1, seats)} 1" preserveAspectRatio="none" aria-hidden="true">
<rect class="passed" width="${passed}" height="1"/>
<rect class="trying" x="${passed}" width="${trying}" y=".25" height=".5"/></svg></li>`)}</ol>`
}
