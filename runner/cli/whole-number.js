import { WorkshopError } from '../errors.js'

/**
 * The value of a flag that takes a whole number.
 *
 * @param {string} flag
 * @param {string} text
 * @param {number} low
 * @param {number} high
 * @returns {number}
 * @throws {WorkshopError} it isn't one, or is out of these bounds
 */
export function wholeNumber (flag, text, low, high) {
  const value = Number(text)
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new WorkshopError(`${flag} takes a whole number from ${low} to ${high}, got ${text}.`)
  }
  return value
}

/** @param {string | undefined} text of --port @returns {number | undefined} */
export function portOf (text) {
  return text === undefined ? undefined : wholeNumber('--port', text, 1, 65535)
}

/** @param {string | undefined} text of --seconds, for rounds of load @returns {number | undefined} ms */
export function budgetOf (text) {
  return text === undefined ? undefined : 1000 * wholeNumber('--seconds', text, 1, 600)
}
