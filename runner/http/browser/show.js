import { trusted } from '../../report/browser.js'
import { allOf } from './dom.js'

/**
 * Changes a page in place: what hasn't changed stays as it is, with what is selected and focused there.
 *
 * @import { Html } from '../../report/browser.js'
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
