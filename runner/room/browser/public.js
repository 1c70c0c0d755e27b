import { follow } from './follow.js'
import { show } from './show.js'
import { parts } from './views/parts.js'

const { events } = JSON.parse(document.getElementById('data').textContent)

follow(events, {
  onRoom: (room) => {
    for (const place of document.querySelectorAll('[data-part]')) show(place, parts[place.dataset.part](room))
  },
  onConnection: (sentence) => {
    const place = document.getElementById('connection')
    place.hidden = sentence === ''
    place.textContent = sentence
  }
})

document.querySelector('[data-copy]')?.addEventListener('click', ({ target }) => {
  const command = document.getElementById(target.dataset.copy)
  document.getSelection().selectAllChildren(command)
  // The newer way is closed to pages that come over plain HTTP.
  target.textContent = document.execCommand('copy') ? 'Copied' : 'Marked: copy it'
})
