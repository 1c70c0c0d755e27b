/** @import { Upstream } from '../session/index.js' */

/**
 * The same object with what its server talks to. Where there's no upstream, asking for it throws; a copy of the object,
 * as `{ ...given }` makes one, asks for nothing.
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
