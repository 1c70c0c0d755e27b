import { trusted } from '../report/browser.js'

/** @import { Html } from '../report/browser.js' */

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
 * @param {string} silence a sentence for when there is no answer
 */
export function createAsk (headers, silence) {
  return async (/** @type {string} */ path, /** @type {{ method?: string, body?: unknown }} */ options = {}) => {
    const { method = 'POST', body } = options
    const answer = await fetch(path, {
      method,
      headers: { ...headers, ...body === undefined ? {} : { 'Content-Type': 'application/json' } },
      body: body === undefined ? undefined : JSON.stringify(body)
    }).catch(() => {
      throw new Error(silence)
    })
    if (answer.ok) return answer
    const { error, field } = await answer.json().catch(() => ({}))
    throw Object.assign(new Error(error ?? `The server answered with the status ${answer.status}.`), { field })
  }
}

/**
 * Changes a page in place: what hasn't changed stays as it is, with what is selected and focused there.
 */

/** What was shown last in each place. @type {WeakMap<Element, string>} */
const shown = new WeakMap(allOf('[data-part]').map((part) => [part, part.innerHTML]))

/** @param {Element} place @param {Html} content */
export function show (place, content) {
  const text = String(content)
  if ((shown.get(place) ?? place.innerHTML) === text) return
  shown.set(place, text)
  const open = new Set(Array.from(place.querySelectorAll('details[open] > summary'), textOf))
  keepFocus(() => { place.innerHTML = text })
  for (const summary of place.querySelectorAll('details > summary')) {
    if (open.has(textOf(summary))) summary.parentElement?.setAttribute('open', '')
  }
}

/** @param {HTMLTableSectionElement} body @param {{ key: number, cells: Html }[]} rows in their order */
export function showRows (body, rows) {
  const known = new Map([...body.rows].map((row) => [row.dataset.key, row]))
  keepFocus(() => {
    let next = body.firstElementChild
    for (const { key, cells } of rows) {
      const row = known.get(String(key)) ?? document.createElement('tr')
      known.delete(String(key))
      row.dataset.key = String(key)
      show(row, cells)
      if (row === next) next = row.nextElementSibling
      else body.insertBefore(row, next)
    }
    for (const row of known.values()) row.remove()
  })
}

/**
 * Shows each part of the page (`data-part`). Where someone types or reads, a part waits for the next time.
 *
 * @param {(name: string) => Html | null} contentOf null: it stays as it is
 */
export function showParts (contentOf) {
  for (const part of allOf('[data-part]')) {
    const content = part.contains(document.activeElement) ? null : contentOf(part.dataset.part ?? '')
    if (content !== null) show(part, content)
  }
}

/** Fetches this page again and shows its parts: for what only the server knows. */
export async function renewParts () {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null)
  // The code that listens to the events reports a lost connection.
  if (!answer?.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  showParts((name) => {
    const [news] = allOf(`[data-part="${name}"]`, page)
    return news === undefined ? null : trusted(news.innerHTML)
  })
}

/** @param {() => void} act */
function keepFocus (act) {
  const before = document.activeElement
  act()
  if (!before?.id || before === document.activeElement) return
  document.getElementById(before.id)?.focus({ preventScroll: true })
}

/** @param {Element} element */
function textOf (element) {
  return element.textContent
}

/**
 * A hidden page holds no connection: a browser has six for all pages of one server.
 *
 * @param {() => (() => void)} open returns a function that closes it
 */
export function whileSeen (open) {
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
