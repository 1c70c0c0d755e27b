/** The door of the reports: events and result records in, text out. Nothing is measured here. */
export { diffText, filesText } from './file-tables.js'
export { csvText } from './formats/cases.js'
export { githubAnnotations, githubSummary } from './formats/github.js'
export { exercismReport, gradescopeReport, junitReport } from './formats/platforms.js'
export { escapeHtml, html, paragraphs, tableHtml, trusted, withCode } from './html.js'
export { gradesTable, progressTable, rehearsalTable, summaryTable } from './lesson-tables.js'
export { capabilitiesOf, createLiveRegion } from './live-region.js'
export { markdownText } from './markdown.js'
export { unicodeMarks } from './marks.js'
export { roughnessOf, sayUnchanged, whyRough } from './numbers.js'
export { certificatePage, htmlPage } from './page.js'
export { blockText, sectionsHtml, sectionsText } from './profile-sections.js'
export { afterEvent, noProgress } from './progress.js'
export { sparkline } from './section.js'
export { createTerminalReport } from './terminal.js'
export { createTheme, jsonReport, wrapText } from './theme.js'
export { createWatchScreen, emptyWatch } from './watch-screen.js'

/**
 * @typedef {import('./html.js').Html} Html
 * @typedef {import('./profile-sections.js').Section} Section
 * @typedef {import('./watch-screen.js').WatchScreen} WatchScreen
 * @typedef {import('./watch-screen.js').WatchState} WatchState
 */
