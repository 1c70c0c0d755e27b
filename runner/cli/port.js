import { wholeNumber } from './whole-number.js'

/** @param {string | undefined} text of --port @returns {number | undefined} */
export function portOf (text) {
  return text === undefined ? undefined : wholeNumber('--port', text, 1, 65535)
}
