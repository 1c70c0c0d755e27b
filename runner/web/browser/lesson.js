import { allOf, byId, clicked, readData, renewParts, show } from '../../http/browser.js'
import { afterEvent, html, noProgress, trusted } from '../../report/browser.js'
import { listen, noConnection } from './events.js'
import { liveChartsHtml } from './live/chart-figures.js'
import { jobResultHtml } from './live/job-result.js'
import { liveHtml, lookHtml } from './live/live.js'
import { recall, remember } from './remember.js'
import { request } from './request.js'

/**
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { Job } from '../jobs/job.js'
 */

const { slug, isPredicted } = readData()
const lessonUrl = `/api/lessons/${slug}`
/** @type {Record<Job['kind'], string>} */
const verbs = { check: 'Checking', preview: 'Looking', bench: 'Running autocannon', profile: 'Profiling' }

const shown = { job: /** @type {Job | null} */ (null), progress: noProgress, isPredicted }

const isBusy = () => shown.job?.state === 'running' || shown.job?.state === 'waiting'
/** A preview gives way to whatever comes after it. */
const isTaken = () => isBusy() && shown.job?.kind !== 'preview'
const isMine = () => shown.job?.lesson === slug

/** @param {string} sentence @param {HTMLElement} [place] */
function say (sentence, place = byId('status')) {
  if (place.textContent !== sentence) place.textContent = sentence
}

/**
 * Does what is asked, and says why where that fails.
 *
 * @param {string} selector
 * @param {'click' | 'submit'} event
 * @param {(element: HTMLElement) => unknown} act
 * @param {(element: HTMLElement) => HTMLElement} [where]
 */
function on (selector, event, act, where) {
  for (const one of allOf(selector)) {
    one.addEventListener(event, async (happened) => {
      happened.preventDefault()
      try {
        await act(one)
      } catch (error) {
        say(error.message, where?.(one))
      }
    })
  }
}

/** @param {Job} job */
function showJob (job) {
  const isNew = job.id !== shown.job?.id
  shown.job = job
  if (isNew && isMine()) begin()
  // Not `disabled`: that would take the focus away.
  for (const button of allOf('[data-job]')) button.setAttribute('aria-disabled', String(isTaken()))
  for (const button of allOf('[data-cancel]')) button.setAttribute('aria-disabled', String(!isBusy()))
  // The result of a check before stays hidden until that of this one is there.
  const isToShow = isMine() && !isBusy() && job.kind === 'check'
  document.body.classList.toggle('busy', isMine() && (isBusy() || isToShow))
  if (!isMine()) return isBusy() && say(`Another lesson is being measured: ${job.message}`)
  if (isBusy()) return say(job.message || `${verbs[job.kind]}.`)
  say(job.message || (job.state === 'cancelled' ? 'Cancelled.' : ''))
  if (job.kind === 'bench' || job.kind === 'profile') show(byId('live'), jobResultHtml(job, shown))
  else if (job.kind === 'check' || job.state !== 'done') show(byId('live'), html``)
  if (isToShow) showEnd()
  if (job.kind === 'profile' && job.state === 'done') renewParts()
}

function begin () {
  shown.progress = noProgress
  show(byId('live'), html``)
  show(byId('charts'), html``)
}

/** @param {CheckProgress} event */
function showProgress (event) {
  if (!isMine() || !isBusy() || shown.job === null) return
  const { phase } = shown.progress
  shown.progress = afterEvent(shown.progress, event)
  if (event.type === 'verdict') say(event.record.reason)
  else if (shown.progress.phase !== phase && !shown.progress.settled) {
    say(`${verbs[shown.job.kind]}: ${shown.progress.phase}.`)
  }
  later()
}

/** Events come faster than anyone reads, and drawing takes time from what is measured. */
let isPlanned = false
function later () {
  if (isPlanned) return
  isPlanned = true
  setTimeout(() => {
    isPlanned = false
    if (isBusy() && isMine() && shown.progress !== noProgress) drawLive()
  }, 250)
}

function drawLive () {
  show(byId('live'), liveHtml(shown.progress))
  show(byId('charts'), liveChartsHtml(shown.progress))
}

/**
 * The record was heard, but the result also says what only the server knows: what comes next, the history, and whether
 * there are rounds to go on with.
 */
async function showEnd () {
  await renewParts()
  document.body.classList.toggle('busy', isMine() && isBusy())
  if (shown.job?.state === 'done') say(shown.job.message || document.querySelector('.verdict')?.textContent || '')
  show(byId('charts'), html``)
}

/** @param {ResultRecord} record */
function showRecord (record) {
  if (!isMine() || shown.job?.kind !== 'preview') return
  shown.progress = noProgress
  show(byId('charts'), html``)
  show(byId('live'), lookHtml(record))
}

/** @param {Job['kind']} kind @param {{ tool?: string, more?: boolean }} [options] */
async function start (kind, { tool, more } = {}) {
  if (isTaken()) return
  const { job } = await request('/api/jobs', { body: { kind, lesson: slug, tool, more } })
  showJob(job)
}

/** @param {HTMLElement} form */
const statusOf = (form) => allOf('[role=status]', form)[0]

on('[data-job]', 'click', ({ dataset }) => start(/** @type {Job['kind']} */ (dataset.job), dataset))
// This button comes and goes with the result, which isn't replaced while it has the focus.
document.addEventListener('click', (event) => {
  const button = clicked(event, '[data-more]')
  if (button === null) return
  button.blur()
  start('check', { more: true }).catch((error) => say(error.message))
})
on('[data-cancel]', 'click', () => isBusy() && request('/api/jobs/current', { method: 'DELETE' }))
on('[data-open]', 'click', async () => {
  // The copy is there now, whether an editor opened it or not.
  await request(`${lessonUrl}/open`).finally(() => renewParts())
  say('The file is open in your editor.')
})
on('[data-prediction]', 'submit', async (form) => {
  const body = { answers: new FormData(/** @type {HTMLFormElement} */ (form)).getAll('answer') }
  const { prediction } = await request(`${lessonUrl}/prediction`, { body })
  say('Kept.', statusOf(form))
  shown.isPredicted = prediction !== null
  if (shown.job !== null && shown.job.kind === 'profile' && !isBusy()) showJob(shown.job)
  else renewParts()
}, statusOf)
on('[data-hint]', 'click', async (button) => {
  const { number, total, html: hint } = await request(`${lessonUrl}/hint`)
  const list = byId('shown-hints')
  if (list.children.length < number) {
    const item = list.appendChild(document.createElement('li'))
    item.tabIndex = -1
    show(item, trusted(hint))
    item.focus()
  }
  button.toggleAttribute('disabled', number >= total)
  say(number >= total ? `All ${total} hints are shown` : `Show hint ${number + 1} of ${total}`, button)
})

const previews = byId('preview-saves', HTMLInputElement)
previews.checked = recall('look at saves') !== 'no'
previews.addEventListener('change', () => remember('look at saves', previews.checked ? 'yes' : 'no'))

listen({
  // Whatever is told from now on is told from its beginning.
  anew: () => { shown.job = shown.job !== null && isBusy() ? { ...shown.job, id: '' } : null },
  job: showJob,
  progress: showProgress,
  record: showRecord,
  // Nothing else tells of a job that ended while the page wasn't listening.
  state: ({ job }) => { if (shown.job !== null && isBusy()) showJob(job ?? { ...shown.job, state: 'cancelled' }) },
  saved: ({ lesson }) => {
    if (lesson === slug && !isTaken() && previews.checked) {
      start('preview').catch((error) => say(error.message))
    }
  }
}, (isOpen) => {
  if (!isOpen) say(noConnection)
  else if (byId('status').textContent === noConnection) say('')
})
