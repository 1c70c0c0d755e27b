/**
 * @import { Operation } from '../contract/index.js'
 * @import { Item, Next, Random } from '../lesson/index.js'
 */

/**
 * Requests of a lesson's operations that change nothing and need no earlier answer, by their weights.
 *
 * @param {Record<string, Operation>} operations
 * @param {{ random: Random, data: any }} given
 * @returns {Next}
 */
export function readStream (operations, { random, data }) {
  const reads = Object.values(operations).filter(({ touches }) => touches === undefined)
  const names = reads.flatMap((operation) => Array(Math.ceil(operation.weight ?? 1)).fill(operation))
  return () => {
    for (;;) {
      const asked = random.pick(names).draw({ random, data, past: () => [] })
      if (asked !== null && typeof asked !== 'function' && !('says' in asked)) return itemOf(asked)
    }
  }
}

/** @param {import('../contract/index.js').Request} request @returns {Item} */
function itemOf ({ method, path, headers, json, body }) {
  if (body !== undefined) return { path: '/', check: () => undefined }
  return { method, path, headers: /** @type {Record<string, string>} */ (headers), json, check: () => undefined }
}
