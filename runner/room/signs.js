import { refuse } from '../http/index.js'
import { hasPassed } from './derive/attempts.js'
import { addPrediction } from './derive/predictions.js'
import { doings } from './derive/presence.js'
import { keep } from './keep.js'

/**
 * What learners are doing and whose hand is up, kept in memory only, and what they predict.
 *
 * @import { LiveSeat, RoomContext } from './context.js'
 */

/**
 * @param {RoomContext} room
 * @param {LiveSeat} seat
 * @param {any} given lesson and state, as received: nonsense isn't kept
 */
export function noteSign (room, { id }, given) {
  const before = room.signs.get(id)
  const state = doings.find((one) => one === given.state) ?? null
  const lesson = lessonIn(room, given)
  const lookedAt = state === 'looking' || state === 'checking' ? room.now() : before?.lookedAt ?? 0
  room.signs.set(id, { at: room.now(), state, lesson, lookedAt })
  // The next tick shows how long ago it was.
  if (before?.state !== state || before.lesson !== lesson) room.onChange()
}

/** Raising it twice keeps the turn. @param {RoomContext} room @param {LiveSeat} seat @param {any} given lesson */
export function raiseHand (room, { id }, given) {
  room.hands.set(id, { at: room.hands.get(id)?.at ?? room.now(), lesson: lessonIn(room, given) })
  room.onChange()
}

/** @param {RoomContext} room @param {number} id of a seat */
export function lowerHand (room, id) {
  if (room.hands.delete(id)) room.onChange()
}

/** By the instructor. @param {RoomContext} room @param {number} id of a seat */
export function takeHand (room, id) {
  if (!room.hands.has(id)) throw refuse(404, 'This seat has no hand up.')
  lowerHand(room, id)
}

const [leastRatio, mostRatio] = [0.1, 1000]

/**
 * How far a learner expects to get with a lesson.
 *
 * @param {RoomContext} room
 * @param {LiveSeat} seat
 * @param {any} given lesson, ratio
 */
export function predict (room, { id, lessons }, given) {
  const lesson = lessonIn(room, given)
  const { ratio } = given
  if (lesson === null || typeof ratio !== 'number' || !(ratio >= leastRatio && ratio <= mostRatio)) {
    throw refuse(400, `A prediction needs a lesson of this room, and a factor from ${leastRatio} to ${mostRatio}.`)
  }
  if (hasPassed(lessons.get(lesson))) throw refuse(409, 'You’ve passed this lesson: a prediction comes before that.')
  const prediction = { seat: id, lesson, ratio }
  keep(() => room.store.savePrediction(prediction))
  addPrediction(room.predictions, prediction)
  room.onChange()
}

/** @param {RoomContext} room @param {any} given @returns {string | null} */
function lessonIn (room, given) {
  return room.ids.find((one) => one === given.lesson) ?? null
}
