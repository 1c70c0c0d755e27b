/**
 * The tools of `npm run profile`, by name; the first is the default. Each is in a separate file, imported
 * when it's needed.
 *
 * @import { Tool } from './tool.js'
 *
 * @type {Record<string, Tool>}
 */
export const tools = {
  cpu: {
    about: 'where the CPU time goes: V8’s CPU profile, a summary and a flame graph',
    compares: true,
    load: () => import('./cpu.js')
  },
  heap: {
    about: 'what memory is held, and by what: allocations, and two heap snapshots compared',
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
