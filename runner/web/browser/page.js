import { html } from '../../report/browser.js'
import { allOf, applyParts, followPage, show } from '../../http/browser.js'

/** Every page of the workshop: it follows its own server, and above its text the instructor's room. */

const token = document.querySelector('meta[name=token]')?.getAttribute('content') ?? ''

export const ask = followPage({
  headers: { 'X-Token': token },
  silence: 'The workshop isn’t answering. Is `npm start` still running?',
  lost: 'No connection to the workshop. Is `npm start` still running? Started again, it prints a new link.',
  onParts: () => { document.dispatchEvent(new Event('parts')) },
  // Another workshop doesn't take this page's requests.
  onRefused: loadAgain
})

/** At once, unless typed text would be lost. */
function loadAgain () {
  const isTyped = allOf('textarea, input[type=text]').some((field) =>
    (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== field.defaultValue)
  if (!isTyped) return location.reload()
  const note = Object.assign(document.createElement('p'), { className: 'note', role: 'alert' })
  show(note, html`The workshop was started again, and this page is older: keep what you typed, then
<a href="">load it again</a>.`)
  allOf('main')[0].prepend(note)
}

const pauseMs = 10_000
const [bar] = allOf('.room-bar')

/** Asks the room, and tells it what the learner does, while the page is in sight. */
async function askRoom () {
  if (document.hidden || allOf('[data-in-room]', bar).length === 0) return
  const response = await ask('/api/class/ask', { body: { lesson: bar.dataset.lesson } }).catch(() => null)
  if (response !== null) applyParts((await response.json()).parts)
}
document.addEventListener('visibilitychange', askRoom)
setInterval(askRoom, pauseMs)
askRoom()

/** What the address of the page names in it. */
export function addressed () {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)))
  } catch {
    return null
  }
}

/** A place in a folded text is shown with it, and the class with its form. */
function unfold () {
  const place = addressed()
  const folded = place?.closest('details') ?? place?.closest('section')?.querySelector('details:has([name=address])')
  folded?.setAttribute('open', '')
}
addEventListener('hashchange', unfold)
unfold()

/** Moments as their distance from now, as long as that says more than a date. */
function sayMoments () {
  for (const time of allOf('time[datetime]')) {
    const minutes = (Date.now() - Date.parse(time.getAttribute('datetime') ?? '')) / 60_000
    const said = minutes < 1
      ? 'just now'
      : minutes < 60
        ? `${Math.floor(minutes)} min ago`
        : minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : time.title
    if (time.textContent !== said) time.textContent = said
  }
}
document.addEventListener('parts', sayMoments)
setInterval(sayMoments, 30_000)
sayMoments()
