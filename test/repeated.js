/**
 * What a measurement shows, a busy machine can hide: then it is measured again, in the next way. What must never be is
 * asserted each time, by `never`.
 *
 * @template T, Way
 * @param {readonly Way[]} ways to measure: from the quickest to the longest
 * @param {(way: Way) => Promise<T>} measure
 * @param {(seen: T) => void} shows throws where it does not
 * @param {(seen: T) => void} [never]
 * @returns {Promise<T>}
 */
export async function repeated (ways, measure, shows, never = () => {}) {
  for (const [index, way] of ways.entries()) {
    const seen = await measure(way)
    never(seen)
    try {
      shows(seen)
      return seen
    } catch (error) {
      if (index === ways.length - 1) throw error
    }
  }
  throw new Error('There is no way to measure.')
}
