import { html, trusted, withCode } from '../report/browser.js'

/** @import { Html } from '../report/browser.js' */

/**
 * What each page of ours does in its browser: it shows the parts that its server sends, and asks for what its forms
 * and buttons say. Scripts of single pages add the rest.
 *
 * - `<body data-parts="/api/class/events">` is the address of the stream, `data-part="seats"` an element whose content
 *   is one of its parts (`http/parts.js`). In a part, children with a `data-key` are kept while they're the same.
 * - `data-ask="POST /api/class/messages"`: a form sends its fields as JSON, a button its `data-body`, and both those of
 *   the form's button that was pressed. `data-sure="Title? | What happens then. | Yes"` is asked first; `data-reset`
 *   empties the form afterwards, and `data-close` closes the dialog
 *   or details around it.
 * - `data-open="/api/class/seats/3"` shows the HTML of that address in a dialog, and again after each change.
 * - `data-save="/api/class/export.csv"` saves a file, since a link can't carry a secret. `data-copy` is copied.
 *
 * The response to `data-ask` is JSON, in which `parts` are shown, `said` is said, `focus` is the id of an element, and
 * `go` an address to go to.
 * Sentences, also of a refusal, come into the nearest `data-said`, and a refusal marks the `field` that it's about.
 *
 * @typedef {object} Following
 * @property {Record<string, string>} [headers] that authorize the requests
 * @property {string} silence a sentence for when there's no response
 * @property {string} lost a sentence for while the stream is broken
 * @property {() => void} [onParts] parts were shown
 * @property {(sentence: string) => void} [onRefused] the stream was refused, for good; default: the page says so
 *
 * @param {Following} given
 * @returns {Ask}
 */
export function followPage ({ headers = {}, silence, lost, onParts = () => {}, onRefused = sayConnection }) {
  const ask = createAsk(headers, silence)
  const dialog = createDialog(ask)
  /** Requests under way, or questions before them: until they're over, the dialog may show what will be gone. */
  let asking = 0
  const sendFrom = async (/** @type {HTMLElement} */ element, /** @type {HTMLElement | null} */ submitter = null) => {
    asking++
    await attempt(element, () => send(element, ask, submitter))
    asking--
    if (asking === 0) dialog.renew()
  }
  document.addEventListener('click', (event) => {
    const button = clicked(event, 'button')
    if (button === null) return
    const { open, save: file, copy: text, ask: asked, close } = button.dataset
    if (asked !== undefined) sendFrom(button)
    else if (close !== undefined) closeAround(button)
    if (open !== undefined) attempt(button, () => dialog.open(open))
    if (file !== undefined) attempt(button, () => save(file, ask))
    if (text !== undefined) attempt(button, () => copy(text, button))
  })
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || form.dataset.ask === undefined) return
    event.preventDefault()
    sendFrom(form, submitter)
  })
  // What waited while someone typed, or pressed something that a change could move away before the click.
  const applyWaiting = () => setTimeout(() => applyParts({}))
  document.addEventListener('focusout', applyWaiting)
  document.addEventListener('pointerdown', () => { isPressed = true })
  for (const end of ['pointerup', 'pointercancel']) {
    document.addEventListener(end, () => {
      isPressed = false
      applyWaiting()
    })
  }

  const { parts } = document.body.dataset
  if (parts !== undefined) {
    whileSeen(() => {
      const controller = new AbortController()
      keepReading({ address: parts, headers, signal: controller.signal }, {
        onEvent: (news) => {
          applyParts(news)
          if (asking === 0) dialog.renew()
          onParts()
        },
        onConnection: (isOpen) => sayConnection(isOpen ? '' : lost),
        onRefused
      })
      return () => controller.abort()
    })
  }
  return ask
}

/**
 * Says near an element what comes of it, or why it fails.
 *
 * @param {Element} near
 * @param {() => unknown} act may resolve to a sentence
 * @returns {Promise<boolean>} has it worked?
 */
export async function attempt (near, act) {
  const place = saidNear(near)
  const say = (/** @type {string} */ sentence) => { if (place !== null) show(place, withCode(sentence)) }
  say('')
  for (const field of allOf('[aria-invalid]', near)) field.removeAttribute('aria-invalid')
  try {
    const said = await act()
    if (typeof said === 'string') say(said)
    return true
  } catch (error) {
    say(error.message)
    const [field] = error.field === undefined ? [] : allOf(`[name="${error.field}"]`, near)
    field?.setAttribute('aria-invalid', 'true')
    field?.focus()
    return false
  }
}

/** Not that of another form. @param {Element} near */
function saidNear (near) {
  const forms = [null, near.closest('form')]
  for (let around = /** @type {Element | null} */ (near); around !== null; around = around.parentElement) {
    const found = allOf('[data-said]', around).find((one) => forms.includes(one.closest('form')))
    if (found !== undefined) return found
  }
  return null
}

/**
 * @param {HTMLElement} element with `data-ask`
 * @param {Ask} ask
 * @param {HTMLElement | null} [submitter] the button of the form
 * @returns {Promise<string>} what's to be said
 */
async function send (element, ask, submitter = null) {
  const { ask: asked = '', sure, reset, close, body } = element.dataset
  if ((submitter ?? element).getAttribute('aria-disabled') === 'true') return ''
  if (sure !== undefined && !await isSure(sure)) return ''
  const [method, path] = asked.split(' ')
  const form = element instanceof HTMLFormElement ? element : null
  const own = { ...JSON.parse(body ?? '{}'), ...JSON.parse(submitter?.dataset.body ?? '{}') }
  const files = form === null
    ? []
    : allOf('input[type=file]', form).flatMap((input) =>
      input instanceof HTMLInputElement ? [...input.files ?? []] : [])
  const one = async (/** @type {object} */ fields) => {
    const response = await ask(path, { method, body: { ...fields, ...own } })
    const { parts = {}, said = '', focus, go } = await response.json().catch(() => ({}))
    if (go !== undefined) location.assign(go)
    leave()
    applyParts(parts, focus)
    return said
  }
  const said = files.length > 0 ? await sendFiles(files, one) : await one(form === null ? {} : fieldsOf(form))
  if (reset !== undefined) form?.reset()
  if (close !== undefined) closeAround(element)
  return said
}

/** @param {Element} element */
function closeAround (element) {
  const around = element.closest('dialog, details')
  if (around instanceof HTMLDialogElement) around.close()
  else around?.removeAttribute('open')
}

/** What was pressed or typed is sent: its part needn't wait any longer. */
function leave () {
  const focused = document.activeElement
  if (focused instanceof HTMLElement && focused.closest('[data-part]') && isInUse(focused)) focused.blur()
}

/** Numbers as such, boxes as booleans, and a name that occurs several times as a list. @param {HTMLFormElement} form */
function fieldsOf (form) {
  /** @type {Record<string, any>} */
  const fields = {}
  for (const field of /** @type {Iterable<any>} */ (form.elements)) {
    const name = field.getAttribute('name') ?? ''
    if (name === '' || (field.type === 'radio' && !field.checked)) continue
    const value = { checkbox: field.checked, number: field.valueAsNumber }[String(field.type)] ?? field.value
    fields[name] = name in fields ? [fields[name], value].flat() : value
  }
  return fields
}

/** JSON, one file after the other. @param {File[]} files @param {(fields: object) => Promise<string>} one */
async function sendFiles (files, one) {
  const lines = []
  for (const file of files) {
    const said = await file.text().then(JSON.parse).then(one).catch(({ name, message }) => name === 'SyntaxError'
      ? 'This file wasn’t written by the workshop: export it again.'
      : message)
    lines.push(`${file.name}: ${said}`)
  }
  return lines.join('\n')
}

/** @param {string} question `Title? | What happens then. | Yes` @returns {Promise<boolean>} */
function isSure (question) {
  const [title, text, yes] = question.split('|').map((part) => part.trim())
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('aria-labelledby', 'sure-title')
  dialog.setAttribute('aria-describedby', 'sure-text')
  show(dialog, html`<h2 id="sure-title">${title}</h2><p id="sure-text">${text}</p>
<form method="dialog" class="buttons"><button value="no" autofocus>No, leave it</button>
<button value="yes" class="danger">${yes}</button></form>`)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes')
      dialog.remove()
    })
  })
}

/** The dialog of `data-open`: its heading has the id `dialog-title`. @param {Ask} ask */
function createDialog (ask) {
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('aria-labelledby', 'dialog-title')
  show(dialog, html`<div></div><p role="alert" data-said></p>
<p class="buttons"><button type="button" data-close>Close</button></p>`)
  let path = ''
  const renew = async () => {
    if (path === '') return
    const wanted = path
    const text = await (await ask(path, { method: 'GET' })).text()
    const [content] = dialog.children
    if (path === wanted && !isInUse(content)) show(content, trusted(text))
  }
  dialog.addEventListener('close', () => { path = '' })
  return {
    open: async (/** @type {string} */ wanted) => {
      path = wanted
      await renew()
      if (!dialog.open) dialog.showModal()
    },
    // What it shows may be gone. Closed, it says so only a little later, by its event.
    renew: () => { if (dialog.open) renew().catch(() => dialog.close()) }
  }
}

/** @param {string} path @param {Ask} ask */
async function save (path, ask) {
  const response = await ask(path, { method: 'GET' })
  const [, name = ''] = /filename="?([\w.-]+)/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(await response.blob()), download: name
  })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** @param {string} text @param {HTMLElement} button */
async function copy (text, button) {
  if (navigator.clipboard !== undefined) await navigator.clipboard.writeText(text)
  else {
    // Without HTTPS, there's only the old way.
    const area = button.appendChild(document.createElement('textarea'))
    area.value = text
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (!isCopied) throw new Error('This browser doesn’t copy: mark the text instead.')
  }
  const { textContent } = button
  button.textContent = 'Copied'
  setTimeout(() => { button.textContent = textContent }, 1500)
}

/** @param {string} sentence empty: there's a connection */
function sayConnection (sentence) {
  const place = document.getElementById('connection') ?? document.createElement('p')
  if (!place.isConnected) {
    Object.assign(place, { id: 'connection', className: 'note', role: 'status' })
    document.querySelector('main')?.prepend(place)
  }
  place.hidden = sentence === ''
  show(place, withCode(sentence))
}

/** The server sends something every 15 s: a connection that is silent for longer is dead. */
const silenceMs = 40_000

/**
 * By fetch, since an EventSource can't carry a secret.
 *
 * @param {{ address: string, headers: Record<string, string>, signal: AbortSignal }} stream
 * @param {{ onEvent: (parts: Record<string, string>) => void, onConnection: (isOpen: boolean) => void,
 *   onRefused: (sentence: string) => void }} told
 */
async function keepReading (stream, told) {
  while (!stream.signal.aborted) {
    try {
      await read(stream, told)
    } catch (error) {
      // A retry would be refused, too.
      if (error.isRefusal && !stream.signal.aborted) return told.onRefused(error.message)
    }
    if (stream.signal.aborted) return
    told.onConnection(false)
    // Not all of them at the same moment.
    await new Promise((resolve) => setTimeout(resolve, 500 + 1000 * Math.random()))
  }
}

/** @param {Parameters<typeof keepReading>[0]} stream @param {Parameters<typeof keepReading>[1]} told */
async function read ({ address, headers, signal }, { onEvent, onConnection }) {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  try {
    const response = await fetch(address, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    if (!response.ok || response.body === null) {
      const { error } = await response.json().catch(() => ({}))
      throw Object.assign(new Error(error), { isRefusal: error !== undefined && response.status < 429 })
    }
    onConnection(true)
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      const events = (rest + value).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const [, json] = /^data: (.*)$/m.exec(event) ?? []
        if (json !== undefined) onEvent(JSON.parse(json))
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Parts that weren't shown yet, because someone types there or presses something. @type {Map<string, string>} */
const waiting = new Map()
let isPressed = false
/** The id of what gets the focus as soon as it's there. */
let wanted = ''

/** @param {Record<string, string>} news @param {string} [focus] */
export function applyParts (news, focus = wanted) {
  for (const [name, text] of Object.entries(news)) waiting.set(name, text)
  for (const [name, text] of waiting) {
    const places = allOf(`[data-part="${CSS.escape(name)}"]`)
    if (isPressed || places.some(isInUse)) continue
    for (const place of places) show(place, trusted(text))
    waiting.delete(name)
  }
  wanted = focus
  const found = wanted === '' ? null : document.getElementById(wanted)
  if (found === null) return
  wanted = ''
  found.focus()
}

/** Does someone type there, or is something focused that couldn't be found again? @param {Element} place */
function isInUse (place) {
  const focused = document.activeElement
  if (focused === null || !place.contains(focused)) return false
  return focused.id === '' || focused.matches('input, textarea, select')
}

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T} the element of this page
 */
export function byId (id, kind = /** @type {new () => T} */ (HTMLElement)) {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${kind.name} with the id ${id}.`)
}

/** @param {string} selector @param {ParentNode} [place] @returns {HTMLElement[]} */
export function allOf (selector, place = document) {
  return [...place.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement)
}

/** What was clicked, or what it is part of. @param {Event} event @param {string} selector */
export function clicked ({ target }, selector) {
  const found = target instanceof Element ? target.closest(selector) : null
  return found instanceof HTMLElement ? found : null
}

/** What the server put into the page for its scripts. @returns {any} */
export function readData () {
  return JSON.parse(byId('data').textContent ?? '')
}

/**
 * @typedef {ReturnType<typeof createAsk>} Ask asks the server to do something; default POST. It rejects with the
 *   server's own sentence, and with the name of the `field` that it's about, if any
 *
 * @param {Record<string, string>} headers that authorize the request
 * @param {string} silence a sentence for when there's no response
 */
function createAsk (headers, silence) {
  return async (/** @type {string} */ path, /** @type {{ method?: string, body?: unknown }} */ options = {}) => {
    const { method = 'POST', body } = options
    const response = await fetch(path, {
      method,
      headers: { ...headers, ...body === undefined ? {} : { 'Content-Type': 'application/json' } },
      body: body === undefined ? undefined : JSON.stringify(body)
    }).catch(() => {
      throw new Error(silence)
    })
    if (response.ok) return response
    const { error, field } = await response.json().catch(() => ({}))
    throw Object.assign(new Error(error ?? `The server answered with the status ${response.status}.`), { field })
  }
}

/** What was shown last in each place. @type {WeakMap<Element, string>} */
const shown = new WeakMap()

/**
 * Changes a page in place: what hasn't changed stays as it is, with what is selected, open and focused there.
 *
 * @param {Element} place
 * @param {Html} content
 */
export function show (place, content) {
  const text = String(content)
  if (shown.get(place) === text) return
  shown.set(place, text)
  const template = document.createElement('template')
  template.innerHTML = text
  // As a browser writes it: the page came with it.
  if (template.innerHTML === place.innerHTML) return
  const open = new Set(Array.from(place.querySelectorAll('details[open] > summary'), ({ textContent }) => textContent))
  for (const summary of template.content.querySelectorAll('details > summary')) {
    if (open.has(summary.textContent)) summary.parentElement?.setAttribute('open', '')
  }
  const chosen = place instanceof HTMLSelectElement && place.options.length > 0 ? place.value : null
  const children = [...template.content.children]
  keepFocus(() => {
    if (children.length > 0 && children.every((child) => child.hasAttribute('data-key'))) showKeyed(place, children)
    else place.replaceChildren(template.content)
  })
  // What was chosen and is gone mustn't turn into something else.
  if (chosen !== null && place instanceof HTMLSelectElement) place.value = chosen
}

/** @param {Element} place @param {Element[]} children in their order, each with a `data-key` */
function showKeyed (place, children) {
  const known = new Map(Array.from(place.children, (child) => [child.getAttribute('data-key'), child]))
  let next = place.firstElementChild
  for (const child of children) {
    const before = known.get(child.getAttribute('data-key'))
    const one = before?.outerHTML === child.outerHTML ? before : child
    if (before !== undefined && (one === before || before === next)) known.delete(one.getAttribute('data-key'))
    if (before === undefined || before !== next) {
      place.insertBefore(one, next)
      continue
    }
    next = next.nextElementSibling
    if (one !== before) before.replaceWith(one)
  }
  for (const child of known.values()) child.remove()
}

/** @param {() => void} act */
function keepFocus (act) {
  const before = document.activeElement
  act()
  if (!before?.id || before === document.activeElement) return
  document.getElementById(before.id)?.focus({ preventScroll: true })
}

/**
 * A hidden page holds no connection: a browser has six for all pages of one server.
 *
 * @param {() => (() => void)} open returns a function that closes it
 */
function whileSeen (open) {
  /** @type {(() => void) | null} */
  let close = null
  const follow = () => {
    if (!document.hidden) close ??= open()
    else {
      close?.()
      close = null
    }
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
