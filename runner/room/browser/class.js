import { allOf, byId, clicked, createAsk, show, showRows } from '../../http/browser.js'
import { html, trusted } from '../../report/browser.js'
import {
  countSweep, crowdedHtml, handsHtml, lastTime, lessonRowsHtml, messageRowsHtml, recipientsHtml, seatsFor, sweptText
} from './class-views.js'
import { areSure, download, importFiles, openSeat, showSeat } from './dialogs.js'
import { follow, takeSecret } from './follow.js'
import { countSeats, pickSeats, queueHtml, seatCellsHtml, seatsHeadHtml } from './seat-views.js'
import { countText, nowHtml, reasonsHtml } from './words.js'

/**
 * @import { InstructorView } from '../snapshot.js'
 * @import { Filter, Wanted } from './seat-views.js'
 */

const mostReasons = 50
/** @type {{ room: InstructorView | null, wanted: Wanted }} */
const seen = { room: null, wanted: { filter: 'all', name: '' } }
const secret = takeSecret()
const headers = { Authorization: `Bearer ${secret}` }
const ask = createAsk(headers, 'The room doesn’t answer: nothing was changed.')
const change = (/** @type {object} */ body) => ask('/api/class', { method: 'PATCH', body })

/** @param {InstructorView} room */
function showRoom (room) {
  const isNew = seen.room?.code !== room.code
  seen.room = room
  if (isNew) showWayIn(room).catch((error) => say(error.message))
  byId('room').hidden = false
  const { messages, isLobbyLocked, lessons, seats, crowded, swept, current, timer, hands } = room
  const counts = countSeats(seats)
  show(byId('numbers'), html`<span>${countText(counts.all, 'learner')}</span> <span>${counts.stuck} stuck</span>
<span>${countText(counts.unfit, 'unfit machine')}</span>${
  isLobbyLocked ? html` <span>the lobby is closed</span>` : ''}`)
  show(byId('crowded'), crowdedHtml(crowded))
  byId('swept').hidden = swept === 0
  byId('swept-text').textContent = sweptText(swept)
  byId('lobby').textContent = isLobbyLocked ? 'Open the lobby' : 'Close the lobby'
  show(byId('reasons'), reasonsHtml(room, mostReasons))
  show(byId('messages'), messageRowsHtml(messages, seats))
  const to = byId('message-to', HTMLSelectElement)
  // A recipient that has gone must not turn into everyone.
  const chosen = to.options.length === 0 ? 'all' : to.value
  show(to, recipientsHtml(room))
  to.value = chosen
  show(byId('now-text'), nowHtml(room))
  byId('now-end').hidden = current === null && timer === null
  byId('now-end').textContent = timer === null ? 'End' : 'End the break'
  byId('hands-section').hidden = hands.length === 0
  show(byId('hands'), handsHtml(room))
  if (isNew) {
    show(byId('now-lesson'), html`${lessons.map(({ id, number, title }) =>
      html`<option value="${id}">${number} ${title}</option>`)}<option value="">Break</option>`)
    show(byId('again-what'), html`<option value="">all lessons</option>${lessons.map(({ id, number, title }) =>
      html`<option value="${id}">${number} ${title}</option>`)}`)
  }
  for (const [filter, count] of Object.entries(counts)) byId(`count-${filter}`).textContent = String(count)
  show(byId('lessons'), lessonRowsHtml(lessons))
  show(byId('queue'), queueHtml(room))
  show(byId('seats-head'), seatsHeadHtml(room))
  showSeats(room)
  showSeat(room)
}

/** @param {InstructorView} room */
function showSeats (room) {
  const { seats } = room
  const { wanted } = seen
  const rows = pickSeats(seats, wanted)
  showRows(byId('seats', HTMLTableSectionElement),
    rows.map((seat) => ({ key: seat.id, cells: seatCellsHtml(seat, room) })))
  byId('no-seats').hidden = rows.length > 0
  for (const table of allOf('.seats')) table.hidden = rows.length === 0
  byId('no-seats').textContent = seats.length === 0
    ? 'No one is here yet. Learners join with the address above.'
    : wanted.filter === 'stuck' && wanted.name === '' ? 'No one is stuck.' : 'No matches.'
}

/** @param {Partial<Wanted>} wanted */
function want (wanted) {
  Object.assign(seen.wanted, wanted)
  if (seen.room !== null) showSeats(seen.room)
}

/** @param {InstructorView} room */
async function showWayIn ({ code }) {
  byId('code').textContent = code
  const ends = { board: '/board', learners: '' }
  for (const [name, end] of Object.entries(ends)) byId(`to-${name}`).setAttribute('href', `/${code}${end}`)
  byId('qr').setAttribute('src', `/${code}/qr.svg`)
  /** @type {{ learners: string[] }} */
  const { learners } = await (await ask('/api/class/addresses', { method: 'GET' })).json()
  show(byId('addresses'), html`${learners.map((address, at) => html`<li><code>${address}</code>
<a href="/${code}/projector?at=${at}" target="_blank">Projector</a></li>`)}`)
}

/** @param {string} sentence */
function say (sentence) {
  byId('said').hidden = sentence === ''
  byId('said').textContent = sentence
}

/**
 * Sends a request to the room, and says why if it fails.
 *
 * @param {string} id
 * @param {string} event
 * @param {(happened: Event, room: InstructorView) => unknown} act
 */
function on (id, event, act) {
  byId(id).addEventListener(event, async (happened) => {
    happened.preventDefault()
    say('')
    try {
      if (seen.room !== null) await act(happened, seen.room)
    } catch (error) {
      say(error.message)
    }
  })
}

on('lobby', 'click', (_, { isLobbyLocked }) => change({ lobbyLocked: !isLobbyLocked }))

on('new-code', 'click', async () => {
  if (await areSure({
    title: 'Give the room a new join code?',
    text: 'The old one stops working, and so do pages opened with it: open the projector again from here. ' +
      'Learners in the room stay in it.',
    yes: 'Use a new code'
  })) await ask('/api/class/code', { method: 'POST' })
})

on('message', 'submit', async (_, room) => {
  const text = byId('message-text', HTMLTextAreaElement)
  const to = byId('message-to', HTMLSelectElement)
  const minutes = Number(byId('message-minutes', HTMLInputElement).value)
  await ask('/api/class/messages', { body: { text: text.value, to: seatsFor(to.value, room), minutes } })
  text.value = ''
  to.value = 'all'
})

on('messages', 'click', async (happened, { messages }) => {
  const { act, message: id } = clicked(happened, '[data-act]')?.dataset ?? {}
  const message = messages.find((one) => String(one.id) === id)
  if (message === undefined) return
  if (act === 'end') return ask(`/api/class/messages/${id}`, { method: 'DELETE' })
  const minutes = Math.round((Date.parse(message.endsAt) - Date.parse(message.sentAt)) / 60_000)
  await ask('/api/class/messages', { body: { ...message, minutes: Math.max(1, minutes) } })
})

on('now', 'submit', () => {
  const lesson = byId('now-lesson', HTMLSelectElement).value
  const minutes = Number(byId('now-minutes', HTMLInputElement).value)
  const text = byId('timer-text', HTMLInputElement).value
  return change(lesson === '' ? { timer: { text, minutes } } : { timer: null, current: { lesson, minutes } })
})

on('now-lesson', 'change', () => {
  byId('timer-text').hidden = byId('now-lesson', HTMLSelectElement).value !== ''
})

on('now-end', 'click', (_, { timer }) => change(timer === null ? { current: null } : { timer: null }))

on('hands', 'click', async (happened) => {
  const seat = clicked(happened, '[data-hand]')?.dataset.hand
  if (seat !== undefined) await ask(`/api/class/seats/${seat}/hand`, { method: 'DELETE' })
})

on('lessons', 'click', async (happened, { lessons }) => {
  const { act, lesson: id } = clicked(happened, '[data-act]')?.dataset ?? {}
  const lesson = lessons.find((one) => one.id === id)
  if (act === undefined || lesson === undefined) return
  if (act === 'reveal' && !lesson.isRevealed && !await areSure({
    title: `Show the solution of lesson ${lesson.number} to all?`,
    text: 'It’s offered to all learners, even those still working on it. This can’t be unseen.',
    yes: 'Show it to all'
  })) return
  const mark = act === 'lock' ? 'isLocked' : 'isRevealed'
  const marked = lessons.filter((one) => (one.id === id) !== one[mark]).map((one) => one.id)
  await change(act === 'lock' ? { locked: marked } : { revealed: marked })
})

on('queue', 'click', async (happened) => {
  const id = clicked(happened, '[data-again]')?.dataset.again
  if (id !== undefined) await ask('/api/class/submissions/grade-again', { body: { id: Number(id) } })
})

on('again', 'submit', async () => {
  const lesson = byId('again-what', HTMLSelectElement).value
  await ask('/api/class/submissions/grade-again', { body: lesson === '' ? { all: true } : { lesson } })
})

on('crowded', 'click', async (happened) => {
  const { address } = clicked(happened, '[data-address]')?.dataset ?? {}
  if (address !== undefined) await ask('/api/class/admit', { body: { address } })
})

on('sweep', 'submit', async (_, { seats }) => {
  const after = lastTime(byId('after', HTMLInputElement).value, Date.now())
  const count = countSweep(seats, after)
  if (count === 0) return say('No seat joined after that without reporting.')
  if (!await areSure({
    title: `Remove ${countText(count, 'seat')}?`,
    text: 'Their learners are told, and can join again unless you close the lobby. For a minute, you can undo it.',
    yes: 'Remove them'
  })) return
  await ask('/api/class/sweep', { body: { after: new Date(after).toISOString() } })
})

on('undo', 'click', () => ask('/api/class/sweep', { method: 'DELETE' }))

on('seats', 'click', (happened, room) => {
  const id = clicked(happened, '[data-seat]')?.dataset.seat
  if (id !== undefined) openSeat(room, Number(id), { ask, say })
})

for (const radio of allOf('[name=filter]')) {
  radio.addEventListener('change', () => want({ filter: /** @type {Filter} */ (radio.getAttribute('value')) }))
}
const find = byId('find', HTMLInputElement)
find.addEventListener('input', () => want({ name: find.value }))

on('key', 'toggle', async () => {
  show(byId('key-text'), trusted(await (await ask('/api/class/key', { method: 'GET' })).text()))
})

on('import', 'change', async () => {
  const input = byId('import', HTMLInputElement)
  await importFiles(input.files ?? [], byId('imported'), ask)
  input.value = ''
})

for (const id of ['export.csv', 'export.json']) on(id, 'click', () => download(`/api/class/${id}`, ask))

follow('/api/class/events', {
  headers,
  onRoom: showRoom,
  onConnection: (sentence) => {
    if (sentence === '') say('')
    byId('connection').hidden = sentence === ''
    byId('connection').textContent = sentence
  }
})
