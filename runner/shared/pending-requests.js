/** Pending requests, each with a number, until the response with that number comes. */
export function createPendingRequests () {
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let last = 0
  /** @param {number} id */
  const take = (id) => {
    const asker = waiting.get(id)
    waiting.delete(id)
    return asker
  }
  return {
    /**
     * Rejects with `late` when no response comes in time, and with whatever `send` throws.
     *
     * @param {(id: number) => void} send
     * @param {{ timeoutMs: number, late: string }} [limit]
     * @returns {Promise<any>}
     */
    ask: async (send, limit) => {
      const id = ++last
      /** @type {NodeJS.Timeout | undefined} */
      let timer
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject })
          if (limit) timer = setTimeout(() => reject(new Error(limit.late)), limit.timeoutMs)
          send(id)
        })
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    answer: (/** @type {number} */ id, /** @type {any} */ value) => take(id)?.resolve(value),
    fail: (/** @type {number} */ id, /** @type {Error} */ error) => take(id)?.reject(error),
    /** The other process is gone. @param {Error} error */
    failAll: (error) => { for (const id of [...waiting.keys()]) take(id)?.reject(error) }
  }
}
