// Each turn of the loop takes in one new connection, and costs next to nothing.
const TURNS = 24
// Six at the same moment are no overload, however slow the machine; more than that is a matter of time.
const FEWEST = 7
const MOST = 40

/**
 * Jobs that are done one after the other, in the order in which they came, and only as many as can be done in the time
 * that is promised.
 */
export function openLine ({ promiseMs, work }) {
  const waiting = []
  let working = false
  // From one job to the next: the work, and what came in meanwhile.
  let costMs = promiseMs / 12
  let turnedAt = 0

  const room = () => Math.min(MOST, Math.max(FEWEST, Math.floor(promiseMs / costMs)))

  function look (turns) {
    setImmediate(turns > 0 ? () => look(turns - 1) : one)
  }

  function one () {
    const job = waiting.shift()
    if (!job.isGone()) {
      work(job)
      const now = performance.now()
      costMs += (now - turnedAt - costMs) / 16
      turnedAt = now
    }
    working = waiting.length > 0
    if (working) look(TURNS)
  }

  return {
    get isFull () {
      return waiting.length >= room()
    },
    get retryAfter () {
      return Math.max(1, Math.ceil(waiting.length * costMs / 1000)) + Math.round(Math.random() * 2)
    },
    join (job) {
      waiting.push(job)
      if (working) return
      working = true
      turnedAt = performance.now()
      look(TURNS)
    }
  }
}
