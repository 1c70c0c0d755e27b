import { removalText, seatHtml } from './views/seat.js'
import { show } from './show.js'

/** What opens above the page of the class. */

const element = (id) => document.getElementById(id)
const open = { id: null, ask: null, say: null }

/** @param {{ title: string, text: string, yes: string }} question @returns {Promise<boolean>} */
export function areSure ({ title, text, yes }) {
  const dialog = element('sure')
  element('sure-title').textContent = title
  element('sure-text').textContent = text
  element('sure-yes').textContent = yes
  dialog.returnValue = 'no'
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true })
  })
}

/** @param {any} room @param {number} id @param {{ ask: Function, say: (sentence: string) => void }} given */
export function openSeat (room, id, given) {
  Object.assign(open, given, { id })
  element('new-name').value = seatIn(room).name
  showSeat(room)
  element('seat').showModal()
}

/** While it is open, it moves with the room. @param {any} room */
export function showSeat (room) {
  const seat = seatIn(room)
  if (seat === undefined) return element('seat').close()
  open.seat = seat
  element('seat-name').textContent = seat.name
  show(element('seat-facts'), seatHtml(seat, room.lessons))
}

function seatIn ({ seats }) {
  return seats.find(({ id }) => id === open.id)
}

async function attempt (options) {
  element('seat').close()
  try {
    await open.ask(`/api/class/seats/${open.id}`, options)
  } catch (error) {
    open.say(error.message)
  }
}

element('seat').querySelector('[data-close]').addEventListener('click', () => element('seat').close())

element('rename').addEventListener('submit', (happened) => {
  happened.preventDefault()
  attempt({ method: 'PATCH', body: { name: element('new-name').value } })
})

element('remove').addEventListener('click', async () => {
  const { seat } = open
  const question = { title: `Remove ${seat.name}?`, text: removalText(seat), yes: 'Remove it for good' }
  if (await areSure(question)) await attempt({ method: 'DELETE' })
})
