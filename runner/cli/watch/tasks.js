/**
 * A queue of tasks, done one at a time.
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
    // The same task twice in a row is done once.
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
