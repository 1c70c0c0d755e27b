import { textUpTo } from '../http/index.js'
import {
  askSeat, changeHand, changeOwnSeat, joinRoom, leaveRoom, predict, prepareToJoin, readSeat, submitFiles
} from '../seat/index.js'
import { readWhatIsSent } from '../shared/seat-and-room.js'

/**
 * @import { RoomWord } from '../shared/seat-and-room.js'
 * @import { Sign } from '../seat/index.js'
 * @import { Job } from './jobs.js'
 */

/** What was heard before the room said anything. @type {Pick<ClassState, 'room' | 'problem' | 'isGone'>} */
const nothing = { room: null, problem: '', isGone: false }
/** Characters; the room itself wants names to be shorter. */
const longest = 1000

/**
 * The instructor's room in which the learner sits, and what it said last.
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
 * @param {() => void} given.onChange
 * @param {() => Job | null} given.currentJob
 */
export function createClassroom ({ workspace, onChange, currentJob }) {
  /** @type {typeof nothing} */
  let heard = nothing
  let askedAt = Date.now()

  /** @param {typeof heard} news */
  const hear = (news) => {
    const isNew = timeless(news) !== timeless(heard)
    heard = news
    if (isNew) onChange()
  }
  return {
    /** @returns {Promise<ClassState>} */
    read: async () => {
      const [own, sent] = await Promise.all([readOwnSeat(workspace), readWhatIsSent()])
      return { ...own.seat === null ? nothing : heard, ...own, sent }
    },

    /** @param {Parameters<typeof submitFiles>[1]} body */
    submit: (body) => submitFiles(workspace, body),

    /**
     * What pages ask for. Each takes the body of a request, as it came, and the slug of the page's lesson, or an empty
     * text; it may throw a `WorkshopError`.
     *
     * @type {Record<string, (body: any, lesson: string) => Promise<void>>}
     */
    acts: {
      ask: async (body, lesson) => {
        const seat = await readSeat(workspace)
        if (seat === null || seat.url === null) return hear(nothing)
        const sign = signOf(currentJob(), { lesson, since: askedAt })
        askedAt = Date.now()
        hear(await askSeat(seat, workspace, { sign })
          .then((room) => ({ ...nothing, room }), (error) => afterFailure(error, heard)))
      },
      join: async (body) => hear({ ...nothing, room: await joinWith(body, workspace) }),
      change: async ({ nickname, board }) => {
        const own = textUpTo(nickname ?? '', longest, 'A nickname is text.')
        await changeOwnSeat(workspace, { nickname: own, board: board === true })
        onChange()
      },
      leave: async ({ forget }) => {
        await leaveRoom(workspace, { forget: forget === true })
        hear(nothing)
      },
      hand: async ({ isUp }, lesson) =>
        hear({ ...nothing, room: await changeHand(workspace, { isUp: isUp === true, lesson }) }),
      predict: async ({ ratio }, lesson) => hear({ ...nothing, room: await predict(workspace, { lesson, ratio }) })
    }
  }
}

/** @param {string} workspace @returns {Promise<Pick<ClassState, 'seat'> & { problem?: string }>} */
async function readOwnSeat (workspace) {
  try {
    const seat = await readSeat(workspace)
    if (seat === null || seat.url === null) return { seat: null }
    const { name, nickname, board, url, code } = seat
    return { seat: { name, nickname, board, url, code } }
  } catch (error) {
    return { seat: null, problem: error.message }
  }
}

/** @param {any} error @param {typeof nothing} heard @returns {typeof nothing} */
function afterFailure ({ status, message }, heard) {
  const isGone = status === 401 || status === 410
  return { room: isGone ? null : heard.room, problem: message, isGone }
}

/** @param {any} given as it came @param {string} workspace @returns {Promise<RoomWord>} */
async function joinWith ({ address, name, nickname, board }, workspace) {
  const text = (/** @type {unknown} */ one) => textUpTo(one, longest, 'Joining takes an address and a name.')
  const prepared = await prepareToJoin(text(address).trim(), workspace).catch((error) => {
    throw Object.assign(error, { field: 'address' })
  })
  const who = { name: text(name), nickname: text(nickname ?? ''), board: board === true }
  return (await joinRoom(prepared, who, workspace)).room
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
