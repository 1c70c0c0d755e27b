/** The door of the reports: events and result records in, text out. Nothing is measured here. */
export { capabilitiesOf } from './capabilities.js'
export { jsonReport } from './json.js'
export { sparkline } from './layout/sparkline.js'
export { createTheme } from './layout/theme.js'
export { sectionsText } from './sections.js'
export { progressTable, summaryTable } from './tables.js'
export { afterEvent, noProgress } from './progress.js'
export { createTerminalReport } from './terminal.js'
export { emptyWatch } from './layout/watch.js'
export { createWatchScreen } from './watch-screen.js'

/**
 * @typedef {import('./sections.js').Section} Section
 * @typedef {import('./layout/watch.js').WatchState} WatchState
 */
