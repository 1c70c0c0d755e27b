import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { sentRecord } from '../judge/index.js'
import { seatKey } from '../shared/seat-and-room.js'
import { readJson, readProgress, writeFileAtomic } from '../workspace/index.js'

/**
 * The learner's files about a room: `room.json`, and the queue of checks to send.
 *
 * @import { ResultRecord, SentRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 *
 * @typedef {object} Seat
 * @property {string | null} url of the room, with a trailing slash; null: no room, results are exported to a file
 * @property {string} [code] of the room, as it was typed
 * @property {string} [asked] the only room that may know the token, where joining it has begun
 * @property {string} token
 * @property {string} name
 * @property {string | null} nickname
 * @property {boolean} board
 *
 * @typedef {{ id: string, record: SentRecord }} Waiting id: the same record has the same one everywhere
 */

/** @param {string} workspace folder @returns {Promise<Seat | null>} null: in no room @throws {WorkshopError} */
export async function readSeat (workspace) {
  const file = path.join(workspace, 'room.json')
  const { value, unreadable } = await readJson(file)
  if (value === undefined && !unreadable) return null
  if (value?.version !== 1 || typeof value.token !== 'string' || typeof value.name !== 'string') {
    throw new WorkshopError(`${file} is damaged: remove it, and join the room again.`)
  }
  return value
}

/** Only this user may read the token. @param {string} workspace @param {Seat} seat */
export async function saveSeat (workspace, seat) {
  const text = `${JSON.stringify({ version: 1, ...seat }, null, 2)}\n`
  await writeFileAtomic(path.join(workspace, 'room.json'), text, { mode: 0o600 })
}

/** @param {string} workspace */
export async function forgetSeat (workspace) {
  await fs.rm(path.join(workspace, 'room.json'), { force: true })
  for (const file of await queueFiles(workspace)) await fs.rm(file, { force: true })
}

/** @param {ResultRecord} record @returns {Waiting} */
export function waitingOf (record) {
  const sent = sentRecord(record)
  return { id: createHash('sha256').update(JSON.stringify(sent)).digest('hex').slice(0, 32), record: sent }
}

/**
 * @param {string} workspace
 * @param {ResultRecord} record
 * @param {Seat} seat
 * @throws {WorkshopError} it cannot be written
 */
export async function putInQueue (workspace, record, seat) {
  // A check that ends after the learner has left must not go into another room.
  const waiting = { ...waitingOf(record), seat: seatKey(seat.token) }
  // Sorts by time, and is valid on every file system.
  const name = `${record.startedAt.replace(/[^\dTZ]/g, '-')}-${waiting.id}.json`
  await writeFileAtomic(path.join(queueOf(workspace), name), `${JSON.stringify(waiting)}\n`)
}

/**
 * @param {string} workspace
 * @param {Seat} seat
 * @returns {Promise<(Waiting & { file: string })[]>} of this seat, the newest first; damaged files are skipped
 */
export async function readQueue (workspace, seat) {
  const files = await queueFiles(workspace)
  const key = seatKey(seat.token)
  const read = await Promise.all(files.map(async (file) => {
    const { id, record, seat } = (await readJson(file)).value ?? {}
    // The name of the file that was read, whatever its text says.
    return { id, record, key: seat, file }
  }))
  return read.filter((one) => typeof one.id === 'string' && one.record !== undefined && one.key === key)
}

/** @param {string} workspace @returns {Promise<string[]>} the newest first */
async function queueFiles (workspace) {
  const folder = queueOf(workspace)
  const names = await fs.readdir(folder).catch(() => [])
  return names.filter((name) => /^\d.*\.json$/.test(name)).sort().reverse().map((name) => path.join(folder, name))
}

/** @param {string} workspace */
function queueOf (workspace) {
  return path.join(workspace, 'room-queue')
}

/**
 * @param {{ seat: Seat, workspace: string, entries: LessonEntry[] }} given
 * @returns text: JSON for the instructor; count: of checks in it
 */
export async function exportText ({ seat, workspace, entries }) {
  const records = await keptRecords(entries)
  const all = [...await readQueue(workspace, seat), ...records.map(waitingOf)]
  const reports = [...new Map(all.map(({ id, record }) => [id, { id, record }])).values()]
  const { name, nickname, board } = seat
  const key = seatKey(seat.token)
  const file = { format: 'make-it-fast-export', version: 1, key, name, nickname, board, reports }
  return { text: `${JSON.stringify(file, null, 2)}\n`, count: reports.length }
}

/** The last and the best of each lesson. @param {LessonEntry[]} entries @returns {Promise<ResultRecord[]>} */
async function keptRecords (entries) {
  const progress = await Promise.all(entries.map((entry) => readProgress(entry)))
  return progress.flatMap(({ last, best }) => [last, best].flatMap((record) => record ?? []))
}

/** What could be sent of the time before the learner joined. @param {LessonEntry[]} entries */
export async function passedBefore (entries) {
  return (await keptRecords(entries)).filter(({ verdict }) => verdict === 'pass')
}
