import { afterEvent, noProgress } from '../../report/browser.js'
import { drawRatio, drawRounds, followWindow, forgetCharts } from './charts.js'
import { listen } from './events.js'
import { jobResultHtml } from './live/job-result.js'
import { liveHtml, lookHtml } from './live/live.js'
import { captionOf, loadsOf, roundsHtml, tableOf } from './live/rounds.js'
import { request } from './request.js'
import { swap } from './swap.js'

const element = (id) => document.getElementById(id)
const { slug, rounds, isPredicted } = JSON.parse(element('data').textContent)
const lessonUrl = `/api/lessons/${slug}`
const verbs = { check: 'Checking', look: 'Looking', bench: 'Running autocannon', profile: 'Profiling' }

/** What is shown. */
const shown = { job: null, progress: noProgress, rounds, trails: new Map(), isPredicted }

const isBusy = () => shown.job?.state === 'running' || shown.job?.state === 'waiting'
/** A look gives way to whatever comes after it. */
const isTaken = () => isBusy() && shown.job.kind !== 'look'
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
  document.body.classList.toggle('busy', isBusy() && isMine())
  if (!isMine()) return isBusy() && say(`Another lesson is being measured: ${job.message}`)
  if (isBusy()) return say(job.message || `${verbs[job.kind]}.`)
  say(job.message || (job.state === 'cancelled' ? 'Cancelled.' : ''))
  if (job.kind === 'bench' || job.kind === 'profile') element('live').innerHTML = jobResultHtml(job, shown)
  else if (job.kind === 'check' || job.state !== 'done') element('live').replaceChildren()
  if (job.kind === 'check') swap().then(showResult)
  if (job.kind === 'profile' && job.state === 'done') swap()
}

function begin () {
  shown.progress = noProgress
  shown.trails = new Map()
  element('live').replaceChildren()
  element('charts').replaceChildren()
  forgetCharts()
}

function showProgress (event) {
  if (!isMine() || !isBusy()) return
  const { phase } = shown.progress
  shown.progress = afterEvent(shown.progress, event)
  if (event.type === 'round') for (const gate of event.gates) trailOf(gate.name).push(gate)
  if (event.type === 'phase' && event.phase !== phase) say(`${verbs[shown.job.kind]}: ${event.phase}.`)
  if (event.type === 'verdict') say(event.record.reason)
  later()
}

function trailOf (name) {
  if (!shown.trails.has(name)) shown.trails.set(name, [])
  return shown.trails.get(name)
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
  const loads = loadsOf(shown.progress.rounds)
  const charts = element('charts')
  if (charts.querySelectorAll('figure[data-load]').length !== loads.size) {
    charts.innerHTML = roundsHtml(shown.progress.rounds)
    forgetCharts()
  } else {
    for (const figure of charts.querySelectorAll('figure[data-load]')) {
      const ofLoad = loads.get(figure.dataset.load)
      figure.querySelector('figcaption').innerHTML = captionOf(figure.dataset.load, ofLoad)
      // Who reads the table reads on.
      const details = figure.querySelector('details')
      if (!details.contains(document.activeElement)) details.lastElementChild.outerHTML = tableOf(ofLoad)
    }
  }
  drawRounds(charts, loads)
  for (const [name, standings] of shown.trails) drawRatio(ratioPlace(name), standings)
}

function ratioPlace (name) {
  const charts = element('charts')
  const known = [...charts.querySelectorAll('figure[data-gate]')].find(({ dataset }) => dataset.gate === name)
  if (known) return known.querySelector('.chart')
  const figure = document.createElement('figure')
  figure.dataset.gate = name
  const caption = document.createElement('figcaption')
  caption.textContent = `Ratio of ${name} after each round, with its 95 % interval; dotted: the target`
  const chart = document.createElement('div')
  chart.className = 'chart'
  chart.setAttribute('aria-hidden', 'true')
  figure.append(caption, chart)
  charts.append(figure)
  return chart
}

/** @param {Document} [page] */
function showResult (page) {
  if (page) {
    if (shown.job.state === 'done') say(shown.job.message || document.querySelector('.verdict')?.textContent)
    shown.rounds = JSON.parse(page.getElementById('data').textContent).rounds
    element('charts').replaceChildren()
    forgetCharts()
  }
  drawRounds(element('result'), loadsOf(shown.rounds))
}

function showRecord (record) {
  if (!isMine() || shown.job.kind !== 'look') return
  shown.progress = noProgress
  element('charts').replaceChildren()
  element('live').innerHTML = lookHtml(record)
}

async function start (kind, tool) {
  if (isTaken()) return
  const { job } = await request('/api/jobs', { body: { kind, lesson: slug, tool } })
  showJob(job)
}

on('[data-job]', 'click', ({ dataset }) => start(dataset.job, dataset.tool))
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

listen({
  job: showJob,
  progress: showProgress,
  record: showRecord,
  // Of a job that ended while nobody listened there is no other word.
  state: ({ job }) => { if (isBusy()) showJob(job ?? { ...shown.job, state: 'cancelled' }) },
  saved: ({ lesson }) => {
    if (lesson === slug && !isTaken() && document.querySelector('[data-look]').checked) {
      start('look').catch((error) => say(error.message))
    }
  }
}, (isOpen) => {
  if (!isOpen) say('No connection to the workshop. Is `npm start` still running?')
  else if (element('status').textContent.startsWith('No connection')) say('')
})

showResult()
followWindow(() => {
  drawRounds(element('result'), loadsOf(shown.rounds))
  if (isBusy() && isMine()) drawLive()
})
