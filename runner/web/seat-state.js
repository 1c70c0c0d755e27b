import {
  askSeat, changeHand, changeOwnSeat, joinRoom, leaveRoom, predict, prepareToJoin, readSeat, submitFiles
} from '../seat/index.js'
import { textUpTo } from '../http/index.js'
import { readWhatIsSent } from '../what-is-sent.js'

/** Characters; the room itself wants names to be shorter. */
const longest = 1000

/**
 * The instructor's room in which the learner sits, and what it said last.
 *
 * @import { RoomWord, Sign } from '../seat/index.js'
 * @import { Job } from './jobs/job.js'
 *
 * @typedef {object} ClassState
 * @property {{ name: string, nickname: string | null, board: boolean, url: string, code?: string } | null} seat
 * @property {RoomWord | null} room null: it hasn't said anything yet
 * @property {string} problem a sentence: why it says nothing; may be empty
 * @property {boolean} isGone the room no longer knows the seat
 * @property {string} sent Markdown: what is sent to a room
 *
 * @typedef {ReturnType<typeof createClassroom>} Classroom
 *
 * @param {object} given
 * @param {string} given.workspace
 * @param {() => Promise<void>} given.onChange
 * @param {() => Job | null} given.currentJob
 */
export function createClassroom ({ workspace, onChange, currentJob }) {
  const nothing = { room: null, problem: '', isGone: false }
  /** @type {{ room: RoomWord | null, problem: string, isGone: boolean }} */
  let heard = nothing
  let askedAt = Date.now()

  /** @param {typeof heard} news */
  const hear = async (news) => {
    const isNew = timeless(news) !== timeless(heard)
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

    /** @param {string} lesson slug of the requesting page, or empty */
    ask: async (lesson) => {
      const seat = await readSeat(workspace)
      if (seat === null || seat.url === null) return hear(nothing)
      const sign = signOf(currentJob(), { lesson, since: askedAt })
      askedAt = Date.now()
      await hear(await askSeat(seat, workspace, { sign }).then((room) => ({ ...nothing, room }), (error) => {
        const isGone = error.status === 401 || error.status === 410
        return { room: isGone ? null : heard.room, problem: error.message, isGone }
      }))
    },

    /** @param {{ isUp: boolean, lesson: string }} hand lesson: slug */
    changeHand: async (hand) => {
      const room = await changeHand(workspace, hand)
      await hear({ ...nothing, room })
    },

    /** @param {{ lesson: string, ratio: unknown }} prediction lesson: slug */
    predict: async (prediction) => {
      const room = await predict(workspace, prediction)
      await hear({ ...nothing, room })
    },

    /** @param {Parameters<typeof submitFiles>[1]} body */
    submit: (body) => submitFiles(workspace, body),

    /** @param {any} given address, name, nickname, board; as it came @throws {import('../errors.js').WorkshopError} */
    join: async ({ address, name, nickname, board }) => {
      const text = (/** @type {unknown} */ one) => textUpTo(one, longest, 'Joining takes an address and a name.')
      const room = await prepareToJoin(text(address).trim(), workspace).catch((error) => {
        throw Object.assign(error, { field: 'address' })
      })
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

/** Pages count the remaining minutes themselves: they needn't be told of each. @param {unknown} news */
function timeless (news) {
  return JSON.stringify(news, (key, value) => key === 'minutesLeft' ? undefined : value)
}

/**
 * What the learner does. Pure.
 *
 * @param {Job | null} job the last one
 * @param {{ lesson: string, since: number }} page lesson: slug; since: when the room was last told, ms since 1970
 * @returns {Sign}
 */
export function signOf (job, { lesson, since }) {
  const isBusy = job?.state === 'running' || job?.state === 'waiting'
  if (job === null || !(isBusy || Date.parse(job.startedAt) >= since)) return { lesson, state: 'reading' }
  return { lesson: job.lesson, state: isBusy && job.kind === 'check' ? 'checking' : 'looking' }
}
