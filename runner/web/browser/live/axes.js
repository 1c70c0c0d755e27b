/**
 * Where values lie in a drawing, and which of them are written at an axis. Pure.
 *
 * @typedef {(value: number) => number} Place of a value, in units of the drawing
 */

/**
 * @param {[number, number]} values the least and the largest, above 0
 * @param {[number, number]} room from and to
 * @returns {Place} on a logarithmic axis: 2 and 1/2 lie equally far from 1
 */
export function logPlace ([low, high], [from, to]) {
  const [start, span] = [Math.log(low), Math.log(high) - Math.log(low) || 1]
  return (value) => round(from + (Math.log(value) - start) / span * (to - from))
}

/** @param {number} high @param {[number, number]} room @returns {Place} on an axis that begins at 0 */
export function linearPlace (high, [from, to]) {
  return (value) => round(from + value / (high || 1) * (to - from))
}

/** @param {number} low above 0 @param {number} high @returns {number[]} round figures, at most six or powers of ten */
export function logTicks (low, high) {
  const digits = high / low < 5 ? [1, 1.5, 2, 3, 4, 5, 7] : [1, 2, 5]
  const ticks = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    ticks.push(...digits.map((digit) => Number(`${digit}e${power}`)))
  }
  const inside = ticks.filter((tick) => tick >= low && tick <= high)
  return inside.length <= 6 ? inside : inside.filter((tick) => Number.isInteger(Math.log10(tick)))
}

/** @param {number} high above 0 @returns {number[]} round figures from 0 on, at most five */
export function linearTicks (high) {
  const power = 10 ** Math.floor(Math.log10(high || 1))
  const step = [0.2, 0.25, 0.5, 1, 2].map((share) => share * power).find((step) => high / step < 5) ?? power
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, at) => Number((at * step).toPrecision(3)))
}

/** @param {number} value */
function round (value) {
  return Math.round(value * 10) / 10
}
