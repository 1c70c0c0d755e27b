import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../http/index.js'

const unknown = 'That’s not the join code of this room: look at the projector, or ask the instructor.'
const former = 'The instructor has changed the join code: look at the projector, or ask them.'

/**
 * A request with a wrong code waits for its answer, and only so many wait at once: that's all that a guesser can
 * cost. A request with the right one never gets here, so that guessing can't lock out a room behind one address.
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
