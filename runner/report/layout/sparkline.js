/**
 * One sign per round, from 0 to the largest value, so that heights can be compared.
 *
 * @param {number[]} values
 * @param {number} largest the value of a full sign
 * @param {string} signs from low to high
 * @returns {string}
 */
export function sparkline (values, largest, signs) {
  return values.map((value) => {
    const share = largest > 0 && Number.isFinite(value) ? value / largest : 0
    return signs[Math.max(0, Math.min(signs.length - 1, Math.round(share * (signs.length - 1))))]
  }).join('')
}
