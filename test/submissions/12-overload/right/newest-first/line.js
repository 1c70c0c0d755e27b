/**
 * A stack of jobs with a bound. The newest is run first: under overload it is the one whose client is most likely to be
 * still there. When there are too many, the oldest has to go.
 */
export function openLine ({ most }) {
  const waiting = []
  let running = false

  const runNewest = (turnsLeft) => {
    // Take in what is new before saying which one that is.
    if (turnsLeft > 0) return setImmediate(runNewest, turnsLeft - 1)
    const { run } = waiting.pop()
    running = waiting.length > 0
    if (running) setImmediate(runNewest, 8)
    run()
  }

  return {
    join (run, refuse) {
      waiting.push({ run, refuse })
      if (waiting.length > most) waiting.shift().refuse()
      if (!running) setImmediate(runNewest, 8)
      running = true
    }
  }
}
