import { allOf } from '../../http/browser.js'

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
