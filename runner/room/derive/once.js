/**
 * What is derived from a list or an object that never changes is derived once. Pure.
 *
 * @template {object} From
 * @template To
 * @param {(from: From) => To} derive
 * @returns {(from: From) => To}
 */
export function once (derive) {
  /** @type {WeakMap<From, To>} */
  const known = new WeakMap()
  return (from) => {
    const found = known.get(from)
    if (found !== undefined) return found
    const derived = derive(from)
    known.set(from, derived)
    return derived
  }
}
