/**
 * A line that knows what its jobs cost: whoever would have to wait for longer than promised is not let in.
 */
export function openLine ({ promiseMs }) {
  const waiting = []
  let running = false
  let costMs = 5

  // Reads what is there before the next job: one new connection a turn.
  const readFirst = (turns = 12) => {
    if (turns > 0) setImmediate(readFirst, turns - 1)
    else run()
  }

  const run = () => {
    const job = waiting.shift()
    const startedAt = performance.now()
    try {
      job()
    } finally {
      // One measurement says little, and a pause of the machine says nothing.
      costMs += (Math.min(performance.now() - startedAt, 4 * costMs) - costMs) / 10
      running = waiting.length > 0
      if (running) readFirst()
    }
  }

  return {
    join (job) {
      // However slow a quote is: a handful has to have room.
      if (waiting.length >= 6 && waiting.length * costMs > promiseMs) return false
      waiting.push(job)
      if (!running) readFirst()
      running = true
      return true
    }
  }
}
