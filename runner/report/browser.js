/** The second door of the reports, for modules that also run in a browser: nothing behind it needs Node.js. */
export { dataElement, html, tableHtml, trusted, withCode } from './html.js'
export { unicodeMarks as marks } from './marks.js'
export {
  axisOf, errorOf, formatCount, formatDuration, formatInterval, formatNumber, formatRatio, formatTarget, formatWhen,
  gateColumns, sayAbout, whyRough
} from './numbers.js'
export { afterEvent, noProgress } from './check-progress.js'

/**
 * @typedef {import('./html.js').Html} Html
 * @typedef {import('./check-progress.js').Progress} Progress
 */
