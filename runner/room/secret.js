import { randomBytes } from 'node:crypto'

/** The instructor's: 192 bits can't be guessed. */
export function newSecret () {
  return randomBytes(24).toString('base64url')
}
