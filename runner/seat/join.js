import { randomBytes } from 'node:crypto'
import { WorkshopError } from '../errors.js'
import { readAddress } from './address.js'
import { askRoom } from './ask.js'
import { forgetSeat, readSeat, saveSeat } from './seat-files.js'

/**
 * @import { Answer, RoomWord } from './ask.js'
 * @import { Seat } from './seat-files.js'
 */

/** Somebody waits for it. */
const patienceMs = 10_000

/**
 * Before anything is shown or asked.
 *
 * @param {string | undefined} address
 * @param {string} workspace
 * @returns {Promise<{ url: string, code: string }>}
 * @throws {WorkshopError} it is no address, or there is a seat already
 */
export async function prepareToJoin (address, workspace) {
  const { url, code } = readAddress(address)
  const seat = await readSeat(workspace)
  if (seat?.url) throw new WorkshopError(`You are in the room at ${seat.url} already: \`npm run leave\` comes first.`)
  return { url, code }
}

/**
 * @param {{ url: string, code: string }} room
 * @param {{ name: string, nickname?: string, board?: boolean }} who
 * @param {string} workspace
 * @returns {Promise<Answer>}
 * @throws {WorkshopError} the room does not answer, or says no
 */
export async function joinRoom ({ url, code }, { name, nickname, board = false }, workspace) {
  const signal = AbortSignal.timeout(patienceMs)
  const answer = await askRoom({ url }, 'POST', 'api/seats', { body: { code, name, nickname, board }, signal })
  await saveSeat(workspace, { url, code, token: answer.token, name: answer.name, nickname: answer.nickname, board })
  return answer
}

/**
 * @param {Seat} seat
 * @returns {Promise<RoomWord>} what the room says now
 * @throws {WorkshopError} it does not answer, or does not know the seat
 */
export async function askSeat (seat) {
  return (await askRoom(seat, 'GET', 'api/seat', { signal: AbortSignal.timeout(patienceMs) })).room
}

/**
 * @param {string} workspace
 * @param {{ forget: boolean }} options forget: do not ask the room
 * @returns {Promise<boolean>} false: there was no room to leave
 * @throws {WorkshopError} the room did not answer, so it still has the data
 */
export async function leaveRoom (workspace, { forget }) {
  const seat = await readSeat(workspace)
  if (seat?.url && !forget) {
    const signal = AbortSignal.timeout(patienceMs)
    await askRoom(seat, 'DELETE', 'api/seat', { signal }).catch((error) => {
      // It does not know the seat any more: there is nothing left to delete.
      if (error.status === 401 || error.status === 410) return
      throw new WorkshopError(`${error.message} It still has your data: try again later, or ` +
        '`npm run leave -- --forget` forgets the room here alone.', { cause: error })
    })
  }
  await forgetSeat(workspace)
  return seat?.url !== undefined && seat.url !== null
}

/**
 * The seat in whose name results are exported: that of the room, or one that no room knows yet.
 *
 * @param {string} workspace
 * @param {string | undefined} name
 * @returns {Promise<Seat>}
 * @throws {WorkshopError} nobody has said a name
 */
export async function seatForExport (workspace, name) {
  const seat = await readSeat(workspace)
  if (seat !== null && (name === undefined || seat.url !== null)) return seat
  if (name === undefined) {
    throw new WorkshopError('Say whose results these are, as in `npm run export -- --name "Ada"`.')
  }
  const own = { url: null, nickname: null, board: false, token: randomBytes(16).toString('base64url'), ...seat, name }
  await saveSeat(workspace, own)
  return own
}
