import { WorkshopError } from '../errors.js'
import { clockTime, timeLeft } from '../format.js'
import { isObject } from '../rules.js'

/**
 * A room runs on another person's machine: its answers are validated before they're shown or kept.
 *
 * @typedef {{ text: string, sentAt: string | null }} Said sentAt: ISO 8601; null: an older room doesn’t say
 *
 * @typedef {{ until: string, minutes: number | null, minutesLeft: number | null }} Clock until: ISO 8601; null: an
 *   older room doesn’t say
 *
 * @typedef {object} RoomWord what the room tells all learners
 * @property {Said[]} messages of the instructor, the newest last
 * @property {(Clock & { lesson: string }) | null} current the lesson that the class is at; lesson: id
 * @property {(Clock & { text: string }) | null} timer another countdown, such as a break
 * @property {{ id: string, number: number, isLocked: boolean, isRevealed: boolean }[]} lessons
 *
 * @property {boolean | null} isHandUp the learner’s; null: an older room knows no hands
 * @property {Prediction | null} prediction null: there is nothing to predict now
 *
 * @typedef {object} Prediction
 * @property {string} lesson id
 * @property {string} gate what the ratio is of
 * @property {number | null} ratio what the learner has predicted
 * @property {boolean} isOpen they can still predict
 *
 * @typedef {{ name: string, nickname: string | null, token: string, room: RoomWord, isClosed: boolean }} Answer
 *   token: empty if the room made none; isClosed: joining is closed
 */

const mostBytes = 256 * 1024
const longestText = 500
const mostLessons = 200
const mostMessages = 20

/** @param {Response} response @returns {Promise<any>} its JSON; null: invalid or too long */
async function readJsonAnswer (response) {
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

/**
 * Pure.
 *
 * @param {any} json
 * @returns {Answer | null} with the fields it has; null: no room answers like this
 */
export function answerOf (json) {
  if (!isObject(json)) return null
  const { name = '', nickname = null, token = '', room = { message: '', lessons: [] } } = json
  const word = wordOf(room, json)
  const isAnswer = isText(name) && (nickname === null || isText(nickname)) && typeof token === 'string' &&
    /^[\w-]{0,100}$/.test(token)
  const isClosed = json.isLobbyLocked === true
  return isAnswer && word !== null ? { name, nickname, token, room: word, isClosed } : null
}

/** @param {any} room @param {any} own what is for this learner @returns {RoomWord | null} */
function wordOf (room, { isHandUp, prediction }) {
  if (!isObject(room) || !isText(room.message) || !Array.isArray(room.lessons)) return null
  if (room.lessons.length > mostLessons) return null
  const lessons = room.lessons.flatMap((/** @type {any} */ one) => isObject(one) && isText(one.id) &&
    Number.isInteger(one.number)
    ? { id: one.id, number: one.number, isLocked: one.isLocked === true, isRevealed: one.isRevealed === true }
    : [])
  if (lessons.length < room.lessons.length) return null
  const [current, timer] = [clockOf(room.current, 'lesson'), clockOf(room.timer, 'text')]
  return {
    messages: messagesOf(room),
    current,
    timer,
    lessons,
    isHandUp: typeof isHandUp === 'boolean' ? isHandUp : null,
    prediction: predictionOf(prediction)
  }
}

/** @param {any} given @returns {Prediction | null} */
function predictionOf (given) {
  const { lesson, gate, ratio, isOpen } = Object(given)
  const isRatio = ratio === null || Number.isFinite(ratio)
  return isText(lesson) && isText(gate) && isRatio ? { lesson, gate, ratio, isOpen: isOpen === true } : null
}

/**
 * @template {string} Name
 * @param {any} given
 * @param {Name} name of the text that goes with it
 * @returns {(Clock & Record<Name, string>) | null}
 */
function clockOf (given, name) {
  const { [name]: text, until, minutes, minutesLeft } = Object(given)
  if (!isText(text) || !isTime(until)) return null
  const clock = { until, ...areMinutes(minutes, minutesLeft) ? { minutes, minutesLeft } : unknownMinutes }
  return /** @type {Clock & Record<Name, string>} */ ({ [name]: text, ...clock })
}

const unknownMinutes = { minutes: null, minutesLeft: null }

/** @param {unknown[]} values */
function areMinutes (...values) {
  return values.every((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 600)
}

/** @param {any} room @returns {Said[]} */
function messagesOf ({ message, messages }) {
  if (!Array.isArray(messages)) return message === '' ? [] : [{ text: message, sentAt: null }]
  return messages.slice(-mostMessages).flatMap((/** @type {any} */ one) => {
    const { text, sentAt } = Object(one)
    return isText(text) && isTime(sentAt) ? [{ text, sentAt }] : []
  })
}

/** @param {unknown} value @returns {value is string} */
function isTime (value) {
  return isText(value) && !Number.isNaN(Date.parse(value))
}

/** @param {unknown} value @returns {value is string} */
function isText (value) {
  return typeof value === 'string' && value.length <= longestText
}

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

/**
 * @template [Read=Answer]
 * @param {{ url: string | null, token?: string }} seat
 * @param {string} method
 * @param {string} place `api/seat`
 * @param {{ body?: unknown, signal?: AbortSignal, read?: (json: any) => Read | null }} [options] read: null: no room
 *   answers like this
 * @returns {Promise<Read>}
 * @throws {WorkshopError} with the HTTP status, if the room has answered
 */
export async function askRoom ({ url, token }, method, place, { body, signal, read } = {}) {
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
  const json = await readJsonAnswer(response)
  const answer = response.ok ? (read ?? answerOf)(json) : null
  if (answer !== null) return /** @type {Read} */ (answer)
  const said = typeof json?.error === 'string' ? json.error : `There’s no room at ${url}: check the address.`
  throw Object.assign(new WorkshopError(said), { status: response.status })
}
