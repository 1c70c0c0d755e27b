import { allOf, byId, clicked, show } from '../../http/browser.js'
import { html, withCode } from '../../report/browser.js'
import { checksOf, historyHtml, removalText, seatHtml, submissionsHtml } from './seat-views.js'
import { countText } from './words.js'

/**
 * The dialogs of the class page.
 *
 * @import { Ask } from '../../http/browser.js'
 * @import { InstructorView, SeatView } from '../snapshot.js'
 *
 * @typedef {{ ask: Ask, say: (sentence: string) => void }} Given
 */

const [sure, dialog] = ['sure', 'seat'].map((id) => byId(id, HTMLDialogElement))
const newName = byId('new-name', HTMLInputElement)
/**
 * The seat shown, and the number of checks in its history.
 *
 * @type {(Given & { seat: SeatView, known: number }) | null}
 */
let open = null

/** @param {{ title: string, text: string, yes: string }} question @returns {Promise<boolean>} */
export function areSure ({ title, text, yes }) {
  byId('sure-title').textContent = title
  byId('sure-text').textContent = text
  byId('sure-yes').textContent = yes
  sure.returnValue = 'no'
  sure.showModal()
  return new Promise((resolve) => {
    sure.addEventListener('close', () => resolve(sure.returnValue === 'yes'), { once: true })
  })
}

/** @param {InstructorView} room @param {number} id @param {Given} given */
export function openSeat (room, id, given) {
  const seat = room.seats.find((one) => one.id === id)
  if (seat === undefined) return
  open = { ...given, seat, known: -1 }
  byId('seat-history').replaceChildren()
  byId('cheat').hidden = true
  newName.value = seat.name
  showSeat(room)
  dialog.showModal()
}

/** While it's open, it follows the room. @param {InstructorView} room */
export function showSeat (room) {
  const seat = room.seats.find(({ id }) => id === open?.seat.id)
  if (open === null || seat === undefined) return dialog.close()
  open.seat = seat
  byId('seat-name').textContent = seat.name
  show(byId('seat-facts'), seatHtml(seat, room.lessons))
  show(byId('seat-submissions'), submissionsHtml(seat, room.lessons))
  const count = checksOf(seat)
  if (count === open.known) return
  open.known = count
  showHistory(room, open).catch(({ message }) => open?.say(message))
}

/** @param {InstructorView} room @param {Given & { seat: SeatView }} given */
async function showHistory ({ lessons }, { ask, seat: { id } }) {
  const checks = await (await ask(`/api/class/seats/${id}/history`, { method: 'GET' })).json()
  if (open?.seat.id === id) show(byId('seat-history'), historyHtml(checks, lessons))
}

/** @param {{ method: string, body?: unknown }} options */
function attempt (options) {
  dialog.close()
  return inPlace(({ ask, seat }) => ask(`/api/class/seats/${seat.id}`, options))
}

/** @param {(given: Given & { seat: SeatView }) => Promise<unknown>} act */
async function inPlace (act) {
  if (open === null) return
  try {
    await act(open)
  } catch (error) {
    open.say(error.message)
  }
}

/** The submission to be marked. */
let marked = ''

byId('seat-submissions').addEventListener('click', (happened) => {
  const { again, cheat, fair, show: wanted } = clicked(happened, 'button')?.dataset ?? {}
  if (cheat !== undefined) {
    marked = cheat
    byId('cheat').hidden = false
    byId('evidence').focus()
  }
  return inPlace(async ({ ask }) => {
    if (again !== undefined) await ask('/api/class/submissions/grade-again', { body: { id: Number(again) } })
    if (fair !== undefined) await ask(`/api/class/submissions/${fair}/cheat`, { method: 'DELETE' })
    if (wanted !== undefined) await download(`/api/class/submissions/${wanted}`, ask)
  })
})

byId('cheat').addEventListener('submit', (happened) => {
  happened.preventDefault()
  const evidence = byId('evidence', HTMLInputElement)
  return inPlace(async ({ ask }) => {
    await ask(`/api/class/submissions/${marked}/cheat`, { method: 'PUT', body: { evidence: evidence.value } })
    evidence.value = ''
    byId('cheat').hidden = true
  })
})

for (const button of allOf('[data-close]')) {
  button.addEventListener('click', () => button.closest('dialog')?.close())
}

byId('rename').addEventListener('submit', (happened) => {
  happened.preventDefault()
  attempt({ method: 'PATCH', body: { name: newName.value } })
})

byId('remove').addEventListener('click', async () => {
  if (open === null) return
  const { seat } = open
  const question = { title: `Remove ${seat.name}?`, text: removalText(seat), yes: 'Remove it for good' }
  if (await areSure(question)) await attempt({ method: 'DELETE' })
})

/**
 * Files that a room imports and exports.
 */

/**
 * One after the other: each gets its line.
 *
 * @param {Iterable<File>} files as `npm run export` wrote them
 * @param {HTMLElement} list
 * @param {Ask} ask
 */
export async function importFiles (files, list, ask) {
  list.replaceChildren()
  for (const file of files) {
    const item = list.appendChild(document.createElement('li'))
    show(item, html`${file.name}: ${withCode(await importFile(file, ask).catch((error) => error.message))}`)
  }
}

/** @param {File} file @param {Ask} ask @returns {Promise<string>} what became of it */
async function importFile (file, ask) {
  const body = await new Response(file).json().catch(() => {
    throw new Error('This file was not written by `npm run export`: ask the learner to export their results again.')
  })
  const { name, added, known, refused } = await (await ask('/api/class/import', { body })).json()
  return [
    `${countText(added, 'new check')} of ${name}, ${known} known before.`,
    ...refused.length > 0 ? [`${countText(refused.length, 'check')} refused: ${refused[0]}`] : []
  ].join(' ')
}

/**
 * A link can't carry a secret: the file is fetched, then saved.
 *
 * @param {string} path
 * @param {Ask} ask
 */
export async function download (path, ask) {
  const answer = await ask(path, { method: 'GET' })
  const [, name = ''] = /filename="?([\w.-]+)/.exec(answer.headers.get('Content-Disposition') ?? '') ?? []
  const link = document.createElement('a')
  Object.assign(link, { href: URL.createObjectURL(await answer.blob()), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
