import { allOf, attempt, byId, clicked } from '../../http/browser.js'
import { addressed, ask } from './page.js'

/** The page of a lesson: the workbench follows the job, and the text its commands, its steps and its terms. */

const { lesson: slug } = allOf('.room-bar')[0].dataset
const [bench, menu] = [byId('bench'), byId('measure', HTMLDetailsElement)]
const sheet = followSheet(bench, byId('sheet'), allOf('.text')[0])
const tabs = followTabs(allOf('[role=tablist]')[0])

/** What the server says of the newest job. */
const jobNow = () => ({ ...byId('job').dataset })
let job = jobNow()
let saved = byId('saved').textContent
const isBusy = (/** @type {{ state?: string }} */ { state }) => state === 'waiting' || state === 'running'

/** Parts of the page have changed: which buttons work, and which tab has news, is up to this page. */
function followJob () {
  const [before, now] = [job, jobNow()]
  job = now
  // Not `disabled`: that would take the focus away.
  for (const button of allOf('[data-job]')) button.setAttribute('aria-disabled', String(now.taken !== undefined))
  showElapsed()
  const isOver = now.own !== undefined && now.state === 'done' && (now.id !== before.id || isBusy(before))
  if (isOver && now.kind !== 'load') tabs.tell(now.kind === 'check' || now.kind === 'preview' ? 'result' : 'profile')
  fillPort()
  followSaves(now.taken !== undefined)
}

/** @param {boolean} isTaken anything but a preview runs */
function followSaves (isTaken) {
  const { textContent } = byId('saved')
  if (textContent === saved) return
  saved = textContent
  if (previews.checked && !isTaken) {
    attempt(byId('toast'), async () => { await ask('/api/jobs', { body: { kind: 'preview', lesson: slug } }) })
  }
}

/** How long it has run or waited. */
function showElapsed () {
  const { since } = job
  byId('job').textContent = since === undefined
    ? ''
    : `${Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000))} s`
}
setInterval(showElapsed, 1000)

/** As long as reading it takes. */
const [leastToastMs, perLetterMs] = [6000, 80]
let toastTimer = 0
new MutationObserver(() => {
  clearTimeout(toastTimer)
  const toast = byId('toast')
  const ms = Math.max(leastToastMs, (toast.textContent ?? '').length * perLetterMs)
  toastTimer = window.setTimeout(() => toast.replaceChildren(), ms)
}).observe(byId('toast'), { childList: true })

/** Where a text says PORT, it's the port of the server that has been started. */
function fillPort () {
  const url = allOf('#served [data-url]')[0]?.dataset.url
  for (const code of allOf('.command code, .failures pre code')) {
    const { text = code.textContent ?? '' } = code.dataset
    if (!/\bPORT\b/.test(text)) continue
    code.dataset.text = text
    const filled = url === undefined ? text : text.replace(/\$?\bPORT\b/g, new URL(url).port)
    if (code.textContent !== filled) code.textContent = filled
    const button = (code.closest('.command') ?? code.closest('details'))?.querySelector('[data-copy]')
    if (button instanceof HTMLElement) button.dataset.copy = filled
  }
}

// A browser that keeps our cookie keeps this, too.
const previews = byId('preview-saves', HTMLInputElement)
previews.checked = localStorage.getItem('look at saves') !== 'no'
previews.addEventListener('change', () => {
  localStorage.setItem('look at saves', previews.checked ? 'yes' : 'no')
})

/** What is typed and not saved yet survives a reload. */
for (const [at, field] of allOf('[data-draft] textarea').entries()) {
  if (!(field instanceof HTMLTextAreaElement)) continue
  const name = `draft ${slug} ${at}`
  const draft = localStorage.getItem(name)
  if (draft !== null && draft !== field.defaultValue) field.value = draft
  else localStorage.removeItem(name)
  field.addEventListener('input', () => localStorage.setItem(name, field.value))
}

document.addEventListener('parts', followJob)
bench.addEventListener('submit', ({ submitter }) => {
  menu.open = false
  if (submitter?.getAttribute('aria-disabled') !== 'false') return
  sheet.open()
  tabs.show(submitter.id === 'check' ? 'result' : 'profile')
  allOf('.panels')[0].scrollTop = 0
})
document.addEventListener('click', (event) => {
  if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false
  const promised = clicked(event, '[data-promised]')
  if (promised !== null && flashPromise(promised.textContent ?? '')) {
    event.preventDefault()
    return sheet.close()
  }
  // The address may be the same as before.
  if (clicked(event, 'a[href^="#"]') !== null) setTimeout(showAddress)
  const { file } = clicked(event, '[data-file]')?.dataset ?? {}
  const { line } = clicked(event, '.at[data-line]')?.dataset ?? {}
  if (file !== undefined && line !== undefined) {
    attempt(byId('toast'), async () => {
      const response = await ask(`/api/lessons/${slug}/open`, { body: { file, line: Number(line) } })
      return (await response.json()).said
    })
  }
})

document.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
  if (key === 'Enter' && (ctrlKey || metaKey)) byId('check').click()
  else if (key === 'Escape' && menu.open) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

/** A place in a panel is shown with it. */
function showAddress () {
  const found = addressed()
  const panel = found?.closest('[role=tabpanel]')
  if (!panel) return
  sheet.open()
  tabs.show(panel.id.replace('panel-', ''))
  if (found !== panel) found?.scrollIntoView({ block: 'nearest' })
}

/** A page that's out of sight has no connection, and its title says how a check ended. */
const { title } = document
const askAgainMs = 5000
setInterval(async () => {
  if (!document.hidden || job.kind !== 'check' || job.own === undefined || !isBusy(job)) return
  const { job: now, lessons } = await ask('/api/state', { method: 'GET' })
    .then((response) => response.json(), () => ({}))
  if (now === undefined || isBusy(now ?? {})) return
  const { state, word = 'over' } = lessons.find((/** @type {any} */ one) => one.slug === slug) ?? {}
  const sign = { pass: '✓', fail: '✗' }[/** @type {string} */ (state)] ?? '?'
  document.title = `${sign} ${word} · ${title}`
}, askAgainMs)
document.addEventListener('visibilitychange', () => { if (!document.hidden) document.title = title })

/**
 * Scrolls to the sentence of the lesson that promises something, and marks it.
 *
 * @param {string} promise
 * @returns {boolean} is it there?
 */
function flashPromise (promise) {
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

/**
 * On a small window the workbench is a bar at the bottom, which opens as a sheet over the text.
 *
 * @param {HTMLElement} bench
 * @param {HTMLElement} button
 * @param {HTMLElement} text
 */
function followSheet (bench, button, text) {
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
function followTabs (list) {
  const tabs = allOf('[role=tab]', list)
  /** @param {HTMLElement} tab */
  const select = (tab) => {
    tab.classList.remove('news')
    for (const one of tabs) {
      const isCurrent = one === tab
      one.setAttribute('aria-selected', String(isCurrent))
      one.tabIndex = isCurrent ? 0 : -1
      document.getElementById(one.getAttribute('aria-controls') ?? '')?.classList.toggle('current', isCurrent)
    }
  }
  /** By hand: from now on the address says it. @param {HTMLElement} tab */
  const choose = (tab) => {
    select(tab)
    history.replaceState(null, '', `#${tab.getAttribute('aria-controls')}`)
  }
  const named = (/** @type {string} */ name) => tabs.find(({ id }) => id === `tab-${name}`)
  list.addEventListener('click', ({ target }) => {
    const tab = tabs.find((one) => target instanceof Node && one.contains(target))
    if (tab) choose(tab)
  })
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((one) => one === event.target)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    const tab = to === undefined || at === -1 ? undefined : tabs.at(to % tabs.length)
    if (tab === undefined) return
    event.preventDefault()
    choose(tab)
    tab.focus()
  })
  return {
    show: (/** @type {string} */ name) => {
      const tab = named(name)
      if (tab) select(tab)
    },
    /** There's something new, which waits until it's looked at. @param {string} name */
    tell: (name) => {
      const tab = named(name)
      if (tab?.getAttribute('aria-selected') === 'false') tab.classList.add('news')
    }
  }
}

/** Marks the step whose section is being read. */
const links = () => allOf('.steps a')
const sections = links().flatMap((link) => document.getElementById(link.getAttribute('href')?.slice(1) ?? '') ?? [])

function markCurrent () {
  const read = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3).at(-1)
  for (const link of links()) {
    if (link.getAttribute('href') === `#${read?.id}`) link.setAttribute('aria-current', 'step')
    else link.removeAttribute('aria-current')
  }
}

addEventListener('scroll', markCurrent, { passive: true })
markCurrent()
addEventListener('hashchange', showAddress)
showAddress()
followJob()

/** A term is explained where it is met; without this module, its link leads to the glossary. */
const box = document.body.appendChild(document.createElement('aside'))
Object.assign(box, { className: 'term', popover: 'auto', autofocus: true, tabIndex: -1 })

/** @type {Promise<Document> | null} */
let glossary = null
const readGlossary = () => fetch('/docs/glossary').then((answer) => answer.text())
  .then((text) => new DOMParser().parseFromString(text, 'text/html'))

document.addEventListener('click', async (event) => {
  const link = clicked(event, 'main a[href^="/docs/glossary#"]')
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  glossary ??= readGlossary()
  const heading = await glossary.then((page) => page.getElementById(link.hash.slice(1)), () => null)
  if (heading === null) return location.assign(link.href)
  const way = Object.assign(document.createElement('a'), {
    href: link.href, textContent: 'In the glossary', className: 'soft'
  })
  box.replaceChildren(...explanationOf(heading), way)
  box.setAttribute('aria-label', heading.textContent ?? '')
  box.showPopover()
  place(link.getBoundingClientRect())
})

/** The heading, and what follows it up to the next. @param {Element} heading */
function explanationOf (heading) {
  const parts = [heading.cloneNode(true)]
  for (let next = heading.nextElementSibling; next !== null && next.tagName !== 'H2'; next = next.nextElementSibling) {
    parts.push(next.cloneNode(true))
  }
  return parts
}

/** Below the term, or above it where there is no room. @param {DOMRect} term */
function place (term) {
  const { width, height } = box.getBoundingClientRect()
  const below = term.bottom + 8 + height <= innerHeight
  box.style.left = `${Math.max(8, Math.min(term.left, innerWidth - width - 8))}px`
  box.style.top = `${Math.max(8, below ? term.bottom + 8 : term.top - height - 8)}px`
}
