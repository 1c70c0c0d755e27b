import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Clients that request one panorama after another, and what became of every request.
 *
 * @import { Given } from '../../runner/contract/index.js'
 *
 * @typedef {object} Asked
 * @property {number} sentAt ms
 * @property {number} [endedAt] ms
 * @property {string} [failure]
 *
 * @typedef {object} Crowd
 * @property {(ms: number) => Promise<void>} last lets it go on for this long
 * @property {() => number} mark the time, ms
 * @property {(marks: { killed: number, noticed: number }) => Promise<string | undefined>} judge ends it and says which
 *   request failed that mustn't: requests may fail only when they were in flight at `killed` or sent before `noticed`
 * @property {(killed: number) => boolean} lostAll every request that was in flight at `killed` failed
 */

// A connection that was on its way to a lost worker may stay open for ever: these aren't waited for.
const lastAnswersMs = 500

/**
 * @param {object} options
 * @param {Given['get']} options.get
 * @param {() => string} options.nextPath
 * @param {number} options.size how many requests are in flight at any time
 * @returns {Crowd}
 */
export function startCrowd ({ get, nextPath, size }) {
  /** @type {Asked[]} */
  const all = []
  let going = true
  const ask = async () => {
    /** @type {Asked} */
    const asked = { sentAt: performance.now() }
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
  const clients = Array.from({ length: size }, async () => {
    for (;;) {
      if (!going) return
      await ask()
    }
  })

  return {
    last: (ms) => sleep(ms),
    mark: () => performance.now(),
    judge: async ({ killed, noticed }) => {
      going = false
      await Promise.race([Promise.all(clients), sleep(lastAnswersMs)])
      const late = () => all.filter(({ sentAt }) => sentAt >= noticed)
      while (late().some(({ endedAt }) => endedAt === undefined)) await sleep(20)
      const early = all.find(({ endedAt = Infinity, failure }) => failure !== undefined && endedAt < killed)
      if (early) return `a request failed before any worker was killed: ${early.failure}`
      const lost = late().find(({ failure }) => failure !== undefined)
      return lost && `a worker was killed, and a request sent ${Math.round(lost.sentAt - killed)} ms later failed: ` +
        `${lost.failure}`
    },
    lostAll: (killed) => {
      const underWay = all.filter(({ sentAt, endedAt = Infinity }) => sentAt < killed && endedAt >= killed)
      return underWay.length > 1 && underWay.every(({ endedAt, failure }) => endedAt === undefined || failure)
    }
  }
}
