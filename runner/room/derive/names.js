import { refuse } from '../../http/index.js'
import { cleanLine } from '../../report/index.js'

/** Names are shown to a whole room: what they are made of is chosen here. Pure. */

const longestName = 40
const longestMessage = 500

/**
 * @param {unknown} given
 * @param {string} what `name` or `nickname`
 * @returns {string} without control and bidirectional characters, on one line, not endlessly long
 * @throws {import('../../errors.js').WorkshopError} with a status: it is none
 */
export function readName (given, what = 'name') {
  const name = typeof given === 'string' ? shorten(cleanLine(given).normalize('NFC'), longestName) : ''
  if (!/[\p{L}\p{N}]/u.test(name)) throw refuse(400, `A ${what} is a text with a letter or a digit in it.`)
  return name
}

/** @param {unknown} given @returns {string} the instructor's message to all; may be empty */
export function readMessage (given) {
  if (typeof given !== 'string') throw refuse(400, 'A message is a text; an empty one takes the last one away.')
  return shorten(cleanLine(given), longestMessage)
}

/**
 * @param {string} name
 * @param {readonly (string | null)[]} taken
 * @returns {string} with a number, where it is taken: `Ada 2`
 */
export function uniqueName (name, taken) {
  const known = new Set(taken.map((one) => one === null ? null : compared(one)))
  if (!known.has(compared(name))) return name
  for (let number = 2; ; number++) {
    const numbered = `${shorten(name, longestName - 1 - String(number).length)} ${number}`
    if (!known.has(compared(numbered))) return numbered
  }
}

/** What people take for the same. @param {string} name */
function compared (name) {
  return name.normalize('NFKC').toLowerCase()
}

/** Never half a character. @param {string} text @param {number} most */
function shorten (text, most) {
  return [...text].slice(0, most).join('').trim()
}
