/**
 * A clock for open loops. Where the system lets us use less CPU time than there are cores (a container's quota), it
 * stops the generator and the servers for most of each tenth of a second. Nothing happens meanwhile, so neither
 * schedules nor latencies count that time.
 *
 * @typedef {{ now: () => number, stop: () => void }} Clock now: ms
 */

const tickMs = 2
/** A gap between two readings that is longer than this was no work of ours. */
const longestGapMs = 20

/**
 * @param {object} options
 * @param {boolean} options.isLimited false: the clock of the system
 * @param {() => number} [options.read] ms
 * @returns {Clock}
 */
export function createClock ({ isLimited, read = () => performance.now() }) {
  if (!isLimited) return { now: read, stop: () => {} }
  let lastAt = read()
  let stoodMs = 0
  const now = () => {
    const at = read()
    if (at - lastAt > longestGapMs) stoodMs += at - lastAt - tickMs
    lastAt = at
    return at - stoodMs
  }
  const timer = setInterval(now, tickMs)
  return { now, stop: () => clearInterval(timer) }
}
