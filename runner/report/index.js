/** The door of the reports: events and result records in, text out. Nothing is measured here. */
export { capabilitiesOf } from './capabilities.js'
export { githubAnnotations } from './formats/annotations.js'
export { csvText } from './formats/csv.js'
export { exercismReport } from './formats/exercism.js'
export { gradescopeReport } from './formats/gradescope.js'
export { githubSummary } from './formats/job-summary.js'
export { junitReport } from './formats/junit.js'
export { diffText, filesText } from './file-tables.js'
export { jsonReport } from './json.js'
export { roughnessOf, sayUnchanged, whyRough } from './layout/preview-notes.js'
export { unicodeMarks } from './layout/marks.js'
export { sparkline } from './layout/sparkline.js'
export { wrapText } from './layout/text.js'
export { createTheme } from './layout/theme.js'
export { createLiveRegion } from './live-region.js'
export { markdownText } from './markdown-text.js'
export { blockText, sectionsText } from './profile-sections.js'
export { gradesTable, progressTable, rehearsalTable, summaryTable } from './tables.js'
export { afterEvent, noProgress } from './progress.js'
export { createTerminalReport } from './terminal.js'
export { certificatePage } from './formats/certificate.js'
export { escapeHtml, html, paragraphs, trusted, withCode } from './html.js'
export { htmlPage } from './page.js'
export { emptyWatch } from './layout/watch.js'
export { createWatchScreen } from './watch-screen.js'

/**
 * @typedef {import('./html.js').Html} Html
 * @typedef {import('./profile-sections.js').Section} Section
 * @typedef {import('./layout/watch.js').WatchState} WatchState
 * @typedef {import('./watch-screen.js').WatchScreen} WatchScreen
 */
