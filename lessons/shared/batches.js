/**
 * Does many things, so many of them at once: a crowd that a server can take, and more than anything bounded holds.
 *
 * @template T
 * @param {{ count: number, atOnce: number }} size count: a multiple of atOnce
 * @param {(index: number) => Promise<T>} act
 * @returns {Promise<T[]>}
 */
export async function inBatches ({ count, atOnce }, act) {
  const results = []
  for (let from = 0; from < count; from += atOnce) {
    results.push(...await Promise.all(Array.from({ length: atOnce }, (_, i) => act(from + i))))
  }
  return results
}
