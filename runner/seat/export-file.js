import { seatKey } from '../seat-key.js'
import { readProgress } from '../workspace/index.js'
import { readQueue, waitingOf } from './seat-files.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Seat } from './seat-files.js'
 *
 * @param {object} given
 * @param {Seat} given.seat
 * @param {string} given.workspace
 * @param {LessonEntry[]} given.entries
 * @returns {Promise<{ text: string, count: number }>} text: JSON for the instructor; count: of checks in it
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
