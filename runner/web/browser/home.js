import { allOf, clicked, renewParts, show } from '../../http/browser.js'
import { withCode } from '../../report/browser.js'
import { listen, request } from './events.js'

listen({
  state: () => { renewParts() },
  job: () => { renewParts() }
})

for (const button of allOf('[data-doctor]')) {
  button.addEventListener('click', () => {
    request('/api/fitness').then(renewParts, (error) => {
      for (const part of allOf('[data-part=fitness]')) part.textContent = error.message
    })
  })
}

/** @param {string} name @param {unknown} body */
async function act (name, body) {
  const say = (/** @type {string} */ sentence) => {
    for (const said of allOf('[data-said]')) show(said, withCode(sentence))
  }
  say('')
  for (const field of allOf('[aria-invalid]')) field.removeAttribute('aria-invalid')
  try {
    await request(`/api/class/${name}`, { body })
    // The focused part would stay as it is.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await renewParts()
  } catch (error) {
    say(error.message)
    for (const field of allOf('[data-join] input')) {
      if (field.getAttribute('name') !== error.field) continue
      field.setAttribute('aria-invalid', 'true')
      field.focus()
    }
  }
}

// Its parts come and go.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-join], [data-change]')) return
  event.preventDefault()
  const { board, ...texts } = Object.fromEntries(new FormData(form))
  act(form.matches('[data-join]') ? 'join' : 'change', { ...texts, board: board !== undefined })
})
document.addEventListener('click', (event) => {
  const button = clicked(event, '[data-leave]')
  if (button !== null) act('leave', { forget: button.dataset.leave === 'forget' })
})

/** The header's link to the class opens the form. */
function openAddress () {
  if (location.hash !== '#class') return
  for (const details of allOf('[data-part=class] details:has([data-join])')) details.setAttribute('open', '')
}
addEventListener('hashchange', openAddress)
openAddress()
