/** Moments in local time. */

/**
 * @param {string | number | Date | null | undefined} when as a Date takes it
 * @returns {string} `2026-01-31 09:05`; empty if it isn't a date
 */
export function formatWhen (when) {
  const date = dateOf(when)
  return date === null ? '' : `${dayOf(date)} ${timeOf(date)}`
}

/**
 * @param {string | number | Date | null | undefined} when as a Date takes it
 * @param {Date} [now]
 * @returns {string} `at 09:05`, or `on 2026-01-31 at 09:05` if that isn't today
 */
export function sayWhen (when, now = new Date()) {
  const date = dateOf(when)
  if (date === null) return ''
  return dayOf(date) === dayOf(now) ? `at ${timeOf(date)}` : `on ${dayOf(date)} at ${timeOf(date)}`
}

/** @param {string | number | Date | null | undefined} when */
function dateOf (when) {
  if (when === null || when === undefined) return null
  const date = new Date(when)
  return Number.isNaN(date.getTime()) ? null : date
}

/** @param {Date} date */
function dayOf (date) {
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
}

/** @param {Date} date */
function timeOf (date) {
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** @param {number} value */
function two (value) {
  return String(value).padStart(2, '0')
}
