import { askSeat } from './join.js'
import { readSeat } from './seat-files.js'

/**
 * @import { Sign } from './join.js'
 * @import { RoomWord } from './read-answer.js'
 */

const patienceMs = 1000

/**
 * For commands that work without a room, too.
 *
 * @param {string} workspace
 * @param {Sign | null} [sign] what the learner is doing now
 * @returns {Promise<RoomWord | null>} null: no room, or it doesn't answer at once
 */
export async function hearRoom (workspace, sign = null) {
  try {
    const seat = await readSeat(workspace)
    return seat?.url ? await askSeat(seat, workspace, { sign, waitMs: patienceMs }) : null
  } catch {
    return null
  }
}
