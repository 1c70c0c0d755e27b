import { allOf, byId, readData, showParts } from '../../http/browser.js'
import { follow } from './follow.js'
import { parts } from './public-views.js'

/** @import { Html } from '../../report/browser.js' */

const { events } = readData()
const partOf = /** @type {Record<string, (room: unknown) => Html>} */ (parts)

follow(events, {
  onRoom: (room) => showParts((name) => partOf[name](room)),
  onConnection: (sentence) => {
    const place = byId('connection')
    place.hidden = sentence === ''
    place.textContent = sentence
  }
})

for (const button of allOf('[data-copy]')) {
  button.addEventListener('click', () => {
    document.getSelection()?.selectAllChildren(byId(button.dataset.copy ?? ''))
    // `navigator.clipboard` needs HTTPS.
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Marked: copy it'
  })
}
