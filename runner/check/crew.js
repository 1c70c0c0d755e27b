import { startServer } from '../server/index.js'
import { markerOf, signalOurs } from '../system/index.js'

/**
 * All servers of one check: started here, and stopped here whatever happens.
 *
 * @typedef {object} Crew
 * @property {(role: 'baseline' | 'yours', place: { dir: string, shownDir: string }, more?: StartOptions) => Promise<import('../server/start.js').Started>} start
 * @property {(place: { dir: string, shownDir: string }) => Promise<import('../server/start.js').Server>} startOracle
 *   one more slow server, with which answers are compared
 * @property {(server: import('../server/start.js').Server) => Promise<void>} stop
 * @property {() => Promise<void>} stopAll
 * @property {() => string[]} warnings what was odd about the submission's end, as sentences
 *
 * @typedef {Pick<Parameters<typeof startServer>[0], 'nodeArgs' | 'env' | 'inspect' | 'through' | 'readyTimeoutMs' | 'stdio' | 'port'> & { files?: Record<string, string> }} StartOptions
 *   files: further ones in its DATA_DIR
 */

/**
 * @param {object} options
 * @param {import('./prepare.js').Prepared} options.prepared
 * @param {() => import('../upstream/index.js').UpstreamProcess | null} [options.upstream] where the lesson has one
 * @param {boolean} [options.inspect] start the servers with V8's inspector
 * @param {AbortSignal} [options.signal]
 * @returns {Crew}
 */
export function createCrew ({ prepared, upstream = () => null, inspect = false, signal }) {
  const { guard } = prepared
  const { runMarker } = guard
  /** @type {Set<import('../server/start.js').Server>} */
  const running = new Set()
  /** By pid. @type {Map<number, import('../system/process-table.js').Identity>} */
  const spawned = new Map()
  const odd = { forced: false, strays: 0, flood: 0 }
  // What is still being started when all are stopped is not started any more.
  const over = new AbortController()
  const untilOver = signal ? AbortSignal.any([signal, over.signal]) : over.signal

  // Should we ourselves end without warning, nothing may stay behind.
  const lastResort = () => { signalOurs({ noted: [...spawned.values()], markers: [markerOf('run', runMarker)] }, 'SIGKILL') }
  process.once('exit', lastResort)

  const stop = async (/** @type {import('../server/start.js').Server} */ server) => {
    const { forced, strays } = await server.stop()
    running.delete(server)
    spawned.delete(server.pid)
    guard.forget(server.pid)
    if (server.role !== 'yours') return
    odd.forced ||= forced
    odd.strays = Math.max(odd.strays, strays)
    odd.flood = Math.max(odd.flood, server.outputBytes())
  }
  const start = async (/** @type {'baseline' | 'yours'} */ role, /** @type {{ dir: string, shownDir: string }} */ place, /** @type {StartOptions} */ { files, ...more } = {}) => {
    const behind = await upstream()?.open() ?? null
    const started = await startServer({
      ...place,
      inspect,
      ...more,
      role,
      upstream: behind,
      dataDir: prepared.newDataDir(files),
      // Each server has a marker of its own, so that stopping one does not stop the other.
      runMarker,
      ownMarker: `${runMarker}/${++serverNumber}`,
      signal: untilOver,
      onNote: (one) => {
        spawned.set(one.pid, one)
        guard.note(one)
      }
    })
    if (started.server) running.add(started.server)
    return started
  }
  let serverNumber = 0

  return {
    start,
    startOracle: async (place) => {
      const { server, failure } = await start('baseline', place)
      if (failure !== null) throw new Error(failure)
      return server
    },
    stop,
    stopAll: async () => {
      over.abort()
      await Promise.all([...running].map(stop))
      lastResort()
      spawned.clear()
      process.off('exit', lastResort)
    },
    warnings: () => {
      const warnings = []
      if (odd.forced) warnings.push('Your server ignored the request to stop (SIGTERM) and had to be killed. In production, close the server when SIGTERM comes.')
      if (odd.strays > 0) warnings.push(`Your server left ${odd.strays === 1 ? 'a process' : `${odd.strays} processes`} behind when it was stopped; the check stopped ${odd.strays === 1 ? 'it' : 'them'}. End what you start.`)
      if (odd.flood > 5_000_000) warnings.push(`Your server wrote ${Math.round(odd.flood / 1e6)} MB to its output. Writing it costs time: what are these lines for?`)
      return warnings
    }
  }
}
