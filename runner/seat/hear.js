import { askSeat } from './join.js'
import { readSeat } from './seat-files.js'

/**
 * @import { RoomWord } from './ask.js'
 * @import { Sign } from './join.js'
 */

const patienceMs = 1000

/**
 * For what works without a room, too.
 *
 * @param {string} workspace
 * @param {Sign | null} [sign] what the learner does just now
 * @returns {Promise<RoomWord | null>} null: in no room, or it doesn't answer at once
 */
export async function hearRoom (workspace, sign = null) {
  try {
    const seat = await readSeat(workspace)
    return seat?.url ? await askSeat(seat, workspace, { sign, waitMs: patienceMs }) : null
  } catch {
    return null
  }
}
