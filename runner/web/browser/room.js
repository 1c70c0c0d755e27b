import { allOf, byId, clicked, show } from '../../http/browser.js'
import { trusted } from '../../report/browser.js'
import { request } from './events.js'

/** Follows the instructor's room above the page, and tells it what the learner does, while the page is in sight. */

const pauseMs = 10_000
const [bar] = allOf('.room-bar')
const { lesson } = bar.dataset

/** @param {Record<string, string>} parts HTML by the name of the part */
function showRoom (parts) {
  for (const part of allOf('[data-part]', bar)) show(part, trusted(parts[part.dataset.part ?? ''] ?? ''))
}

function ask () {
  if (document.hidden || allOf('[data-in-room]', bar).length === 0) return
  request('/api/class/ask', { body: { lesson } }).then(showRoom, () => {})
}

/** @param {string} act @param {object} body */
async function tell (act, body) {
  try {
    showRoom(await request(`/api/class/${act}`, { body: { ...body, lesson } }))
  } catch (error) {
    for (const said of allOf(`#${act}-said`, bar)) said.textContent = error.message
  }
}

// Its parts come and go.
bar.addEventListener('click', (event) => {
  const button = clicked(event, '[data-hand]')
  if (button !== null) tell('hand', { isUp: button.dataset.hand === 'up' })
})
bar.addEventListener('submit', (event) => {
  event.preventDefault()
  tell('predict', { ratio: byId('ratio', HTMLInputElement).valueAsNumber })
})
document.addEventListener('visibilitychange', ask)
setInterval(ask, pauseMs)
ask()
