/**
 * The tools of `npm run profile`, by name; the first is the default. Each lies in a file of its own, which is imported
 * when it is asked for.
 *
 * @import { ReportFiles } from '../files.js'
 * @import { Section } from '../../report/index.js'
 * @import { Target } from '../under-load.js'
 *
 * @typedef {object} ToolGiven
 * @property {Target} target
 * @property {string} which `slow`, `mine`, `solution` or a folder: what was asked for
 * @property {string} title `Lesson 2, your server`
 * @property {Target | null} compareWith with --compare: the slow server
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
 *
 * @type {Record<string, Tool>}
 */
export const tools = {
  cpu: {
    about: 'which function has the processor: V8’s CPU profile, a summary and a flame graph',
    compares: true,
    load: () => import('./cpu.js')
  },
  heap: {
    about: 'what memory is held, and by whom: allocations, and two heap snapshots compared',
    load: () => import('./heap.js')
  },
  trace: {
    about: 'event loop, garbage collection, CPU, memory and handles over time, as a chart',
    load: () => import('./trace.js')
  },
  prof: { about: 'V8’s own --prof, processed and explained section by section', load: () => import('./prof.js') },
  inspect: { about: 'under load in the background, for Chrome DevTools', load: () => import('./inspect.js') },
  doctor: { about: 'clinic doctor', load: () => import('./clinic.js').then(({ clinicTool }) => clinicTool('doctor')) },
  flame: { about: 'clinic flame', load: () => import('./clinic.js').then(({ clinicTool }) => clinicTool('flame')) },
  bubbleprof: {
    about: 'clinic bubbleprof',
    load: () => import('./clinic.js').then(({ clinicTool }) => clinicTool('bubbleprof'))
  },
  heapprofiler: {
    about: 'clinic heapprofiler',
    load: () => import('./clinic.js').then(({ clinicTool }) => clinicTool('heapprofiler'))
  }
}
