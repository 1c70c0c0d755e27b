/**
 * @import { ReportFiles } from '../report-files.js'
 * @import { Section } from '../../report/index.js'
 * @import { Target } from '../under-load.js'
 *
 * @typedef {object} ToolGiven
 * @property {Target} target
 * @property {string} which `slow`, `mine`, `solution` or a folder: what was asked for
 * @property {string} title `Lesson 2, your server`
 * @property {Target | null} compareWith with --compare: the slow server
 * @property {[string, string]} [names] what the two are called, where they are no lesson's
 * @property {boolean} [all] also the tables in which there is little to see
 * @property {number} seconds how long to record
 * @property {ReportFiles} files where to write
 * @property {(text: string) => void} say a line to the learner while it runs
 *
 * @typedef {object} ToolResult
 * @property {Section[]} sections the summary
 * @property {string | null} report the file to open, where there is one
 * @property {string[]} kept further files, as Chrome DevTools or other tools read them
 *
 * @typedef {{ about: string, compares?: boolean, load: () => Promise<{ run: (given: ToolGiven) => Promise<ToolResult>
 *   }> }} Tool
 */
export {}
