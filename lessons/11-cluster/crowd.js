import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Clients that request one panorama after another, and what became of every request.
 *
 * @import { Given } from '../../runner/contract/index.js'
 *
 * @typedef {object} Asked
 * @property {number} sentAt ms
 * @property {number} [endedAt] ms
 * @property {number} [number] of the visit, when the answer was right
 * @property {number} before the highest number that was known when it was sent
 * @property {string} [failure]
 *
 * @typedef {object} Crowd
 * @property {(ms: number) => Promise<void>} last lets it go on for this long
 * @property {() => number} mark the time, ms
 * @property {(marks: { killed: number, noticed: number }) => Promise<{ message: string, isLate: boolean } | undefined>}
 *   judge ends it and says what was wrong, isLate: perhaps only for want of time: requests may fail only when they were
 *   in flight at `killed` or sent before `noticed`
 * @property {(killed: number) => boolean} lostAll every request that was in flight at `killed` failed
 * @property {() => { highest: number, sent: number, lost: number }} counts the highest number given, the highest that
 *   is possible, and how many requests got none
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
  let highest = 0
  let lowest = Infinity
  const ask = async () => {
    /** @type {Asked} */
    const asked = { sentAt: performance.now(), before: highest }
    all.push(asked)
    try {
      const answer = (await get(nextPath())).expectStatus(200)
      asked.number = Number(answer.json()?.visit)
      highest = Math.max(highest, asked.number)
      lowest = Math.min(lowest, asked.number)
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
      const [failure, number] = [wrongFailures(all, { killed, noticed }), wrongNumbers(all)]
      if (number !== undefined) return { message: number, isLate: false }
      return failure === undefined ? undefined : { message: failure, isLate: true }
    },
    lostAll: (killed) => {
      const underWay = all.filter(({ sentAt, endedAt = Infinity }) => sentAt < killed && endedAt >= killed)
      return underWay.length > 1 && underWay.every(({ number }) => number === undefined)
    },
    counts: () => ({
      highest,
      sent: lowest === Infinity ? all.length : lowest + all.length,
      lost: all.filter(({ number }) => number === undefined).length
    })
  }
}

/**
 * @param {Asked[]} all
 * @param {{ killed: number, noticed: number }} marks
 */
function wrongFailures (all, { killed, noticed }) {
  const early = all.find(({ endedAt, failure }) => failure !== undefined && endedAt !== undefined && endedAt < killed)
  if (early) return `a request failed before any worker was killed: ${early.failure}`
  const late = all.find(({ sentAt, failure }) => sentAt >= noticed && failure !== undefined)
  if (late) {
    return `a worker was killed, and a request sent ${Math.round(late.sentAt - killed)} ms later failed: ` +
      `${late.failure}`
  }
}

/** @param {Asked[]} all */
function wrongNumbers (all) {
  const seen = new Set()
  for (const { number, before } of all) {
    if (number === undefined) continue
    if (seen.has(number)) return `a worker was killed: the visit number ${number} was given twice`
    if (number <= before) return `a worker was killed: the visit number ${number} was given after ${before}`
    seen.add(number)
  }
}
