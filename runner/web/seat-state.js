import { askSeat, changeOwnSeat, joinRoom, leaveRoom, prepareToJoin, readSeat } from '../seat/index.js'
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
 * @property {boolean} isGone the room no longer knows the seat
 * @property {string} sent Markdown: what is sent to a room
 *
 * @typedef {ReturnType<typeof createClassroom>} Classroom
 *
 * @param {{ workspace: string, onChange: () => Promise<void> }} given
 */
export function createClassroom ({ workspace, onChange }) {
  const nothing = { room: null, problem: '', isGone: false }
  /** @type {{ room: RoomWord | null, problem: string, isGone: boolean }} */
  let heard = nothing

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
        return { ...nothing, seat: null, problem: seat !== null && 'problem' in seat ? seat.problem : '', sent }
      }
      const { name, nickname, board, url, code } = seat
      return { seat: { name, nickname, board, url, code }, ...heard, sent }
    },

    ask: async () => {
      const seat = await readSeat(workspace)
      if (seat === null || seat.url === null) return hear(nothing)
      await hear(await askSeat(seat, workspace).then((room) => ({ ...nothing, room }), (error) => {
        const isGone = error.status === 401 || error.status === 410
        return { room: isGone ? null : heard.room, problem: error.message, isGone }
      }))
    },

    /** @param {any} given address, name, nickname, board; as it came @throws {import('../errors.js').WorkshopError} */
    join: async ({ address, name, nickname, board }) => {
      const text = (/** @type {unknown} */ one) => textUpTo(one, longest, 'Joining takes an address and a name.')
      const room = await prepareToJoin(text(address).trim(), workspace)
      const who = { name: text(name), nickname: text(nickname ?? ''), board: board === true }
      const answer = await joinRoom(room, who, workspace)
      await hear({ ...nothing, room: answer.room })
    },

    /** @param {any} given nickname, board; as it came */
    change: async ({ nickname, board }) => {
      const own = textUpTo(nickname ?? '', longest, 'A nickname is text.')
      await changeOwnSeat(workspace, { nickname: own, board: board === true })
      await onChange()
    },

    /** @param {{ forget: boolean }} how */
    leave: async (how) => {
      await leaveRoom(workspace, how)
      await hear(nothing)
    }
  }
}
