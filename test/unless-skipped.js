/**
 * Why a test is skipped here, for node:test's `skip`. With MAKE_IT_FAST_NO_SKIP=1, as in CI, nothing may be skipped:
 * then the missing part is an error.
 *
 * @param {boolean} possible
 * @param {string} sentence what is missing, and what was therefore not tried
 * @returns {false | string}
 */
export function unlessSkipped (possible, sentence) {
  if (possible) return false
  if (process.env.MAKE_IT_FAST_NO_SKIP === '1') throw new Error(sentence)
  return sentence
}
