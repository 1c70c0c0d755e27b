/**
 * What is to be done next, one thing at a time: what is asked for while something is done waits for its end.
 *
 * @template T
 * @typedef {{ put: (task: T) => void, take: (signal: AbortSignal) => Promise<T> }} Tasks
 */

/**
 * @template T
 * @returns {Tasks<T>}
 */
export function createTasks () {
  /** @type {T[]} */
  const waiting = []
  let wake = () => {}
  return {
    // Twice the same in a row is once.
    put: (task) => {
      if (waiting.at(-1) !== task) waiting.push(task)
      wake()
    },
    /** @throws the reason of the signal */
    take: async (signal) => {
      for (;;) {
        signal.throwIfAborted()
        const task = waiting.shift()
        if (task !== undefined) return task
        await new Promise((resolve) => {
          wake = () => resolve(undefined)
          signal.addEventListener('abort', wake, { once: true })
        })
        signal.removeEventListener('abort', wake)
      }
    }
  }
}
