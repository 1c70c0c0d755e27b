// A turn of the event loop reads from all connections, but accepts at most one new connection.
const TURNS_BETWEEN = 10

/**
 * A bounded queue of jobs. Between two jobs the event loop turns a few times, so that new requests are read, and those
 * that don't fit are refused before the next job keeps them all waiting.
 *
 * @param {{ most: number }} options how many may wait
 */
export function openLine ({ most }) {
  const waiting = []
  let running = false

  const run = (turnsLeft) => {
    if (turnsLeft > 0) return setImmediate(run, turnsLeft - 1)
    const job = waiting.shift()
    running = waiting.length > 0
    if (running) setImmediate(run, TURNS_BETWEEN)
    job()
  }

  return {
    /** @returns {boolean} false: there is no room, and the job will not be run */
    join (job) {
      if (waiting.length >= most) return false
      waiting.push(job)
      if (!running) setImmediate(run, TURNS_BETWEEN)
      running = true
      return true
    }
  }
}
