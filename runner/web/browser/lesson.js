import { afterEvent, noProgress } from '../../report/browser.js'
import { followWindow, forgetCharts } from './charts.js'
import { listen, noConnection } from './events.js'
import { showFigures } from './show-charts.js'
import { jobResultHtml } from './live/job-result.js'
import { liveHtml, lookHtml } from './live/live.js'
import { recall, remember } from './remember.js'
import { request } from './request.js'
import { swap } from './swap.js'

const element = (id) => document.getElementById(id)
const { slug, measured, isPredicted } = JSON.parse(element('data').textContent)
const lessonUrl = `/api/lessons/${slug}`
const verbs = { check: 'Checking', preview: 'Looking', bench: 'Running autocannon', profile: 'Profiling' }

/** What is shown; measured: of the last result, null before the first. */
const shown = { job: null, progress: noProgress, measured, isPredicted }

const isBusy = () => shown.job?.state === 'running' || shown.job?.state === 'waiting'
/** A look gives way to whatever comes after it. */
const isTaken = () => isBusy() && shown.job.kind !== 'preview'
const isMine = () => shown.job?.lesson === slug

function say (sentence) {
  if (element('status').textContent !== sentence) element('status').textContent = sentence
}

/** Does what is asked, and says why where that fails. */
function on (selector, event, act, where = () => element('status')) {
  for (const one of document.querySelectorAll(selector)) {
    one.addEventListener(event, async (happened) => {
      happened.preventDefault()
      try {
        await act(one)
      } catch (error) {
        where(one).textContent = error.message
      }
    })
  }
}

function showJob (job) {
  const isNew = job.id !== shown.job?.id
  shown.job = job
  if (isNew && isMine()) begin()
  // Not `disabled`: that would take the focus away.
  for (const button of document.querySelectorAll('[data-job]')) button.setAttribute('aria-disabled', String(isTaken()))
  document.querySelector('[data-cancel]').setAttribute('aria-disabled', String(!isBusy()))
  // The result of a check before stays hidden until that of this one is there.
  const isToShow = isMine() && !isBusy() && job.kind === 'check'
  document.body.classList.toggle('busy', isMine() && (isBusy() || isToShow))
  if (!isMine()) return isBusy() && say(`Another lesson is being measured: ${job.message}`)
  if (isBusy()) return say(job.message || `${verbs[job.kind]}.`)
  say(job.message || (job.state === 'cancelled' ? 'Cancelled.' : ''))
  if (job.kind === 'bench' || job.kind === 'profile') element('live').innerHTML = jobResultHtml(job, shown)
  else if (job.kind === 'check' || job.state !== 'done') element('live').replaceChildren()
  if (isToShow) {
    swap().then((page) => {
      document.body.classList.toggle('busy', isMine() && isBusy())
      showResult(page)
    })
  }
  if (job.kind === 'profile' && job.state === 'done') swap()
}

function begin () {
  shown.progress = noProgress
  element('live').replaceChildren()
  element('charts').replaceChildren()
  forgetCharts()
}

function showProgress (event) {
  if (!isMine() || !isBusy()) return
  const { phase } = shown.progress
  shown.progress = afterEvent(shown.progress, event)
  if (event.type === 'verdict') say(event.record.reason)
  else if (shown.progress.phase !== phase && !shown.progress.settled) {
    say(`${verbs[shown.job.kind]}: ${shown.progress.phase}.`)
  }
  later()
}

/** Events come faster than anybody reads, and drawing takes time from what is measured. */
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
  element('live').innerHTML = liveHtml(shown.progress)
  showFigures(element('charts'), shown.progress)
}

/** @param {Document} [page] */
function showResult (page) {
  if (page) {
    if (shown.job.state === 'done') say(shown.job.message || document.querySelector('.verdict')?.textContent)
    shown.measured = JSON.parse(page.getElementById('data').textContent).measured
    element('charts').replaceChildren()
    forgetCharts()
  }
  drawResult()
}

function drawResult () {
  const place = element('result').querySelector('[data-figures]')
  if (place && shown.measured) showFigures(place, shown.measured)
}

function showRecord (record) {
  if (!isMine() || shown.job.kind !== 'preview') return
  shown.progress = noProgress
  element('charts').replaceChildren()
  element('live').innerHTML = lookHtml(record)
}

async function start (kind, { tool, more } = {}) {
  if (isTaken()) return
  const { job } = await request('/api/jobs', { body: { kind, lesson: slug, tool, more } })
  showJob(job)
}

on('[data-job]', 'click', ({ dataset }) => start(dataset.job, dataset))
// This button comes and goes with the result, which isn't replaced while it has the focus.
document.addEventListener('click', ({ target }) => {
  if (!target.matches('[data-more]')) return
  target.blur()
  start('check', { more: true }).catch((error) => say(error.message))
})
on('[data-cancel]', 'click', () => isBusy() && request('/api/jobs/current', { method: 'DELETE' }))
on('[data-open]', 'click', async () => {
  // The copy is there now, whether an editor opened it or not.
  await request(`${lessonUrl}/open`).finally(() => swap())
  say('Your editor has the file.')
})
on('[data-prediction]', 'submit', async (form) => {
  const { time, growth } = form.elements
  const body = { time: time.value, growth: growth?.value }
  const { prediction } = await request(`${lessonUrl}/prediction`, { body })
  form.querySelector('[role=status]').textContent = 'Kept.'
  shown.isPredicted = prediction !== null
  if (shown.job !== null && shown.job.kind === 'profile' && !isBusy()) showJob(shown.job)
  else swap()
}, (form) => form.querySelector('[role=status]'))
on('[data-hint]', 'click', async (button) => {
  const { number, total, html } = await request(`${lessonUrl}/hint`)
  const list = element('shown-hints')
  if (list.children.length < number) {
    const item = document.createElement('li')
    item.tabIndex = -1
    item.innerHTML = html
    list.append(item)
    item.focus()
  }
  button.disabled = number >= total
  button.textContent = number >= total ? `All ${total} hints are shown` : `Show hint ${number + 1} of ${total}`
})

const looks = document.querySelector('[data-look]')
looks.checked = recall('look at saves') !== 'no'
looks.addEventListener('change', () => remember('look at saves', looks.checked ? 'yes' : 'no'))

listen({
  // Whatever is told from now on is told from its beginning.
  anew: () => { shown.job = isBusy() ? { ...shown.job, id: null } : null },
  job: showJob,
  progress: showProgress,
  record: showRecord,
  // Of a job that ended while nobody listened there is no other word.
  state: ({ job }) => { if (isBusy()) showJob(job ?? { ...shown.job, state: 'cancelled' }) },
  saved: ({ lesson }) => {
    if (lesson === slug && !isTaken() && looks.checked) {
      start('preview').catch((error) => say(error.message))
    }
  }
}, (isOpen) => {
  if (!isOpen) say(noConnection)
  else if (element('status').textContent === noConnection) say('')
})

showResult()
followWindow(() => {
  drawResult()
  if (isBusy() && isMine()) drawLive()
})
