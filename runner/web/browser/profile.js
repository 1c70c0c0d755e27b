import { allOf, byId, clicked, readData } from '../../http/browser.js'
import { lineId, placeIn, queryOf } from './lines.js'
import { addressed } from './page.js'

/** The page of a lesson's profiles: it marks a line of the files, and shows a new report of another kind. */

const { file: main } = readData()
// From here on the page sets the mark, not the address.
document.body.classList.add('marks')

/** Marks the line that the address names, or else the hottest; editors open there. */
function mark () {
  const line = addressed()?.closest('.line') ?? document.querySelector('.hottest')
  for (const former of allOf('.marked')) former.classList.remove('marked')
  const section = line?.closest('section')
  if (!line || !section) return
  line.classList.add('marked')
  const [, number] = /^L(\d+)/.exec(line.id) ?? []
  const body = JSON.stringify({ file: section.dataset.file, line: Number(number) })
  for (const button of allOf('[data-ask]', section)) button.dataset.body = body
  for (const link of allOf('[data-editor]', section)) link.setAttribute('href', `${link.dataset.editor}:${number}`)
}

// Lines aren't pages to go back to.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#L"]') : null
  if (link === null) return
  event.preventDefault()
  location.replace(link.getAttribute('href') ?? '')
})

addEventListener('message', ({ source, origin, data }) => {
  // A sandboxed page has no origin.
  if (source !== document.querySelector('iframe')?.contentWindow || origin !== 'null') return
  const place = placeIn(data)
  if (place === null) return
  const id = lineId(place, main)
  const isKnown = document.getElementById(id) !== null
  if (isKnown) location.replace(`#${encodeURIComponent(id)}`)
  const line = `line ${place.line} of ${place.file}`
  byId('status').textContent = isKnown ? `Marked: ${line}.` : `L${line.slice(1)} is not among your files.`
})

let job = { ...document.getElementById('job')?.dataset }
let isAsked = false
document.addEventListener('click', (event) => { isAsked ||= clicked(event, '[data-job]') !== null })

/** Of a new report of another kind, there's another page: what was asked for elsewhere is shown there. */
function followJob () {
  const before = job
  job = { ...byId('job').dataset }
  for (const button of allOf('[data-job]')) button.setAttribute('aria-disabled', String(job.since !== undefined))
  mark()
  const isOver = job.own !== undefined && job.kind === 'profile' && job.state === 'done' && before.since !== undefined
  const current = document.querySelector('.tabs [aria-current]')?.getAttribute('href')
  const query = queryOf(job)
  if (isOver && isAsked && job.tool !== undefined && current !== query) location.assign(query)
}
document.addEventListener('parts', followJob)
addEventListener('hashchange', mark)
mark()
// Beside the report, the files scroll by themselves.
if (addressed() === null && innerWidth >= 1024) allOf('.marked')[0]?.scrollIntoView({ block: 'nearest' })
