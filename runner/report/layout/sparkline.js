/**
 * One sign a round, from 0 to the largest value, so that heights may be compared.
 *
 * @param {number[]} values
 * @param {number} largest what a full sign stands for
 * @param {string} signs from low to high
 * @returns {string}
 */
export function sparkline (values, largest, signs) {
  return values.map((value) => {
    const share = largest > 0 && Number.isFinite(value) ? value / largest : 0
    return signs[Math.max(0, Math.min(signs.length - 1, Math.round(share * (signs.length - 1))))]
  }).join('')
}
