import { listen } from './events.js'
import { request } from './request.js'
import { swap } from './swap.js'

const roomPauseMs = 10_000
// The first event tells what the page shows already.
let isFirst = true
listen({
  state: () => {
    if (isFirst) askRoom()
    else swap()
    isFirst = false
  },
  job: () => swap()
})

document.querySelector('[data-doctor]').addEventListener('click', () => {
  request('/api/fitness').then(() => swap(), (error) => {
    document.querySelector('[data-swap=fitness]').textContent = error.message
  })
})

const classPart = () => document.querySelector('[data-swap=class]')

async function act (name, body) {
  const said = classPart().querySelector('[data-said]')
  said.textContent = ''
  try {
    await request(`/api/class/${name}`, { body })
    // What has the focus would stay as it is.
    document.activeElement?.blur()
    await swap()
  } catch (error) {
    said.textContent = error.message
  }
}

// Its parts come and go.
document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-join]')) return
  event.preventDefault()
  const { address, name, nickname, board } = event.target.elements
  act('join', {
    address: address.value, name: name.value, nickname: nickname.value, board: board.checked
  })
})
document.addEventListener('click', ({ target }) => {
  if (target.matches('[data-leave]')) act('leave', { forget: target.dataset.leave === 'forget' })
})

/** What the room has changed is told by a `state`, so that it is asked after the first one. */
function askRoom () {
  if (!document.hidden && classPart().querySelector('[data-leave]')) request('/api/class/ask').catch(() => {})
}
setInterval(askRoom, roomPauseMs)
