/** @import { Upstream } from '../session/index.js' */

/**
 * The same object with what its server talks to. Without an upstream, reading it throws; copying the object,
 * as in `{ ...given }`, reads nothing.
 *
 * @template {{ upstream: Upstream }} T
 * @param {Omit<T, 'upstream'>} given
 * @param {Upstream | null} upstream
 * @returns {T}
 */
export function withUpstream (given, upstream) {
  const missing = { get: () => { throw new Error('this lesson has no upstream') } }
  const property = upstream ? { value: upstream, enumerable: true } : missing
  return /** @type {any} */ (Object.defineProperty(given, 'upstream', property))
}
