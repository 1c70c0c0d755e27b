/**
 * A shared limit, of which no address takes too much once it becomes scarce: before that, a whole class may sit behind
 * one. Pure but for what it counts.
 *
 * @typedef {object} Share
 * @property {(address: string | undefined) => (() => void) | null} enter returns what gives it back; null: refused
 *
 * @param {{ most: number, perAddress: number }} limits perAddress: from the time when half of `most` is taken; this
 *   machine's own may have all of it
 * @returns {Share}
 */
export function createShare ({ most, perAddress }) {
  /** @type {Map<string, number>} */
  const taken = new Map()
  let total = 0
  const add = (/** @type {string} */ address, /** @type {number} */ by) => {
    const count = (taken.get(address) ?? 0) + by
    if (count === 0) taken.delete(address)
    else taken.set(address, count)
    total += by
  }
  return {
    enter: (address = '') => {
      const hasMuch = (taken.get(address) ?? 0) >= perAddress && !/^(::ffff:)?127\.|^::1$/.test(address)
      if (total >= most || (hasMuch && total >= most / 2)) return null
      add(address, 1)
      let isOver = false
      return () => {
        if (!isOver) add(address, -1)
        isOver = true
      }
    }
  }
}
