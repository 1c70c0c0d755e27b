import { askSeat, joinRoom, leaveRoom, prepareToJoin, readSeat } from '../seat/index.js'
import { textUpTo } from '../http/index.js'
import { readWhatIsSent } from '../what-is-sent.js'

/** Characters; the room itself wants names to be shorter. */
const longest = 1000

/**
 * The instructor's room in which the learner sits, and what it said last.
 *
 * @import { RoomWord } from '../seat/index.js'
 *
 * @typedef {object} ClassState
 * @property {{ name: string, nickname: string | null, board: boolean, url: string, code?: string } | null} seat
 * @property {RoomWord | null} room null: it has not said anything yet
 * @property {string} problem a sentence: why it says nothing; may be empty
 * @property {string} sent Markdown: what is sent to a room
 *
 * @typedef {ReturnType<typeof createClassroom>} Classroom
 *
 * @param {{ workspace: string, onChange: () => Promise<void> }} given
 */
export function createClassroom ({ workspace, onChange }) {
  /** @type {{ room: RoomWord | null, problem: string }} */
  let heard = { room: null, problem: '' }

  /** @param {typeof heard} news */
  const hear = async (news) => {
    const isNew = JSON.stringify(news) !== JSON.stringify(heard)
    heard = news
    if (isNew) await onChange()
  }
  return {
    /** @returns {Promise<ClassState>} */
    read: async () => {
      const [seat, sent] = await Promise.all([
        readSeat(workspace).catch((error) => ({ url: null, problem: error.message })), readWhatIsSent()
      ])
      if (seat === null || seat.url === null) {
        return { seat: null, room: null, problem: seat !== null && 'problem' in seat ? seat.problem : '', sent }
      }
      const { name, nickname, board, url, code } = seat
      return { seat: { name, nickname, board, url, code }, ...heard, sent }
    },

    ask: async () => {
      const seat = await readSeat(workspace)
      if (seat === null || seat.url === null) return hear({ room: null, problem: '' })
      await hear(await askSeat(seat).then((room) => ({ room, problem: '' }),
        (error) => ({ room: heard.room, problem: error.message })))
    },

    /** @param {any} given address, name, nickname, board; as it came @throws {import('../errors.js').WorkshopError} */
    join: async ({ address, name, nickname, board }) => {
      const text = (/** @type {unknown} */ one) => textUpTo(one, longest, 'Joining takes an address and a name.')
      const room = await prepareToJoin(text(address).trim(), workspace)
      const who = { name: text(name), nickname: text(nickname ?? ''), board: board === true }
      const answer = await joinRoom(room, who, workspace)
      await hear({ room: answer.room, problem: '' })
    },

    /** @param {{ forget: boolean }} how */
    leave: async (how) => {
      await leaveRoom(workspace, how)
      await hear({ room: null, problem: '' })
    }
  }
}
