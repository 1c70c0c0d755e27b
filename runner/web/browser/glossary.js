import { clicked } from '../../http/browser.js'

/** A term is explained where it is met; without this module, its link leads to the glossary. */
const box = document.body.appendChild(document.createElement('aside'))
box.className = 'term'
box.popover = 'auto'
box.autofocus = true
box.tabIndex = -1

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
  box.replaceChildren(...explanationOf(heading), wayTo(link.href))
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

/** @param {string} href */
function wayTo (href) {
  const link = document.createElement('a')
  link.href = href
  link.textContent = 'In the glossary'
  link.className = 'soft'
  return link
}

/** Below the term, or above it where there is no room. @param {DOMRect} term */
function place (term) {
  const { width, height } = box.getBoundingClientRect()
  const below = term.bottom + 8 + height <= innerHeight
  box.style.left = `${Math.max(8, Math.min(term.left, innerWidth - width - 8))}px`
  box.style.top = `${Math.max(8, below ? term.bottom + 8 : term.top - height - 8)}px`
}
