/** The door of the reports: events and result records in, text out. Nothing is measured here. */
export { capabilitiesOf } from './capabilities.js'
export { diffText, filesText } from './files.js'
export { jsonReport } from './json.js'
export { sparkline } from './layout/sparkline.js'
export { wrapText } from './layout/text.js'
export { createTheme } from './layout/theme.js'
export { markdownText } from './markdown.js'
export { blockText, sectionsText } from './sections.js'
export { progressTable, summaryTable } from './tables.js'
export { createTerminalReport } from './terminal.js'

/** @typedef {import('./sections.js').Section} Section */
