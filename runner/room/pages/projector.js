import { html } from '../../report/index.js'
import { partHtml, roomFrame } from './room-frame.js'

/**
 * For the wall: no names.
 *
 * @param {object} given
 * @param {string} given.address with the code
 * @param {string} given.code
 * @param {string} given.picture address of the QR code
 * @param {import('../snapshot.js').ProjectorView} given.room
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
