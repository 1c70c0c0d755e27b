import { WorkshopError } from '../shared/errors.js'
import { clockTime, timeLeft } from '../shared/format.js'
import { isObject } from '../shared/rules.js'

/**
 * A room runs on another person's machine: its responses are validated before they're shown or kept.
 *
 * @import { Clock, RoomWord } from '../shared/seat-and-room.js'
 *
 * @typedef {{ name: string, nickname: string | null, token: string, room: RoomWord }} Answer token: only after joining
 *
 * @typedef {{ taken: number, left: number, room: RoomWord | null, problem: string }} Sent taken: how many the room
 *   accepted; left: how many are still queued; room: null: it wasn't reached; problem: a sentence, may be empty
 */

const mostBytes = 256 * 1024
const longestText = 500
const mostLessons = 200
const mostMessages = 20
const patienceMs = 10_000

/**
 * @template [Read=Answer]
 * @param {{ url: string | null, token?: string }} seat
 * @param {string} method
 * @param {string} place `api/seat`
 * @param {{ body?: unknown, signal?: AbortSignal, read?: (json: any) => Read | null }} [options] read: null: no room
 *   responds like this
 * @returns {Promise<Read>}
 * @throws {WorkshopError} with the HTTP status, if the room has responded
 */
export async function askRoom ({ url, token }, method, place, options = {}) {
  const { body, signal = AbortSignal.timeout(patienceMs), read = answerOf } = options
  const response = await fetch(new URL(place, url ?? undefined), {
    method,
    headers: { 'Content-Type': 'application/json', ...token ? { Authorization: `Bearer ${token}` } : {} },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: 'error',
    signal
  }).catch((error) => {
    throw new WorkshopError(`The room at ${url} doesn’t answer: are you on its network, and is the room open?`,
      { cause: error })
  })
  const json = await readJsonOf(response)
  const answer = response.ok ? read(json) : null
  if (answer !== null) return /** @type {Read} */ (answer)
  const said = typeof json?.error === 'string' ? json.error : `There’s no room at ${url}: check the address.`
  throw Object.assign(new WorkshopError(said), { status: response.status })
}

/** @param {Response} response @returns {Promise<any>} null: invalid or too long */
async function readJsonOf (response) {
  /** @type {Uint8Array[]} */
  const parts = []
  let bytes = 0
  try {
    for await (const part of /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (response.body ?? []))) {
      bytes += part.length
      if (bytes > mostBytes) return null
      parts.push(part)
    }
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return null
  }
}

/** Pure. @param {any} json @returns {Answer | null} with the fields it has; null: no room responds like this */
export function answerOf (json) {
  if (!isObject(json) || !isObject(json.room)) return null
  const { name, nickname, token = '' } = json
  const isAnswer = isText(name) && (nickname === null || isText(nickname)) && isText(token) && /^[\w-]*$/.test(token)
  const room = wordOf(json.room)
  return isAnswer && room !== null ? { name, nickname, token, room } : null
}

/** @param {any} room @returns {RoomWord | null} */
function wordOf ({ messages, current, timer, lessons, isHandUp, prediction }) {
  if (!Array.isArray(messages) || !Array.isArray(lessons) || lessons.length > mostLessons) return null
  if (!lessons.every((one) => isObject(one) && isText(one.id) && Number.isInteger(one.number))) return null
  const { lesson, gate, ratio, isOpen } = Object(prediction)
  const isPrediction = isText(lesson) && isText(gate) && (ratio === null || Number.isFinite(ratio))
  return {
    messages: messages.filter((one) => isText(one?.text) && isTime(one.sentAt)).slice(-mostMessages)
      .map(({ text, sentAt }) => ({ text, sentAt })),
    current: clockOf(current, 'lesson'),
    timer: clockOf(timer, 'text'),
    lessons: lessons.map(({ id, number, isLocked, isRevealed }) =>
      ({ id, number, isLocked: isLocked === true, isRevealed: isRevealed === true })),
    isHandUp: isHandUp === true,
    prediction: isPrediction ? { lesson, gate, ratio, isOpen: isOpen === true } : null
  }
}

/**
 * @template {string} Name
 * @param {any} given
 * @param {Name} name of the text that goes with it
 * @returns {(Clock & Record<Name, string>) | null}
 */
function clockOf (given, name) {
  const { [name]: text, until, minutes, minutesLeft } = Object(given)
  const areMinutes = [minutes, minutesLeft].every((one) => Number.isInteger(one) && one >= 0 && one <= 600)
  if (!isText(text) || !isTime(until) || !areMinutes) return null
  return /** @type {Clock & Record<Name, string>} */ ({ [name]: text, until, minutes, minutesLeft })
}

/** @param {unknown} value */
function isTime (value) {
  return isText(value) && !Number.isNaN(Date.parse(value))
}

/** @param {unknown} value @returns {value is string} */
function isText (value) {
  return typeof value === 'string' && value.length <= longestText
}

/**
 * A room's word, for a terminal. Pure.
 *
 * @param {RoomWord} room
 * @param {string} [id] of the lesson at hand
 * @returns {string[]} sentences; the room's own words aren't cleaned yet
 */
export function saidBy ({ messages, timer, current, lessons, isHandUp, prediction }, id) {
  const lesson = lessons.find((one) => one.id === id)
  const now = lessons.find((one) => one.id === current?.lesson)
  return [
    ...messages.map(({ text, sentAt }) => `The instructor says (${clockTime(sentAt)}): ${text}`),
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

/**
 * The outcome of sending the queue, for a terminal. Pure.
 *
 * @param {Sent} sent
 * @param {string} id of the lesson that was checked
 * @returns {string[]} sentences
 */
export function roomSentences ({ taken, left, room, problem }, id) {
  const waits = left === 1 ? 'This check waits and is sent' : `${left} checks wait and are sent`
  return [
    ...room && left === 0 && problem === '' ? [`Reported to the room${taken > 1 ? `: ${taken} checks` : ''}.`] : [],
    ...room === null ? [] : saidBy(room, id),
    ...problem === '' ? [] : [problem],
    ...left === 0 ? [] : [`${waits} with the next one.`]
  ]
}
