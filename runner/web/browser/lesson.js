import { allOf, byId, clicked, readData, renewParts, show } from '../../http/browser.js'
import { html, trusted, withCode } from '../../report/browser.js'
import { listen, noConnection, request } from './events.js'
import { flashPromise, followCommands, followSheet, followTabs, recall, remember } from './lesson-parts.js'
import { createLiveView } from './live-view.js'

/**
 * @import { CheckProgress } from '../../judge/index.js'
 * @import { Job } from '../jobs.js'
 * @import { Served } from '../serving.js'
 */

const { slug } = readData()
const lessonUrl = `/api/lessons/${slug}`
/** @type {Record<Job['kind'], string>} */
const verbs = {
  check: 'Checking', preview: 'Looking', bench: 'Benchmarking', profile: 'Profiling', compare: 'Comparing'
}
/** Where the page says what a job has found. @type {Partial<typeof verbs>} */
const headlines = {
  check: '#result .verdict',
  preview: '#result .look > p:first-of-type, #result .look > p > strong'
}

/** @type {{ job: Job | null }} */
const shown = { job: null }

const isBusy = () => shown.job?.state === 'running' || shown.job?.state === 'waiting'
/** Anything that comes later replaces a preview. */
const isTaken = () => isBusy() && shown.job?.kind !== 'preview'
const isMine = () => shown.job?.lesson === slug
const live = createLiveView(() => isBusy() && isMine() ? { isLook: shown.job?.kind === 'preview' } : null)

/** @param {string} sentence what's between backticks is code @param {HTMLElement} [place] */
function say (sentence, place = byId('status')) {
  show(place, withCode(sentence))
}

/**
 * Sends the request, and says why if it fails.
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
  const { kind } = job
  const wasRunning = isBusy()
  const isNew = job.id !== shown.job?.id
  shown.job = job
  if (isNew && isMine()) {
    live.clear()
    if (kind === 'check') tabs.show('result')
  }
  // Not `disabled`: that would take the focus away.
  for (const button of allOf('[data-job], [data-run]')) button.setAttribute('aria-disabled', String(isTaken()))
  for (const button of allOf('[data-cancel]')) button.hidden = !isBusy() || job.elsewhere
  showElapsed()
  if (!isMine()) return say(isBusy() ? `${otherOf(job)} ${job.message}` : '')
  if (isBusy()) {
    const sentence = job.state === 'waiting' && job.message
      ? `${job.message} It starts by itself: read on.`
      : job.message || `${verbs[kind]} …`
    commands.tell(job, sentence)
    document.body.classList.toggle('busy', kind === 'check' || kind === 'preview')
    return say(sentence)
  }
  // The previous job's result stays hidden until this one's arrives.
  if (isNew || wasRunning) showEnd(job)
}

/** @param {Job} job */
function otherOf ({ kind }) {
  return kind === 'compare' ? 'A comparison is running in a terminal.' : 'Another lesson is being measured.'
}

/** How long it has run or waited. */
function showElapsed () {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(shown.job?.startedAt ?? '')) / 1000))
  byId('elapsed').textContent = isBusy() ? `${seconds} s` : ''
}
setInterval(showElapsed, 1000)

/** @param {CheckProgress} event */
function showProgress (event) {
  if (!isMine() || !isBusy() || shown.job === null) return
  const { phase } = live.read()
  const progress = live.add(event)
  if (event.type === 'verdict') say(event.record.reason)
  else if (progress.phase !== phase && !progress.settled) say(`${verbs[shown.job.kind]}: ${progress.phase}.`)
}

/** The server renders a job's result: it also knows what comes next. @param {Job} job */
async function showEnd (job) {
  await renewParts()
  if (job !== shown.job) return
  document.body.classList.remove('busy')
  live.clear()
  const isDone = job.state === 'done'
  const headline = headlines[job.kind]
  const found = (isDone && headline ? allOf(headline) : [])
    .map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim()).join(', ')
  say([found, job.message || (job.state === 'cancelled' ? 'Cancelled.' : '')].filter(Boolean).join(' '))
  if (!isDone) return
  tabs.show(job.kind === 'check' || job.kind === 'preview' ? 'result' : job.kind)
  allOf('.panels')[0].scrollTop = 0
}

/** @param {Record<string, unknown>} asked its kind and options @returns {Promise<Job>} what runs now */
async function start (asked) {
  const { job } = await request('/api/jobs', { body: { ...asked, lesson: slug } })
  // Events that came before this response tell of a later state.
  if (job.id !== shown.job?.id) showJob(job)
  return job
}

/** @param {HTMLElement} form */
const statusOf = (form) => allOf('[role=status]', form)[0]

on('[data-job]', 'click', async ({ dataset: { job: kind, tool } }) => {
  if (isTaken()) return
  /** @type {HTMLSelectElement | null} */
  const which = document.querySelector('#which')
  await start({ kind, tool, server: kind === 'check' ? undefined : which?.value })
  sheet.open()
})
// These come and go with the result, which isn't replaced while it has the focus.
document.addEventListener('click', async (event) => {
  const button = clicked(event, '[data-more], [data-open], [data-copy], [data-promised], [data-stop]')
  if (button === null) return
  const { dataset } = button
  const place = dataset.open === undefined ? undefined : byId('file-said')
  try {
    if (dataset.more !== undefined) {
      button.blur()
      await start({ kind: 'check', more: true })
    } else if (dataset.copy !== undefined) await copy(button)
    else if (dataset.open !== undefined) await open(dataset)
    else if (dataset.stop !== undefined) await request('/api/served', { method: 'DELETE' })
    else if (flashPromise(button.textContent ?? '')) {
      event.preventDefault()
      sheet.close()
    }
  } catch (error) {
    say(error.message, place)
  }
})

/** @param {HTMLElement} button */
async function copy (button) {
  await navigator.clipboard.writeText(button.dataset.copy ?? '')
  const { textContent } = button
  button.textContent = 'Copied'
  setTimeout(() => { button.textContent = textContent }, 1500)
}

/** @param {DOMStringMap} place */
async function open ({ open: file, line }) {
  // The copy is there now, whether an editor opened it or not.
  await request(`${lessonUrl}/open`, { body: { file: file || undefined, line: line && Number(line) } })
    .finally(() => renewParts())
  say('It’s open in your editor.', byId('file-said'))
}

on('[data-cancel]', 'click', () => isBusy() && request('/api/jobs/current', { method: 'DELETE' }))
on('[data-prediction]', 'submit', async (form) => {
  const body = { answers: new FormData(/** @type {HTMLFormElement} */ (form)).getAll('answer') }
  await request(`${lessonUrl}/prediction`, { body })
  // What was typed is shown next to what the profile says.
  byId('predict', HTMLDetailsElement).open = false
  byId('panel-prediction').focus()
  say('Prediction saved.')
  renewParts()
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

/** @param {Served | null} served */
function showServed (served) {
  const what = served?.server === 'slow' ? 'The slow server' : 'Your server'
  if (served === null) for (const outcome of allOf('[data-listens]')) say('', outcome)
  show(byId('served'), served === null || served.lesson !== slug
    ? html``
    : html`<span>${what} listens on <code>${served.url}</code>.</span>
<button type="button" class="small" data-stop>Stop it</button>`)
}

const sheet = followSheet(byId('bench'), byId('sheet'), allOf('.text')[0])
const tabs = followTabs(allOf('[role=tablist]')[0])
const commands = followCommands(slug, start)

/** A place in a panel is shown with it. */
function showAddress () {
  const place = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
  const folded = place?.closest('summary')?.parentElement
  if (folded instanceof HTMLDetailsElement) folded.open = true
  const panel = place?.closest('[role=tabpanel]')
  if (!panel) return
  sheet.open()
  tabs.show(panel.id.replace('panel-', ''))
}
addEventListener('hashchange', showAddress)
showAddress()

listen({
  // From here on the job is told from its beginning.
  restart: () => { shown.job = shown.job !== null && isBusy() ? { ...shown.job, id: '' } : null },
  job: showJob,
  progress: showProgress,
  // No event tells of a job that ended while the page wasn't listening.
  state: ({ job, served }) => {
    showServed(served)
    if (shown.job !== null && isBusy()) showJob(job ?? { ...shown.job, state: 'cancelled' })
  },
  saved: ({ lesson }) => {
    if (lesson === slug && !isTaken() && previews.checked) {
      start({ kind: 'preview' }).catch((error) => say(error.message))
    }
  }
}, (isOpen) => {
  if (!isOpen) say(noConnection)
  else if (byId('status').textContent === noConnection) say('')
})
