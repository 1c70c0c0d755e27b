/* global sessionStorage, location, history */
import { createAsk } from '../../http/browser.js'
import { areSure, openSeat, showSeat } from './dialogs.js'
import { download, importFiles } from './import-files.js'
import { follow } from './follow.js'
import { show, showRows } from './show.js'
import { lessonRowsHtml } from './views/lessons.js'
import { countSeats, pickSeats, seatCellsHtml, seatsHeadHtml } from './views/seats.js'
import { countText, messageHtml, reasonsHtml } from './views/words.js'

const element = (id) => document.getElementById(id)
const mostReasons = 50
const seen = { room: null, wanted: { filter: 'all', name: '' } }
const secret = takeSecret()
const headers = { Authorization: `Bearer ${secret}` }
const ask = createAsk(headers, 'The room does not answer: nothing was changed.')
const change = (body) => ask('/api/class', { method: 'PATCH', body })

/** The tab keeps it, and the address bar does not show it. */
function takeSecret () {
  if (location.hash.length > 1) sessionStorage.setItem('secret', location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  return sessionStorage.getItem('secret') ?? ''
}

function showRoom (room) {
  const isFirst = seen.room === null
  seen.room = room
  if (isFirst) showWayIn(room).catch((error) => say(error.message))
  element('room').hidden = false
  const { message, isLobbyLocked, lessons, seats } = room
  const counts = countSeats(seats)
  show(element('numbers'), `<span>${countText(counts.all, 'seat')}</span> <span>${counts.stuck} stuck</span>
<span>${countText(counts.unfit, 'unfit machine')}</span>${isLobbyLocked ? ' <span>the door is closed</span>' : ''}`)
  show(element('lobby'), isLobbyLocked ? 'Open the door' : 'Close the door')
  show(element('reasons'), reasonsHtml(room, mostReasons))
  show(element('message-now'), messageHtml(room))
  element('unsay').hidden = message === ''
  for (const [filter, count] of Object.entries(counts)) element(`count-${filter}`).textContent = count
  show(element('lessons'), lessonRowsHtml(lessons))
  show(element('seats-head'), seatsHeadHtml(room))
  showSeats()
  showSeat(room)
}

function showSeats () {
  const { room: { seats, lessons }, wanted } = seen
  const rows = pickSeats(seats, wanted)
  showRows(element('seats'), rows.map((seat) => ({ key: seat.id, html: seatCellsHtml(seat, lessons) })))
  element('no-seats').hidden = rows.length > 0
  document.querySelector('.seats').hidden = rows.length === 0
  element('no-seats').textContent = seats.length === 0
    ? 'Nobody is here yet. Learners join with the address above.'
    : wanted.filter === 'stuck' && wanted.name === '' ? 'Nobody is stuck.' : 'No seat is like that.'
}

async function showWayIn ({ code }) {
  element('code').textContent = code
  element('to-board').href = `/${code}/board`
  element('to-learners').href = `/${code}`
  element('to-slides').href = `/${code}/slides`
  element('to-notes').href = `/${code}/slides?notes`
  element('qr').src = `/${code}/qr.svg`
  const { learners } = await (await ask('/api/class/addresses', { method: 'GET' })).json()
  element('addresses').replaceChildren(...learners.map((address, at) => {
    const item = document.createElement('li')
    const [place, link] = [document.createElement('code'), document.createElement('a')]
    place.textContent = address
    Object.assign(link, { href: `/${code}/projector?at=${at}`, target: '_blank', textContent: 'Projector' })
    item.append(place, ' ', link)
    return item
  }))
}

function say (sentence) {
  element('said').hidden = sentence === ''
  element('said').textContent = sentence
}

/** Does what is asked, and says why where that fails. */
function on (id, event, act) {
  element(id).addEventListener(event, async (happened) => {
    happened.preventDefault()
    say('')
    try {
      await act(happened)
    } catch (error) {
      say(error.message)
    }
  })
}

on('lobby', 'click', () => change({ lobbyLocked: !seen.room.isLobbyLocked }))

on('message', 'submit', async () => {
  await change({ message: element('message-text').value })
  element('message-text').value = ''
})

on('unsay', 'click', () => change({ message: '' }))

on('lessons', 'click', async ({ target }) => {
  const { act, lesson: id } = target.closest('[data-act]')?.dataset ?? {}
  if (act === undefined) return
  const [field, mark] = act === 'lock' ? ['locked', 'isLocked'] : ['revealed', 'isRevealed']
  const lesson = seen.room.lessons.find((one) => one.id === id)
  if (act === 'reveal' && !lesson.isRevealed && !await areSure({
    title: `Show the solution of lesson ${lesson.number} to all?`,
    text: 'All learners are offered it, also those who are still at it. Who has seen it has seen it.',
    yes: 'Show it to all'
  })) return
  const marked = seen.room.lessons.filter((one) => (one.id === id) !== one[mark])
  await change({ [field]: marked.map((one) => one.id) })
})

on('seats', 'click', ({ target }) => {
  const id = target.closest('[data-seat]')?.dataset.seat
  if (id !== undefined) openSeat(seen.room, Number(id), { ask, say })
})

for (const radio of document.querySelectorAll('[name=filter]')) {
  radio.addEventListener('change', () => {
    seen.wanted.filter = radio.value
    showSeats()
  })
}
element('find').addEventListener('input', ({ target }) => {
  seen.wanted.name = target.value
  showSeats()
})

on('import', 'change', async ({ target }) => {
  await importFiles(target.files, element('imported'), ask)
  target.value = ''
})

for (const button of document.querySelectorAll('[data-export]')) {
  on(button.id, 'click', () => download(`class.${button.dataset.export}`, `/api/class/${button.id}`, ask))
}

follow('/api/class/events', {
  headers,
  onRoom: showRoom,
  onConnection: (sentence) => {
    if (sentence === '') say('')
    element('connection').hidden = sentence === ''
    element('connection').textContent = sentence
  }
})

// The link again, in the same tab.
window.addEventListener('hashchange', () => location.reload())
