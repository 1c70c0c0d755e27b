import { allOf } from '../../http/browser.js'

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

let isPlanned = false
addEventListener('scroll', () => {
  if (isPlanned) return
  isPlanned = true
  requestAnimationFrame(() => {
    isPlanned = false
    markCurrent()
  })
}, { passive: true })
markCurrent()
