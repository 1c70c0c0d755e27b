/**
 * Which learners are here, and what they're doing: from what their machines say when they poll, and how long ago. Pure.
 *
 * @typedef {'reading' | 'looking' | 'checking'} Doing
 *
 * @typedef {object} Sign the last one of a seat
 * @property {number} at ms since 1970
 * @property {Doing | null} state null: its machine polls, but says nothing else
 * @property {string | null} lesson id
 * @property {number} lookedAt when it last looked or checked, ms since 1970; 0: not yet
 *
 * @typedef {{ at: number, lesson: string | null }} Hand that is up; at: since when, ms since 1970; lesson: id
 *
 * @typedef {object} Presence
 * @property {Doing | 'away' | null} state null: not known right now
 * @property {string | null} lesson id
 * @property {number} minutes since it was last seen
 */

/** @type {readonly Doing[]} */
export const doings = ['reading', 'looking', 'checking']

/** Polls come every ten seconds, but not from a hidden page. */
const freshMs = 2 * 60_000
/** Between two previews of their saves, learners change code. */
const lookingMs = 3 * 60_000
const awayMs = 30 * 60_000

/**
 * @param {number} seenAt ms since 1970: the last sign or report
 * @param {Sign | undefined} sign
 * @param {number} now ms since 1970
 * @returns {Presence}
 */
export function presenceOf (seenAt, sign, now) {
  const minutes = Math.max(0, Math.floor((now - seenAt) / 60_000))
  if (isAway(seenAt, now)) return { state: 'away', lesson: null, minutes }
  if (sign === undefined || now - sign.at > freshMs) return { state: null, lesson: null, minutes }
  const isLooking = sign.state === 'reading' && now - sign.lookedAt <= lookingMs
  return { state: isLooking ? 'looking' : sign.state, lesson: sign.lesson, minutes }
}

/** Gone home, most likely. @param {number} seenAt ms since 1970 @param {number} now ms since 1970 */
export function isAway (seenAt, now) {
  return now - seenAt > awayMs
}
