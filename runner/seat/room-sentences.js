import { clockTime, timeLeft } from '../format.js'

/** @import { RoomWord, Said } from './read-answer.js' */

/**
 * What a room says, for a terminal. Pure.
 *
 * @param {RoomWord} room
 * @param {string} [id] of the lesson at hand
 * @returns {string[]} sentences; the room's own words aren't cleaned yet
 */
export function saidBy ({ messages, timer, current, lessons, isHandUp, prediction }, id) {
  const lesson = lessons.find((one) => one.id === id)
  const now = lessons.find((one) => one.id === current?.lesson)
  return [
    ...messages.map(messageText),
    ...timer === null ? [] : [`${timer.text} until ${clockTime(timer.until)}.`],
    ...now && current ? [`Now in class: lesson ${now.number}, ${timeLeft(current)}.`] : [],
    ...prediction?.isOpen && prediction.ratio === null
      ? [`By what factor will your server beat the slow one in “${prediction.gate}”? \`npm run predict 5\` says 5×.`]
      : [],
    ...isHandUp ? ['Your hand is up: `npm run hand -- --down` takes it back.'] : [],
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
