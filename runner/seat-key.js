import { createHash } from 'node:crypto'

/** What a room keeps of a seat's token, and an export names: it isn't enough to report. @param {string} token */
export function seatKey (token) {
  return createHash('sha256').update(token).digest('hex')
}
