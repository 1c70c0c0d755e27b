import fs from 'node:fs/promises'
import path from 'node:path'
import { askRoom } from './ask.js'
import { saidBy } from './room-sentences.js'
import { putInQueue, readQueue, readSeat } from './seat-files.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { RoomWord } from './read-answer.js'
 * @import { Seat } from './seat-files.js'
 *
 * @typedef {object} Sent
 * @property {number} taken how many the room accepted
 * @property {number} left how many are still queued
 * @property {RoomWord | null} room what it said; null: it wasn't reached
 * @property {string} problem a sentence; may be empty
 */

/** The learner shouldn't wait longer after a verdict: the rest goes with the next check. */
const deadlineMs = 1000
const earlierMs = 10_000

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
 * Pure.
 *
 * @param {Sent} sent
 * @param {string} id of the lesson that was checked
 * @returns {string[]}
 */
export function roomSentences ({ taken, left, room, problem }, id) {
  const waits = left === 1 ? 'This check waits and is sent' : `${left} checks wait and are sent`
  return [
    ...room && left === 0 && problem === ''
      ? [`Reported to the room${taken > 1 ? `: ${taken} checks` : ''}.`]
      : [],
    ...room === null ? [] : saidBy(room, id),
    ...problem === '' ? [] : [problem],
    ...left === 0 ? [] : [`${waits} with the next one.`]
  ]
}
