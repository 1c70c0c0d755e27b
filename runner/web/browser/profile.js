import { allOf, attempt, byId, clicked, readData } from '../../http/browser.js'
import { lineId, placeIn, queryOf } from './lines.js'
import { ask } from './page.js'

/**
 * @typedef {{ file: string, line: number }} Place
 */

const { slug, file: main } = readData()
const status = document.getElementById('status')
const say = (/** @type {string} */ sentence) => { if (status !== null) status.textContent = sentence }

/** The line that is marked. @type {Place | null} */
let marked = null
// From here on the page sets the mark, not the address.
document.body.classList.add('marks')

/** @param {Place} place @returns {boolean} is there such a line? */
function mark (place, { isShown = true } = {}) {
  const line = document.getElementById(lineId(place, main))
  if (line === null) return false
  marked = place
  for (const former of allOf('.marked')) former.classList.remove('marked')
  line.classList.add('marked')
  const details = line.closest('details')
  if (details) details.open = true
  const section = line.closest('section') ?? undefined
  for (const button of allOf('[data-open-file]', section)) button.dataset.line = String(place.line)
  for (const link of allOf('[data-editor]', section)) link.setAttribute('href', `${link.dataset.editor}:${place.line}`)
  if (isShown) line.scrollIntoView({ block: 'nearest' })
  return true
}

function markAddress () {
  const [, line, file = main] = /^#L(\d+)(?:-(.+))?$/.exec(decode(location.hash)) ?? []
  if (line !== undefined) return mark({ file, line: Number(line) })
  const hottest = JSON.parse(document.getElementById('hottest')?.getAttribute('value') ?? 'null')
  if (marked === null && hottest !== null) mark(hottest, { isShown: innerWidth >= 1024 })
}

/** @param {string} text */
function decode (text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

// The parts of the page come and go: their clicks are heard here.
document.addEventListener('click', (event) => {
  const one = clicked(event, '[data-open-file], a[href^="#L"]')
  if (one === null) return
  const { openFile: file, line } = one.dataset
  if (file !== undefined) {
    attempt(byId('status'), async () => {
      const body = { file, line: line && Number(line) }
      return (await (await ask(`/api/lessons/${slug}/open`, { body })).json()).said
    })
    return
  }
  event.preventDefault()
  history.replaceState(null, '', one.getAttribute('href'))
  markAddress()
})

let job = { ...document.getElementById('job')?.dataset }

/** Of a new report of another kind, there's another page. */
function followJob () {
  const before = job
  job = { ...byId('job').dataset }
  for (const button of allOf('[data-job]')) button.setAttribute('aria-disabled', String(job.since !== undefined))
  if (marked !== null) mark(marked, { isShown: false })
  else markAddress()
  const isOver = job.own !== undefined && job.kind === 'profile' && job.state === 'done' && before.since !== undefined
  const current = document.querySelector('.tabs [aria-current]')?.getAttribute('href')
  const query = queryOf(job)
  if (isOver && job.tool !== undefined && current !== query) location.assign(query)
}
document.addEventListener('parts', followJob)

addEventListener('message', ({ source, origin, data }) => {
  // A sandboxed page has no origin.
  if (source !== document.querySelector('iframe')?.contentWindow || origin !== 'null') return
  const place = placeIn(data)
  if (place === null) return
  say(mark(place)
    ? `Marked: line ${place.line} of ${place.file}.`
    : `Line ${place.line} of ${place.file} is not among your files.`)
})

addEventListener('hashchange', markAddress)
markAddress()
