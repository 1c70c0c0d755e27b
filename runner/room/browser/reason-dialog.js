import { allOf, byId, clicked, show } from '../../http/browser.js'
import { html, trusted } from '../../report/browser.js'
import { learnersHtml, withReason } from './class-views.js'
import { capital, countText, lessonName, reasonHtml } from './words.js'

/**
 * What to say to learners who fail for the same reason.
 *
 * @import { InstructorView } from '../snapshot.js'
 * @import { Given } from './dialogs.js'
 *
 * @typedef {{ lesson: string, reason: string }} Shared
 */

const dialog = byId('reason', HTMLDialogElement)
/** @type {(Given & Shared & { seats: number[] }) | null} */
let open = null

/** @param {InstructorView} room @param {Shared} shared @param {Given} given */
export async function openReason (room, { lesson, reason }, given) {
  open = { ...given, lesson, reason, seats: [] }
  const own = open
  byId('talk').replaceChildren()
  byId('hint-sent').textContent = ''
  showReason(room)
  dialog.showModal()
  const query = new URLSearchParams({ lesson, reason })
  const text = await (await given.ask(`/api/class/talk?${query}`, { method: 'GET' })).text()
  if (open !== own) return
  show(byId('talk'), trusted(text))
  nameButtons()
}

/** While it's open, it follows the room. @param {InstructorView} room */
export function showReason (room) {
  if (open === null) return
  const { lesson, reason } = open
  const learners = withReason(room.seats, open)
  open.seats = learners.map(({ id }) => id)
  const distance = room.reasons.find((one) => one.lesson === lesson && one.reason === reason)?.distance ?? null
  show(byId('reason-title'), html`${capital(lessonName(lesson, room.lessons))}: ${reasonHtml(reason, distance)}`)
  show(byId('reason-learners'), learnersHtml(learners, lesson))
  nameButtons()
}

function nameButtons () {
  const count = open?.seats.length ?? 0
  for (const button of allOf('[data-hint]', dialog)) {
    button.textContent = `Send hint ${button.dataset.hint} to ${count === 1 ? 'this learner' : `these ${count}`}`
    button.toggleAttribute('disabled', count === 0)
  }
}

dialog.addEventListener('close', () => { open = null })

byId('talk').addEventListener('click', async (happened) => {
  const { hint, text } = clicked(happened, '[data-hint]')?.dataset ?? {}
  if (hint === undefined || open === null) return
  const { ask, seats } = open
  const said = byId('hint-sent')
  try {
    await ask('/api/class/messages', { body: { text, to: seats } })
    said.textContent = `Hint ${hint} went to ${countText(seats.length, 'learner')}.`
  } catch (error) {
    said.textContent = error.message
  }
})
