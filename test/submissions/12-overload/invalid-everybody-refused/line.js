// A turn of the loop reads from all connections, and it takes in one new connection at most.
const TURNS_BETWEEN = 10

/**
 * A line of jobs with a bound. Between two jobs the event loop turns a few times: what has come in is read, and whoever
 * does not fit is told so before the next job keeps everybody waiting.
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
    isFull: () => waiting.length >= most,
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
