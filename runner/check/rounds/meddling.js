import { hasStrangers, isStopped, scheduling } from '../../system/index.js'

/**
 * @import { Generator } from '../../load/index.js'
 * @import { Server } from '../../session/index.js'
 */

const lookEveryMs = 40
/**
 * Some looks take milliseconds on a machine with many connections: they come rarely, the first at a moment that nobody
 * can foretell.
 */
const lookCloselyMs = 400

/**
 * Are cores shared out to both in the same way? What we cannot see is taken for equal.
 *
 * @param {number} one
 * @param {number} another
 */
function scheduledAlike (one, another) {
  const [a, b] = [scheduling(one), scheduling(another)]
  return a === null || b === null || a === b
}

/**
 * Looks now and then whether somebody keeps the server under load from its work.
 *
 * @param {Server} server
 * @param {Server} other
 * @param {Generator} generator
 */
export function watchForMeddling (server, other, generator) {
  const seen = { stopped: false, visited: false, meddled: /** @type {string | null} */ (null) }
  const baseline = server.role === 'baseline' ? server : other
  const upstreamPort = baseline.upstream ? Number(new URL(baseline.upstream.url).port) : null
  const timer = setInterval(() => {
    seen.stopped ||= server.isStopped() || isStopped(generator.pid)
    seen.visited ||= other.isConnectedTo(server.port)
    // Some systems change the priority of whole kinds of programs: what they do to all of ours is no meddling.
    if (!scheduledAlike(server.pid, other.pid) || !scheduledAlike(generator.pid, process.pid)) {
      seen.meddled ??= 'its priority, or the cores that it may run on, were changed.'
    }
  }, lookEveryMs)
  const lookClosely = () => {
    // The look costs time: both servers pay for it, though it is about the baseline only.
    const visited = hasStrangers(server.port, [generator.pid, process.pid])
    if (server === baseline && visited) {
      // Is it the submission? It may have come since the last look.
      seen.visited ||= other.isConnectedTo(server.port)
      if (!seen.visited) seen.meddled ??= 'another program was connected to it while it was measured.'
    }
    if (upstreamPort !== null && hasStrangers(upstreamPort, baseline.members())) {
      seen.meddled ??= 'another program called its upstream.'
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
