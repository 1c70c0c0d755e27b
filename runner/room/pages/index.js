/** The pages of a room: pure functions of data, which `server/` sends. */
export { boardPage } from './board.js'
export { classPage } from './class.js'
export { joinPage } from './join.js'
export { projectorPage } from './projector.js'
export { keyHtml } from './key.js'
export { presenterPage } from './presenter.js'
export { slidesPage, slidesWithNotes } from './slides.js'
export { talkHtml } from './talk.js'

/** @typedef {import('./slides.js').Slide} Slide */
