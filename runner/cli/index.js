/** The door for products beside the engine, whose commands `main.js` knows. */
export { openReports, reportOptions } from './report-files.js'
export { budgetOf, flag, openLink, portOf, say, text, wholeNumber } from './say.js'
export { examineMachine, hasState, showFindings } from './commands/open-workshop.js'

/**
 * @typedef {import('./say.js').Command} Command
 * @typedef {import('./say.js').Flag} Flag
 * @typedef {import('./say.js').Given} Given
 */
