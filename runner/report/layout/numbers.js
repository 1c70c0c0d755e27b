/**
 * Figures as text: three significant digits unless a comparison needs more.
 *
 * @import { GateResult } from '../../judge/index.js'
 * @import { Theme } from './theme.js'
 */

/**
 * @param {number | null | undefined} value
 * @param {string} none shown for a missing figure
 * @param {number} [digits] significant digits
 * @returns {string} `1,780`, `4.31`, `0.0123`
 */
export function formatNumber (value, none, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return none
  if (value === 0) return '0'
  const rounded = Number(value.toPrecision(digits))
  const size = Math.abs(rounded)
  if (size >= 1e12 || size < 1e-4) return rounded.toExponential(digits - 1)
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)))
  return groupThousands(rounded.toFixed(decimals))
}

/** @param {string} text */
function groupThousands (text) {
  const [whole, fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/**
 * @param {number} value
 * @returns {string} a whole number: `12,400`
 */
export function formatCount (value) {
  return groupThousands(String(Math.round(value)))
}

/**
 * A ratio must not be rounded onto the target or past it.
 *
 * @param {Pick<GateResult, 'ratio' | 'ratioUnit' | 'target'>} gate
 * @param {Theme['marks']} marks
 * @returns {string} `4.31×`
 */
export function formatRatio ({ ratio, ratioUnit, target }, marks) {
  if (ratio === null || !Number.isFinite(ratio)) return marks.none
  return formatNumber(ratio, marks.none, telling(ratio, [target], 3)) + unitSign(ratioUnit, marks)
}

/**
 * The interval of 95 %. Two digits, and more where two would hide on which side of the target, or of 1, an end lies.
 *
 * @param {GateResult} gate
 * @param {Theme['marks']} marks
 * @returns {string} `3.9 to 4.8`
 */
export function formatInterval ({ interval95, target }, marks) {
  if (interval95 === null) return marks.none
  const [low, high] = interval95
  const borders = [target, 1]
  const lowDigits = telling(low, borders)
  // The same number of decimals for both ends, if that costs one digit at most.
  const alike = low < 1 && high >= 1 && high < 10 ? 3 : Math.min(3, lowDigits)
  const highDigits = Math.max(telling(high, borders), alike)
  return `${formatNumber(low, '?', lowDigits)} to ${formatNumber(high, '?', highDigits)}`
}

/**
 * @param {number} value
 * @param {(number | null)[]} borders
 * @param {number} [digits] to start with
 * @returns {number} digits that tell on which side of each border the value lies
 */
function telling (value, borders, digits = 2) {
  const tells = (/** @type {number} */ count) => borders.every((border) => border === null ||
    Math.sign(value - border) === Math.sign(Number(value.toPrecision(count)) - border))
  while (digits < 5 && !tells(digits)) digits++
  return digits
}

/**
 * @param {Pick<GateResult, 'target' | 'direction' | 'ratioUnit'>} gate
 * @param {Theme['marks']} marks
 * @returns {string} `≥ 4×`
 */
export function formatTarget ({ target, direction, ratioUnit }, marks) {
  if (target === null) return marks.none
  return `${direction === 'at least' ? marks.atLeast : marks.atMost} ` +
    `${Number(target.toPrecision(3))}${unitSign(ratioUnit, marks)}`
}

/** @param {string} unit @param {Theme['marks']} marks */
function unitSign (unit, marks) {
  return unit === '×' ? marks.times : unit
}

/**
 * @param {number} ms
 * @param {string} none
 * @returns {string} `0.38 s`, `8.21 s`, `3 min 12 s`
 */
export function formatDuration (ms, none) {
  if (!Number.isFinite(ms)) return none
  if (ms < 99_950) return `${formatNumber(ms / 1000, none, ms < 1000 ? 2 : 3)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
