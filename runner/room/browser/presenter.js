import { clockTime } from '../../format.js'
import { byId, createAsk, show } from '../../http/browser.js'
import { html, trusted } from '../../report/browser.js'
import { takeSecret } from './follow.js'
import { turnTogether } from './slide-keys.js'

const ask = createAsk({ Authorization: `Bearer ${takeSecret()}` }, 'The room doesn’t answer: reload this page.')
/** @type {import('../slides.js').Slide[]} */
let slides = []
let shown = 0

const turn = turnTogether({ count: () => slides.length, at: () => shown, show: showSlide })
byId('back').addEventListener('click', () => turn(shown - 1))
byId('on').addEventListener('click', () => turn(shown + 1))

/** @param {number} at */
function showSlide (at) {
  const slide = slides[at]
  if (slide === undefined) return
  shown = at
  const next = slides[at + 1]
  byId('at').textContent = `${at + 1} / ${slides.length}`
  show(byId('slide'), trusted(slide.html))
  show(byId('notes'), slide.notes === '' ? html`<p class="soft">No notes.</p>` : trusted(slide.notes))
  show(byId('next'), next === undefined ? html`<p class="soft">That was the last one.</p>` : trusted(next.html))
}

const showTime = () => { byId('clock').textContent = clockTime(new Date().toISOString()) }
showTime()
setInterval(showTime, 1000)

try {
  slides = await (await ask('/api/class/slides', { method: 'GET' })).json()
  showSlide(0)
  byId('presenter').hidden = false
} catch ({ message }) {
  byId('refused').textContent = message
}
