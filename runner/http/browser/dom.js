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
