/* global addEventListener, history, location */
import { listen, noConnection } from './events.js'
import { lineId, placeIn } from './lines.js'
import { request } from './request.js'
import { swap } from './swap.js'

const { slug, file: main } = JSON.parse(document.getElementById('data').textContent)
const status = document.getElementById('status')
const say = (sentence) => { if (status !== null) status.textContent = sentence }

/** The line that is marked. @type {{ file: string, line: number } | null} */
let marked = null
// From here on a mark is ours, and no longer that of the address.
document.body.classList.add('marks')

function mark (place, { isShown = true } = {}) {
  const line = document.getElementById(lineId(place, main))
  if (line === null) return false
  marked = place
  for (const former of document.querySelectorAll('.marked')) former.classList.remove('marked')
  line.classList.add('marked')
  const details = line.closest('details')
  if (details) details.open = true
  const section = line.closest('section')
  section.querySelector('[data-open-file]').dataset.line = place.line
  const link = section.querySelector('[data-editor]')
  link.href = `${link.dataset.editor}:${place.line}`
  if (isShown) line.scrollIntoView({ block: 'nearest' })
  return true
}

function markAddress () {
  const [, line, file = main] = /^#L(\d+)(?:-(.+))?$/.exec(decode(location.hash)) ?? []
  if (line !== undefined) mark({ file, line: Number(line) })
}

function decode (text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

// The parts of the page come and go: their clicks are heard here.
document.addEventListener('click', async (event) => {
  const one = event.target.closest('[data-job], [data-open-file], a[href^="#L"]')
  if (one === null) return
  try {
    if (one.dataset.job !== undefined) await start(one.dataset.tool)
    else if (one.dataset.openFile !== undefined) await open(one.dataset.openFile, one.dataset.line)
    else {
      event.preventDefault()
      history.replaceState(null, '', one.hash)
      markAddress()
    }
  } catch (error) {
    say(error.message)
  }
})

async function open (file, line) {
  await request(`/api/lessons/${slug}/open`, { body: { file, line: line && Number(line) } })
  say('Your editor has the file.')
}

let job = null
const isBusy = () => job?.state === 'running' || job?.state === 'waiting'

async function start (tool) {
  if (isBusy()) return
  showJob((await request('/api/jobs', { body: { kind: 'profile', lesson: slug, tool } })).job)
}

function showJob (now) {
  const isOver = job?.id === now.id && isBusy()
  job = now
  for (const button of document.querySelectorAll('[data-job]')) button.setAttribute('aria-disabled', String(isBusy()))
  if (isBusy()) return say(job.message || (job.lesson === slug ? 'Starting.' : 'Another lesson is being measured.'))
  if (!isOver || job.lesson !== slug) return
  say(job.message || 'Done.')
  if (job.kind === 'profile' && job.state === 'done') showReport(job.tool)
}

async function showReport (tool) {
  const address = new URL(location.href)
  if (tool !== undefined && tool !== document.querySelector('.tabs [aria-current]')?.search.slice('?tool='.length)) {
    address.search = `?tool=${tool}`
    address.hash = ''
    location.assign(address)
  } else await renew()
}

async function renew () {
  await swap()
  if (marked !== null) mark(marked, { isShown: false })
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
  state: (state) => { if (isBusy()) showJob(state.job ?? { ...job, state: 'cancelled' }) },
  saved: ({ lesson }) => { if (lesson === slug) renew() }
}, (isOpen) => { if (!isOpen) say(noConnection) })

addEventListener('hashchange', markAddress)
markAddress()
