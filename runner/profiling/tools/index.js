/** @import { Tool } from '../profile-files.js' */

/**
 * The tools of `npm run profile`, by name; the first is the default. Each is in a separate file, imported
 * when it's needed.
 *
 * @type {Record<string, Tool>}
 */
export const tools = {
  cpu: {
    about: 'where the CPU time goes: V8’s CPU profile, a summary and a flame graph',
    isForOwn: true,
    load: () => import('./cpu-tool.js')
  },
  heap: {
    about: 'what memory is held, and by what: allocations, and two heap snapshots compared',
    isForOwn: true,
    load: () => import('./heap.js')
  },
  trace: {
    about: 'event loop, garbage collection, CPU, memory and active resources over time, as a chart',
    isForOwn: true,
    load: () => import('./trace.js')
  },
  loop: {
    about: '300 ms of event loop, callback by callback, with the requests that wait; yours below the slow server’s',
    isForOwn: true,
    load: () => import('./loop.js')
  },
  prof: { about: 'V8’s own --prof, as node --prof-process sums it up', load: () => import('./prof.js') },
  inspect: { about: 'under load in the background, for Chrome DevTools', load: () => import('./inspect.js') },
  doctor: clinic('doctor'),
  flame: clinic('flame'),
  bubbleprof: clinic('bubbleprof'),
  heapprofiler: clinic('heapprofiler')
}

/** @param {string} name @returns {Tool} */
function clinic (name) {
  return { about: `clinic ${name}`, load: async () => (await import('./clinic.js')).clinicTool(name) }
}
