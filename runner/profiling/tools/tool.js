/**
 * @import { ReportFiles } from '../report-files.js'
 * @import { Section } from '../../report/index.js'
 * @import { Target } from '../under-load.js'
 *
 * @typedef {object} ToolGiven
 * @property {Target} target
 * @property {string} which `slow`, `mine`, `solution` or a folder, as requested
 * @property {string} title `Lesson 2, your server`
 * @property {Target | null} compareWith with --compare: the slow server
 * @property {[string, string]} [names] names of the two, if they aren't a lesson's
 * @property {boolean} [all] also the tables with little to see
 * @property {number} seconds how long to record
 * @property {ReportFiles} files where to write
 * @property {(text: string) => void} say a line to the learner while it runs
 *
 * @typedef {object} ToolResult
 * @property {Section[]} sections the summary
 * @property {string | null} report the file to open, if any
 * @property {string[]} kept further files, for Chrome DevTools or other tools
 *
 * @typedef {{ about: string, compares?: boolean, load: () => Promise<{ run: (given: ToolGiven) => Promise<ToolResult>
 *   }> }} Tool
 */
export {}
