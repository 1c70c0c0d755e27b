import { allOf, clicked, readData, renewParts } from '../../http/browser.js'
import { listen, noConnection, request } from './events.js'
import { lineId, placeIn, queryOf } from './lines.js'

/**
 * @import { Job } from '../jobs.js'
 *
 * @typedef {{ file: string, line: number }} Place
 */

const { slug, server, file: main } = readData()
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
document.addEventListener('click', async (event) => {
  const one = clicked(event, '[data-job], [data-open-file], a[href^="#L"]')
  if (one === null) return
  try {
    if (one.dataset.job !== undefined) await start(one.dataset.tool)
    else if (one.dataset.openFile !== undefined) await open(one.dataset.openFile, one.dataset.line)
    else {
      event.preventDefault()
      history.replaceState(null, '', one.getAttribute('href'))
      markAddress()
    }
  } catch (error) {
    say(error.message)
  }
})

/** @param {string} file @param {string} [line] */
async function open (file, line) {
  await request(`/api/lessons/${slug}/open`, { body: { file, line: line && Number(line) } })
  say('The file is open in your editor.')
}

/** @type {Job | null} */
let job = null
const isBusy = () => job?.state === 'running' || job?.state === 'waiting'

/** @param {string} [tool] */
async function start (tool) {
  if (isBusy()) return
  showJob((await request('/api/jobs', { body: { kind: 'profile', lesson: slug, tool, server } })).job)
}

/** @param {Job} now */
function showJob (now) {
  const isOver = job?.id === now.id && isBusy()
  job = now
  for (const button of allOf('[data-job]')) button.setAttribute('aria-disabled', String(isBusy()))
  if (isBusy()) return say(job.message || (job.lesson === slug ? 'Starting.' : 'Something else is being measured.'))
  if (!isOver || job.lesson !== slug) return
  say(job.message || 'Done.')
  if (job.kind === 'profile' && job.state === 'done') showReport(job)
}

/** @param {Job} job that made it */
async function showReport (job) {
  const current = document.querySelector('.tabs [aria-current]')?.getAttribute('href')
  if (job.tool === undefined || current === queryOf(job)) await renew()
  else location.assign(queryOf(job))
}

async function renew () {
  await renewParts()
  if (marked !== null) mark(marked, { isShown: false })
  else markAddress()
}

addEventListener('message', ({ source, origin, data }) => {
  // A sandboxed page has no origin.
  if (source !== document.querySelector('iframe')?.contentWindow || origin !== 'null') return
  const place = placeIn(data)
  if (place === null) return
  say(mark(place)
    ? `Marked: line ${place.line} of ${place.file}.`
    : `Line ${place.line} of ${place.file} is not among your files.`)
})

listen({
  job: showJob,
  state: (state) => { if (job !== null && isBusy()) showJob(state.job ?? { ...job, state: 'cancelled' }) },
  saved: ({ lesson }) => { if (lesson === slug) renew() }
}, (isOpen) => { if (!isOpen) say(noConnection) })

addEventListener('hashchange', markAddress)
markAddress()
