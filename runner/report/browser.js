/** The second door of the reports, for modules that also run in a browser: nothing behind it needs Node.js. */
export { axisOf } from './layout/axis.js'
export { gateColumns } from './layout/gate-columns.js'
export { errorOf, sayAbout, whyRough } from './layout/preview-notes.js'
export { unicodeMarks as marks } from './layout/marks.js'
export {
  formatCount, formatDuration, formatInterval, formatNumber, formatRatio, formatTarget
} from './layout/numbers.js'
export { formatWhen } from './layout/when.js'
export { dataElement, html, trusted, withCode } from './html.js'
export { afterEvent, noProgress } from './progress.js'

/**
 * @typedef {import('./html.js').Html} Html
 * @typedef {import('./progress.js').Progress} Progress
 */
