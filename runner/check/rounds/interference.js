import { hasStrangers, isStopped, scheduling } from '../../system/index.js'

/**
 * @import { Generator } from '../../load/index.js'
 * @import { Server } from '../../session/index.js'
 */

const lookEveryMs = 40
/**
 * Some checks take milliseconds on a machine with many connections: they come rarely, the first at a moment that no
 * program can foretell.
 */
const lookCloselyMs = 400

/**
 * Do all threads of them get cores as ours do? What a server does to itself is its own affair. What we cannot see is
 * taken for equal.
 *
 * @param {readonly number[]} pids
 */
function scheduledAsWe (pids) {
  const [ours] = scheduling(process.pid) ?? []
  return ours === undefined || pids.every((pid) => (scheduling(pid) ?? []).every((way) => way === ours))
}

/**
 * Checks now and then whether another program keeps the server under load from its work.
 *
 * @param {Server} server
 * @param {Server} other
 * @param {Generator} generator
 */
export function watchForInterference (server, other, generator) {
  const seen = { stopped: false, connectedToBaseline: false, interfered: /** @type {string | null} */ (null) }
  const baseline = server.role === 'baseline' ? server : other
  const upstreamPort = baseline.upstream ? Number(new URL(baseline.upstream.url).port) : null
  const timer = setInterval(() => {
    seen.stopped ||= server.isStopped() || isStopped(generator.pid)
    seen.connectedToBaseline ||= other.isConnectedTo(server.port)
    // Some systems change the priority of whole kinds of programs: what they do to all of ours is no interference.
    if (!scheduledAsWe([baseline.pid, ...baseline.members(), generator.pid])) {
      seen.interfered ??= 'its priority, or the cores that it may run on, were changed.'
    }
  }, lookEveryMs)
  const lookClosely = () => {
    // The look costs time: both servers pay for it, though it is about the baseline only.
    const hasVisitors = hasStrangers(server.port, [generator.pid, process.pid])
    if (server === baseline && hasVisitors) {
      // Is it the submission? It may have come since the last look.
      seen.connectedToBaseline ||= other.isConnectedTo(server.port)
      if (!seen.connectedToBaseline) seen.interfered ??= 'another program was connected to it while it was measured.'
    }
    if (upstreamPort !== null && hasStrangers(upstreamPort, baseline.members())) {
      seen.interfered ??= 'another program called its upstream.'
    }
    closely = setTimeout(lookClosely, lookCloselyMs)
  }
  let closely = setTimeout(lookClosely, Math.random() * (lookCloselyMs / 2))
  return {
    seen,
    stop: () => {
      clearInterval(timer)
      clearTimeout(closely)
    }
  }
}
