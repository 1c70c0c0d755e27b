import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../http/index.js'

const unknown = 'That’s not the join code of this room: look at the projector, or ask the instructor.'
const former = 'The instructor has changed the join code: look at the projector, or ask them.'

/**
 * Whoever comes with a wrong code waits for the answer, and only so many wait at once: that is all that a guesser can
 * cost. Who has the right one never comes here, so that nobody can lock a room that sits behind one address.
 *
 * @param {{ waitMs: number, most: number }} limits
 * @param {(code: unknown) => boolean} isFormer did it admit learners once?
 * @returns {(code: unknown) => Promise<never>} rejects with a status
 */
export function createJoinThrottle ({ waitMs, most }, isFormer) {
  let waiting = 0
  return async (code) => {
    if (waiting >= most) throw refuse(429, 'Too many wrong codes are coming in: try yours again in a few seconds.')
    waiting++
    try {
      await sleep(waitMs)
    } finally {
      waiting--
    }
    throw refuse(403, isFormer(code) ? former : unknown)
  }
}
