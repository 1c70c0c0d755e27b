import { randomBytes } from 'node:crypto'
import { WorkshopError } from '../shared/errors.js'
import { clockTime, timeLeft } from '../shared/format.js'
import { isObject } from '../shared/rules.js'
import { forgetSeat, readSeat, saveSeat } from './seat-files.js'

/**
 * Joining a room, the seat there, and leaving.
 *
 * @import { Clock, RoomWord } from '../shared/seat-and-room.js'
 * @import { Seat } from './seat-files.js'
 *
 * @typedef {{ lesson: string, state: 'reading' | 'looking' | 'checking' }} Sign lesson: id
 */

/** A command that works without a room waits no longer for it. */
const hearMs = 1000

/**
 * Reads the address, and makes sure that there is no seat yet and that the room is there and open: before
 * anything is shown or asked. Nothing about the learner is sent.
 *
 * @param {string | undefined} address
 * @param {string} workspace
 * @throws {WorkshopError} not an address, there is a seat already, or the room refuses
 */
export async function prepareToJoin (address, workspace) {
  const { url, code } = readAddress(address)
  const seat = await readSeat(workspace)
  if (seat?.url) {
    throw new WorkshopError(`You’re already in the room at ${seat.url}: \`npm run leave\` comes first. ` +
      '`npm run join -- --board`, `--no-board` or `--nickname NAME` changes your seat there.')
  }
  const place = `api/rooms/${encodeURIComponent(code)}`
  const read = (/** @type {any} */ json) => typeof json?.isLobbyLocked === 'boolean' ? json.isLobbyLocked : null
  const isClosed = await askRoom({ url }, 'GET', place, { read })
  // A join whose answer was lost already has its seat.
  if (isClosed && seat?.asked !== url) {
    throw new WorkshopError('The instructor has closed the lobby: ask them to let you in.')
  }
  return { url, code }
}

/**
 * Takes a seat.
 *
 * @param {{ url: string, code: string }} room
 * @param {{ name: string, nickname?: string, board?: boolean }} who
 * @param {string} workspace
 */
export async function joinRoom ({ url, code }, { name, nickname, board = false }, workspace) {
  const before = await readSeat(workspace)
  // Made and kept here: joining again after a lost answer gives the same seat.
  // Another room must not learn it.
  const isForIt = before !== null && (before.asked ?? url) === url
  const own = isForIt ? before.token : newToken()
  await saveSeat(workspace, { url: null, asked: url, token: own, name, nickname: nickname ?? null, board })
  const body = { code, token: own, name, nickname, board }
  const answer = await askRoom({ url }, 'POST', 'api/seats', { body }).catch(async (error) => {
    if (before === null && error.status !== undefined) await forgetSeat(workspace)
    throw error
  })
  await saveSeat(workspace, { url, code, token: own, name: answer.name, nickname: answer.nickname, board })
  return answer
}

/**
 * The room's word; its names for the seat are kept.
 *
 * @param {Seat} seat
 * @param {string} workspace
 * @param {{ sign?: Sign | null, signal?: AbortSignal }} [options] sign: what the learner is doing now
 * @returns {Promise<RoomWord>}
 * @throws {WorkshopError} with the status 401 or 410: it doesn't know the seat
 */
export async function askSeat (seat, workspace, { sign = null, signal } = {}) {
  const place = sign === null ? 'api/seat' : `api/seat?${new URLSearchParams(sign)}`
  const { name, nickname, room } = await askRoom(seat, 'GET', place, { signal })
  if (name !== seat.name || nickname !== seat.nickname) await saveSeat(workspace, { ...seat, name, nickname })
  return room
}

/** @param {string} workspace @param {{ isUp: boolean, lesson?: string }} hand raised, or taken back; lesson: id */
export async function changeHand (workspace, { isUp, lesson }) {
  const seat = await seatInRoom(workspace)
  return (await askRoom(seat, isUp ? 'PUT' : 'DELETE', 'api/seat/hand', { body: isUp ? { lesson } : undefined })).room
}

/** @param {string} workspace @param {{ lesson: string, ratio: unknown }} prediction lesson: id; ratio: expected */
export async function predict (workspace, prediction) {
  return (await askRoom(await seatInRoom(workspace), 'PUT', 'api/seat/prediction', { body: prediction })).room
}

/** @param {string} workspace @returns {Promise<Seat>} @throws {WorkshopError} there's no seat */
export async function seatInRoom (workspace) {
  const seat = await readSeat(workspace)
  if (!seat?.url) {
    throw new WorkshopError('You aren’t in a room: join one first, as in `npm run join ADDRESS -- --name "Ada"`.')
  }
  return seat
}

/**
 * @param {string} workspace
 * @param {{ name?: string, nickname?: string, board?: boolean }} changes only those that change
 */
export async function changeOwnSeat (workspace, changes) {
  const seat = await seatInRoom(workspace)
  const { name, nickname } = await askRoom(seat, 'PATCH', 'api/seat', { body: changes })
  /** @type {Seat} as it is now */
  const changed = { ...seat, name, nickname, board: changes.board ?? seat.board }
  await saveSeat(workspace, changed)
  return changed
}

/**
 * @param {string} workspace
 * @param {{ forget: boolean }} options forget: without telling the room
 * @returns {Promise<boolean>} false: there was no room to leave
 */
export async function leaveRoom (workspace, { forget }) {
  const seat = await readSeat(workspace)
  if (seat?.url && !forget) {
    await askRoom(seat, 'DELETE', 'api/seat', { read: isObject }).catch((error) => {
      // The room no longer knows the seat: there is nothing to delete.
      if (error.status === 401 || error.status === 410) return
      throw new WorkshopError(`${error.message} It still has your data: try again later, or ` +
        '`npm run leave -- --forget` forgets the room only here.', { cause: error })
    })
  }
  await forgetSeat(workspace)
  return Boolean(seat?.url)
}

/**
 * The seat whose results are exported: the one in the room, or one that no room knows yet.
 *
 * @param {string} workspace
 * @param {string | undefined} name
 * @returns {Promise<Seat>}
 * @throws {WorkshopError} there is no name
 */
export async function seatForExport (workspace, name) {
  const seat = await readSeat(workspace)
  if (seat !== null && (name === undefined || seat.url !== null)) return seat
  if (name === undefined) {
    throw new WorkshopError('Say whose results these are, as in `npm run export -- --name "Ada"`.')
  }
  const own = { url: null, nickname: null, board: false, token: newToken(), ...seat, name }
  await saveSeat(workspace, own)
  return own
}

/** A token can't be guessed. */
function newToken () {
  return randomBytes(16).toString('base64url')
}

/**
 * Reads a room's address as a learner types it. Pure.
 *
 * @param {string | undefined} text `http://192.168.1.5:4000/b8zm-k62t`, with or without `http://`
 * @returns {{ url: string, code: string }} url: with a trailing slash
 * @throws {WorkshopError} not a room's address
 */
export function readAddress (text = '') {
  const whole = /^https?:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  const code = decoded(url?.pathname.split('/').filter((part) => part !== '').at(-1))
  if (url === null || text === '' || code === '') {
    throw new WorkshopError(`“${text}” isn’t the address of a room, which ends in a code, as in ` +
      '`http://192.168.1.5:4000/b8zm-k62t`.')
  }
  return { url: new URL('/', url).href, code }
}

/** @param {string} [part] of a path @returns {string} empty where it is malformed */
function decoded (part = '') {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/**
 * The room's word, for commands that work without a room, too; null: no room, or it doesn't answer at once.
 *
 * @param {string} workspace
 * @param {Sign | null} [sign] what the learner is doing now
 */
export async function hearRoom (workspace, sign = null) {
  try {
    const seat = await readSeat(workspace)
    return seat?.url ? await askSeat(seat, workspace, { sign, signal: AbortSignal.timeout(hearMs) }) : null
  } catch {
    return null
  }
}

/**
 * A room runs on another person's machine: its responses are validated before they're shown or kept.
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
