import { clockTime } from '../format.js'

/** @import { RoomWord, Said } from './read-answer.js' */

/**
 * What a room says, for a terminal. Pure.
 *
 * @param {Pick<RoomWord, 'messages' | 'lessons'>} room
 * @param {string} [id] of the lesson at hand
 * @returns {string[]} sentences; what comes from the room is not clean yet
 */
export function saidBy ({ messages, lessons }, id) {
  const lesson = lessons.find((one) => one.id === id)
  return [
    ...messages.map(messageText),
    ...lesson?.isLocked ? [`The instructor hasn’t opened lesson ${lesson.number} yet.`] : [],
    ...lesson?.isRevealed
      ? [`Now for all: the solution of lesson ${lesson.number}. npm run solution lesson-${lesson.number} -- --anyway`]
      : []
  ]
}

/** @param {Said} message */
function messageText ({ text, sentAt }) {
  return `The instructor says${sentAt === null ? '' : ` (${clockTime(sentAt)})`}: ${text}`
}
