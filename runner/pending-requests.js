/**
 * Pending requests, each with a number, until the answer with that number comes.
 *
 * @typedef {object} PendingRequests
 * @property {(send: (id: number) => void, limit?: { timeoutMs: number, late: string }) => Promise<any>} ask rejects
 *   with `late` when no answer comes in time, and with whatever `send` throws
 * @property {(id: number, value: any) => void} answer
 * @property {(id: number, error: Error) => void} fail
 * @property {(error: Error) => void} failAll the other process is gone
 */

/** @returns {PendingRequests} */
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
    answer: (id, value) => take(id)?.resolve(value),
    fail: (id, error) => take(id)?.reject(error),
    failAll: (error) => { for (const id of [...waiting.keys()]) take(id)?.reject(error) }
  }
}
