import { setTimeout as sleep } from 'node:timers/promises'

/** @import { Another } from '../../runner/contract/index.js' */

// A connection that was on its way to a lost worker may stay open for ever: these aren't waited for.
const lastAnswersMs = 500

/**
 * Clients that request one panorama after another, and what became of every request.
 *
 * @param {Pick<Another, 'get'>} server
 * @param {{ nextPath: () => string, size: number }} options size: how many requests are in flight at any time
 */
export function startCrowd ({ get }, { nextPath, size }) {
  const all = /** @type {{ sentAt: number, endedAt: number, failure: string }[]} */ ([])
  const over = new AbortController()
  const clients = Array.from({ length: size }, async () => {
    while (!over.signal.aborted) {
      const asked = { sentAt: performance.now(), endedAt: Infinity, failure: '' }
      all.push(asked)
      try {
        (await get(nextPath())).expectStatus(200)
      } catch (error) {
        asked.failure = error.message
        // A refused connection fails at once: do not turn it into a thousand requests.
        await sleep(10)
      }
      asked.endedAt = performance.now()
    }
  })

  return {
    /**
     * Ends it. Requests may fail only when they were in flight at `killed` or sent before `noticed`.
     *
     * @param {{ killed: number, noticed: number }} times
     * @returns {Promise<string | undefined>} which one failed that mustn't
     */
    judge: async ({ killed, noticed }) => {
      over.abort()
      await Promise.race([Promise.all(clients), sleep(lastAnswersMs)])
      const late = all.filter(({ sentAt }) => sentAt >= noticed)
      while (late.some(({ endedAt }) => endedAt === Infinity)) await sleep(20)
      const early = all.find(({ endedAt, failure }) => failure && endedAt < killed)
      if (early) return `a request failed before any worker was killed: ${early.failure}`
      const lost = late.find(({ failure }) => failure)
      return lost && `a worker was killed, and a request sent ${Math.round(lost.sentAt - killed)} ms later failed: ` +
        lost.failure
    },
    /** Did every request fail that was in flight then? @param {number} killed */
    lostAll: (killed) => {
      const underWay = all.filter(({ sentAt, endedAt }) => sentAt < killed && endedAt >= killed)
      return underWay.length > 1 && underWay.every(({ endedAt, failure }) => endedAt === Infinity || failure)
    }
  }
}
