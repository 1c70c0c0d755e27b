import { refuse } from '../http/index.js'
import { takeOne } from './derive/allowance.js'

/**
 * Limits how many join at once, and from one address, so that one learner can't take all seats. Addresses are kept
 * in memory alone.
 *
 * @import { Allowance, Rate } from './derive/allowance.js'
 *
 * @typedef {Rate & { perAddress: number }} DoorLimits
 *
 * @typedef {object} Door
 * @property {(address: string) => void} admit throws with a status: not now, or no more from there
 * @property {() => { address: string, joined: number }[]} crowded addresses that have all the seats they may take
 * @property {(address: unknown) => void} letMoreIn as many again; throws with a status
 *
 * @param {DoorLimits | null} limits null: none
 * @param {() => number} now ms since 1970
 * @returns {Door}
 */
export function createDoor (limits, now) {
  /** @type {Allowance | undefined} */
  let allowance
  /** Counts those who have left, or leaving would free a place. @type {Map<string, number>} */
  const joined = new Map()
  const isCrowded = (/** @type {string} */ address) =>
    limits !== null && (joined.get(address) ?? 0) >= limits.perAddress
  return {
    admit: (address) => {
      if (limits === null) return
      if (isCrowded(address)) {
        throw refuse(403, `${limits.perAddress} seats were taken from your network address: ` +
          'ask the instructor to let more in.')
      }
      const next = takeOne(allowance, now(), limits)
      if (next === null) throw refuse(429, 'Many people are joining right now: try again in a moment.')
      allowance = next
      joined.set(address, (joined.get(address) ?? 0) + 1)
    },
    crowded: () => [...joined].filter(([address]) => isCrowded(address))
      .map(([address, count]) => ({ address, joined: count })),
    letMoreIn: (address) => {
      if (typeof address !== 'string' || !joined.delete(address)) {
        throw refuse(400, 'No one has joined from that address.')
      }
    }
  }
}
