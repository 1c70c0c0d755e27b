import { allOf } from '../../http/browser.js'
import { turnTogether } from './slide-keys.js'

const slides = allOf('.slide')

/** The one nearest to the top of the window. */
function at () {
  const tops = slides.map((slide) => Math.abs(slide.getBoundingClientRect().top))
  return tops.indexOf(Math.min(...tops))
}

turnTogether({ count: () => slides.length, at, show: (to) => slides[to]?.scrollIntoView() })
