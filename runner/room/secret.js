import { randomBytes } from 'node:crypto'

/** Of the instructor: 192 bits, which nobody guesses. */
export function newSecret () {
  return randomBytes(24).toString('base64url')
}
