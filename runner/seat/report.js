import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { submissionProblem } from '../shared/seat-and-room.js'
import { readTree } from '../workspace/index.js'
import { askRoom, roomSentences, seatInRoom } from './own-seat.js'
import { putInQueue, readQueue, readSeat } from './seat-files.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { SubmittedFile } from '../shared/seat-and-room.js'
 * @import { Sent } from './own-seat.js'
 * @import { Seat } from './seat-files.js'
 */

/** The learner shouldn't wait longer after a verdict: the rest goes with the next check. */
const deadlineMs = 1000
const earlierMs = 10_000
const submitMs = 20_000
const longestText = 1000

/**
 * Queues a check for the room, and tries briefly to send the queue. Never rejects: problems are returned as sentences.
 *
 * @param {Pick<LessonEntry, 'id' | 'workspaceDir'>} entry
 * @param {ResultRecord} record
 * @param {{ send?: boolean }} [options] send: false: only queue it
 * @returns {Promise<string[]>} sentences for the learner; none without a room
 */
export async function reportCheck (entry, record, { send = true } = {}) {
  const workspace = path.dirname(entry.workspaceDir)
  try {
    const seat = await readSeat(workspace)
    if (seat === null || seat.url === null) return []
    await putInQueue(workspace, record, seat)
    return send ? roomSentences(await sendQueue(workspace, seat), entry.id) : []
  } catch (error) {
    return [`This check wasn’t reported to the room: ${error.message}`]
  }
}

/**
 * Lessons passed before the learner joined.
 *
 * @param {string} workspace
 * @param {readonly ResultRecord[]} records
 * @returns {Promise<string[]>} sentences: what became of them
 */
export async function reportEarlier (workspace, records) {
  const seat = await readSeat(workspace)
  if (!seat?.url || records.length === 0) return []
  for (const record of records) await putInQueue(workspace, record, seat)
  const { left, problem } = await sendQueue(workspace, seat, earlierMs)
  return left === 0 && problem === ''
    ? ['What you’d passed before is reported, too.']
    : [problem, `${left} checks wait and are sent with the next one.`].filter(Boolean)
}

/**
 * The newest first: the room sorts them.
 *
 * @param {string} workspace
 * @param {Seat} seat
 * @param {number} [waitMs]
 * @returns {Promise<Sent>}
 */
async function sendQueue (workspace, seat, waitMs = deadlineMs) {
  const signal = AbortSignal.timeout(waitMs)
  const waiting = await readQueue(workspace, seat)
  /** @type {Sent} */
  const sent = { taken: 0, left: waiting.length, room: null, problem: '' }
  for (const { file, id, record } of waiting) {
    const body = { id, record, sentAt: new Date().toISOString() }
    try {
      sent.room = (await askRoom(seat, 'POST', 'api/seat/reports', { body, signal })).room
      sent.taken++
    } catch (error) {
      sent.problem = error.message
      // The seat is gone: there is nothing to wait for.
      if (error.status === 401 || error.status === 410) sent.left = 0
      // A record that the room will never accept must not block the queue.
      if (error.status !== 400 && error.status !== 413) break
    }
    await fs.rm(file, { force: true })
    sent.left--
  }
  return sent
}

/**
 * A learner hands in these files, which the class runs and measures itself.
 *
 * @param {string} dir of the learner's copy
 * @returns {Promise<SubmittedFile[]>}
 * @throws {WorkshopError} they can't be submitted
 */
export async function filesToSubmit (dir) {
  const tree = [...await readTree(dir)]
  const [odd] = tree.filter(([, { note }]) => note !== undefined)
  if (odd !== undefined) {
    throw new WorkshopError(`${odd[0]} ${odd[1].note}: move it out of the folder, since only text is submitted.`)
  }
  const files = tree.map(([path, { text = '' }]) => ({ path, text }))
  const problem = submissionProblem(files)
  if (problem !== null) throw new WorkshopError(`${problem} These are the files in ${dir}.`)
  return files
}

/**
 * @param {string} workspace
 * @param {{ lesson: string, files: readonly SubmittedFile[] }} body lesson: id
 * @returns {Promise<string>} sentences of the room: what has come of it
 * @throws {WorkshopError} there is no seat, or the room doesn't answer or refuses
 */
export async function submitFiles (workspace, body) {
  const seat = await seatInRoom(workspace)
  const signal = AbortSignal.timeout(submitMs)
  const read = (/** @type {any} */ json) => typeof json?.said === 'string' ? json.said.slice(0, longestText) : null
  return askRoom(seat, 'POST', 'api/seat/submissions', { body, signal, read })
}
