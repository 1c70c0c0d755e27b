/**
 * How the time of each function for one request changed between two servers. Pure.
 *
 * @import { Owner } from './read-profile.js'
 * @import { FunctionTime } from './summarise.js'
 *
 * @typedef {object} Change
 * @property {string} name
 * @property {string} place in the second server, or in the first where it is gone
 * @property {Owner} owner
 * @property {number} beforeMs self time for one request
 * @property {number} afterMs
 *
 * @typedef {{ functions: readonly FunctionTime[], answers: number }} Recorded
 *
 * @param {Recorded} before
 * @param {Recorded} after
 * @returns {Change[]} the largest change first, whatever its sign; idle time left out
 */
export function changePerRequest (before, after) {
  /** @type {Map<string, Change>} */
  const changes = new Map()
  const add = (/** @type {'beforeMs' | 'afterMs'} */ side, /** @type {Recorded} */ { functions, answers }) => {
    for (const one of functions) {
      if (one.owner === 'idle') continue
      const key = sameFunction(one)
      const change = changes.get(key) ?? { name: one.name, place: one.place, owner: one.owner, beforeMs: 0, afterMs: 0 }
      change[side] += one.selfMs / Math.max(1, answers)
      if (side === 'afterMs') change.place = one.place
      changes.set(key, change)
    }
  }
  add('beforeMs', before)
  add('afterMs', after)
  return [...changes.values()].sort((a, b) => Math.abs(b.afterMs - b.beforeMs) - Math.abs(a.afterMs - a.beforeMs))
}

/**
 * The same function of two servers: an edit moves lines, so those of the learner's own files do not count, but for
 * functions without a name.
 *
 * @param {Pick<FunctionTime, 'name' | 'place' | 'owner'>} one
 */
export function sameFunction ({ name, place, owner }) {
  const file = owner === 'yours' && !name.startsWith('function at ') ? place.replace(/:\d+$/, '') : place
  return `${owner}\n${name}\n${file}`
}
