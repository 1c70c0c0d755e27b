/** The door of the reports: events and result records in, text out. Nothing is measured here. */
export { sectionsText } from './sections.js'
export { createTerminalReport } from './terminal.js'
export { jsonReport } from './json.js'
export { progressTable, summaryTable } from './tables.js'
