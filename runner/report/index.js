/** The door of the reports: events and result records in, text out. Nothing is measured here. */
export { differencesOf, diffText, filesText, linesOf } from './file-tables.js'
export { csvText, gradescopeReport, jsonReport, junitReport } from './formats/cases.js'
export { githubAnnotations, githubSummary } from './formats/github.js'
export { escapeHtml, html, paragraphs, tableHtml, trusted, withCode } from './browser.js'
export { lessonTable, namedCells, progressTable, secondary, summaryTable, verdictCell } from './lesson-tables.js'
export { createLiveRegion } from './live-region.js'
export { unicodeMarks as marks } from './marks.js'
export {
  errorOf, formatCount, formatDuration, formatInterval, formatNumber, formatRatio, formatTarget, formatWhen,
  gateColumns, roughnessOf, sayAbout, sayMore, sayUnchanged, whyRough
} from './numbers.js'
export { certificatePage, htmlPage } from './page.js'
export { markdownText } from './plain-text.js'
export { afterEvent, noProgress } from './check-progress.js'
export { blockText, sectionsHtml, sectionsMarkdown, sectionsText, sparkline } from './section.js'
export { createTerminalReport } from './running-check.js'
export { layoutFitted, secondaryRow } from './table.js'
export { capabilitiesOf, createTheme, themeFor, wrapText } from './theme.js'
export { createWatchScreen, emptyWatch } from './watch-screen.js'

/**
 * @typedef {import('./file-tables.js').Difference} Difference
 * @typedef {import('./browser.js').Html} Html
 * @typedef {import('./check-progress.js').Progress} Progress
 * @typedef {import('./section.js').Section} Section
 * @typedef {import('./table.js').Cell} Cell
 * @typedef {import('./theme.js').TextOptions} TextOptions
 * @typedef {import('./theme.js').Theme} Theme
 * @typedef {import('./watch-screen.js').WatchScreen} WatchScreen
 * @typedef {import('./watch-screen.js').WatchState} WatchState
 */
