import { allOf, clicked, show } from '../../http/browser.js'
import { withCode } from '../../report/browser.js'
import { request } from './events.js'

/**
 * The commands of a lesson's text: each runs as a job of this page. What came of it, the server renders below it.
 *
 * @import { Job } from '../jobs.js'
 *
 * @typedef {{ kind: Job['kind'] | 'serve' } & Record<string, unknown>} Command
 */

/**
 * @param {string} slug of the lesson
 * @param {(command: Command) => Promise<Job>} start
 */
export function followCommands (slug, start) {
  /** By job: where its outcome is said. @type {Map<string, HTMLElement>} */
  const places = new Map()

  document.addEventListener('click', async (event) => {
    const button = clicked(event, '[data-run]')
    const place = button && allOf('.outcome', button.parentElement ?? undefined)[0]
    if (!button || !place || button.getAttribute('aria-disabled') === 'true') return
    try {
      /** @type {Command} */
      const command = JSON.parse(button.dataset.run ?? '')
      if (command.kind === 'serve') await serve(place, { ...command, lesson: slug })
      else {
        const job = await start(command)
        places.set(job.id, place)
        say(place, 'Starting …')
      }
    } catch (error) {
      say(place, error.message)
    }
  })
  return {
    /** @param {Job} job that runs @param {string} sentence */
    tell: ({ id }, sentence) => {
      const place = places.get(id)
      if (place) say(place, sentence)
    }
  }
}

/** @param {HTMLElement} place @param {string} sentence */
function say (place, sentence) {
  show(place, withCode(sentence))
}

/** It's stopped in the workbench. @param {HTMLElement} place @param {unknown} body */
async function serve (place, body) {
  say(place, 'Starting …')
  const { served: { url } } = await request('/api/served', { body })
  say(place, `It listens on ${url} until you stop it.`)
  place.dataset.listens = ''
}

/**
 * Scrolls to the sentence of the lesson that promises something, and marks it.
 *
 * @param {string} promise
 * @returns {boolean} is it there?
 */
export function flashPromise (promise) {
  const wanted = plain(promise)
  const found = allOf('.text p, .text li, .text td')
    .findLast((place) => plain(place.textContent ?? '').includes(wanted))
  if (found === undefined || wanted === '') return false
  for (const former of allOf('.promised')) former.classList.remove('promised')
  const details = found.closest('details')
  if (details) details.open = true
  found.classList.add('promised')
  found.scrollIntoView({ block: 'center' })
  return true
}

/** @param {string} text without what Markdown and quotes add */
function plain (text) {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** What a browser keeps for the next visit, if it keeps anything. */

/** @param {string} name @returns {string | null} */
export function recall (name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** @param {string} name @param {string} value */
export function remember (name, value) {
  try {
    localStorage.setItem(name, value)
  } catch {}
}

/**
 * On a small window the workbench is a bar at the bottom, which opens as a sheet over the text.
 *
 * @param {HTMLElement} bench
 * @param {HTMLElement} button
 * @param {HTMLElement} text
 */
export function followSheet (bench, button, text) {
  const small = matchMedia('(max-width: 63.99rem)')
  const isOpen = () => bench.classList.contains('open')
  const update = () => {
    button.setAttribute('aria-expanded', String(isOpen()))
    text.inert = isOpen() && small.matches
  }
  const show = (/** @type {boolean} */ wanted) => {
    bench.classList.toggle('open', wanted)
    update()
  }
  const close = () => show(false)
  small.addEventListener('change', update)
  button.addEventListener('click', () => show(!isOpen()))
  bench.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return
    close()
    button.focus()
  })
  return { open: () => show(true), close }
}

/**
 * Tabs as the ARIA Authoring Practices describe them: arrow keys, Home and End go from one to the next.
 *
 * @param {HTMLElement} list with role `tablist`
 */
export function followTabs (list) {
  const tabs = allOf('[role=tab]', list)
  /** @param {HTMLElement} tab */
  const select = (tab) => {
    for (const one of tabs) {
      const isCurrent = one === tab
      one.setAttribute('aria-selected', String(isCurrent))
      one.tabIndex = isCurrent ? 0 : -1
      document.getElementById(one.getAttribute('aria-controls') ?? '')?.classList.toggle('current', isCurrent)
    }
  }
  list.addEventListener('click', ({ target }) => {
    const tab = tabs.find((one) => target instanceof Node && one.contains(target))
    if (tab) select(tab)
  })
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((one) => one === event.target)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    const tab = to === undefined || at === -1 ? undefined : tabs.at(to % tabs.length)
    if (tab === undefined) return
    event.preventDefault()
    select(tab)
    tab.focus()
  })
  return {
    /** Not while someone types in another panel. @param {string} name */
    show: (name) => {
      const tab = tabs.find(({ id }) => id === `tab-${name}`)
      if (tab && !document.activeElement?.matches('.bench textarea')) select(tab)
    }
  }
}
