import { hasPassed, lastOf, standingOf } from './attempts.js'
import { bestOf, predictedOf, rankBoard } from './board.js'
import { findStuck, medianTime, presenceOf, sharedReasons } from './presence.js'
import { queueView, verifiedOf, verifiedPasses } from './submission.js'

/**
 * The room as data for its pages, each with what its readers may see. Pure.
 *
 * @import { Standing } from './attempts.js'
 * @import { Predicted, Ranked } from './board.js'
 * @import { LiveSeat, RoomState } from './context.js'
 * @import { Presence, SharedReason, Sign, Stuck } from './presence.js'
 * @import { Message } from './store.js'
 * @import { QueueView, Submission } from './submission.js'
 *
 * @typedef {{ id: string, number: number, title: string, isLocked: boolean, isRevealed: boolean }} LessonView
 *
 * @typedef {Pick<Message, 'id' | 'text' | 'sentAt' | 'endsAt'>} Said
 *
 * @typedef {{ until: string, minutes: number, minutesLeft: number }} Clock until: ISO 8601
 *
 * @typedef {object} LearnerView what everyone in the room may know
 * @property {Said[]} messages the instructor's, as shown now, the newest last
 * @property {string} message the newest one, for older workshops; may be empty
 * @property {boolean} isLobbyLocked
 * @property {(Clock & { lesson: string }) | null} current the lesson that the class is at; lesson: id
 * @property {(Clock & { text: string }) | null} timer another countdown, such as a break
 * @property {boolean} isSimulated its learners are invented
 * @property {LessonView[]} lessons
 *
 * @typedef {object} Board
 * @property {string | null} lesson id; null: no lesson has tiers
 * @property {Ranked[]} reported what learners' machines say, from the first rank; at most `longestBoard`
 * @property {Ranked[]} verified what the class measured itself
 * @property {number} total entries, including those not shown
 *
 * @typedef {LearnerView & { board: Board }} PublicView
 *
 * @typedef {LessonView & Counts} CountedLesson
 * @typedef {object} Counts
 * @property {number} passed seats
 * @property {number} trying seats that have tried and not passed
 * @property {number} verified seats whose pass the class measured itself
 * @property {number | null} medianMs from turning to the lesson to the first pass
 *
 * @typedef {object} Figures
 * @property {number} seats
 * @property {CountedLesson[]} lessons
 * @property {SharedReason[]} reasons
 * @property {Predicted | null} predicted of the current lesson; null: too few predictions
 * @typedef {Omit<PublicView, 'lessons'> & Figures} ProjectorView no names of learners but those on the board
 *
 * @typedef {object} SeatView
 * @property {number} id
 * @property {string} name
 * @property {string | null} nickname
 * @property {boolean} isOnBoard
 * @property {string} joinedAt ISO 8601
 * @property {string} lastSeenAt ISO 8601
 * @property {Record<string, Standing>} lessons by id
 * @property {Record<string, Standing>} verified what the class measured itself, by lesson
 * @property {SubmissionView[]} submissions the newest first
 * @property {Stuck | null} stuck
 * @property {Presence} presence
 * @property {string[]} unfit sentences about its machine, as of the last check
 *
 * @typedef {Pick<Submission, 'id' | 'lesson' | 'state' | 'problem' | 'cheat' | 'receivedAt' | 'worker'> & {
 *   result: { verdict: string, ratio: number | null, isVerified: boolean, sandbox: string, fitness: string } | null
 * }} SubmissionView
 *
 * @typedef {object} OwnView
 * @property {QueueView} queue
 * @property {string} code
 * @property {SeatView[]} seats
 * @property {RoomState['crowded']} crowded
 * @property {number} swept seats removed together that can come back
 *
 * @property {(Message & { isOver: boolean })[]} messages those shown now, and the last five, the newest first
 * @property {{ seat: number, lesson: string | null, minutes: number }[]} hands raised, the first one first
 *
 * @typedef {Omit<ProjectorView, 'seats' | 'messages'> & OwnView} InstructorView
 */

const longestBoard = 50
const mostOver = 5

/** @param {RoomState} state @param {number} [seat] whose own messages are included @returns {LearnerView} */
export function learnerView ({ settings, lessons, now }, seat) {
  const messages = settings.messages
    .filter((one) => !isOver(one, now) && (one.to === 'all' || one.to.some((id) => id === seat)))
    .map(({ to, ...said }) => said)
  return {
    messages,
    message: messages.at(-1)?.text ?? '',
    isLobbyLocked: settings.isLobbyLocked,
    current: clockOf(settings.current, now),
    timer: clockOf(settings.timer, now),
    isSimulated: settings.isSimulated ?? false,
    lessons: lessons.map(({ id, number, title }) => ({
      id, number, title, isLocked: settings.locked.includes(id), isRevealed: settings.revealed.includes(id)
    }))
  }
}

/**
 * What a learner may predict just now.
 *
 * @param {RoomState} state
 * @param {LiveSeat} seat
 * @returns {{ lesson: string, gate: string, ratio: number | null, isOpen: boolean } | null} gate: what the ratio is of;
 *   ratio: their prediction; isOpen: they can still change it
 */
export function predictionFor ({ settings, lessons, predictions, now }, { id, lessons: own }) {
  const current = clockOf(settings.current, now)
  const { id: lesson = '', leading = null } = lessons.find((one) => one.id === current?.lesson) ?? {}
  if (leading === null) return null
  const ratio = predictions.get(lesson)?.get(id) ?? null
  return { lesson, gate: leading, ratio, isOpen: !hasPassed(own.get(lesson)) }
}

/** @param {Message} message @param {number} now ms since 1970 */
function isOver ({ endsAt }, now) {
  return Date.parse(endsAt) <= now
}

/**
 * @template {{ startedAt: string, minutes: number }} Started
 * @param {Started | null | undefined} started
 * @param {number} now ms since 1970
 * @returns {(Omit<Started, 'startedAt'> & Clock) | null} null: it has ended
 */
function clockOf (started, now) {
  if (!started) return null
  const { startedAt, ...rest } = started
  const end = Date.parse(startedAt) + started.minutes * 60_000
  if (end <= now) return null
  return { ...rest, until: new Date(end).toISOString(), minutesLeft: Math.ceil((end - now) / 60_000) }
}

/** @param {RoomState} state @returns {PublicView} */
export function publicView (state) {
  return { ...learnerView(state), board: boardOf(state) }
}

/** @param {RoomState} state @returns {ProjectorView} */
export function projectorView (state) {
  const seats = sittingsOf(state)
  const view = publicView(state)
  const current = view.current?.lesson
  const predicted = current === undefined ? undefined : state.predictions.get(current)
  const verified = verifiedPasses(state.submissions.values())
  return {
    ...view,
    seats: seats.length,
    predicted: current !== undefined && predicted ? predictedOf(predicted, current, seats) : null,
    lessons: view.lessons.map((lesson) => {
      const standings = seats.flatMap(({ lessons }) => {
        const attempts = lessons.get(lesson.id)
        return attempts ? [standingOf(attempts)] : []
      })
      const passed = standings.filter((standing) => standing.state === 'pass').length
      const trying = standings.length - passed
      return {
        ...lesson, passed, trying, verified: verified.get(lesson.id)?.size ?? 0, medianMs: medianTime(seats, lesson.id)
      }
    }),
    reasons: sharedReasons(seats).filter(({ lesson }) => (current ?? lesson) === lesson)
  }
}

/** @param {RoomState} state @returns {InstructorView} */
export function instructorView (state) {
  const { settings, lessons, seats, crowded, swept, signs, hands, submissions, workers, isCut, now } = state
  const verified = verifiedOf(submissions.values())
  /** @type {Map<number, SubmissionView[]>} */
  const submitted = new Map(seats.map(({ id }) => [id, []]))
  for (const one of submissions.values()) submitted.get(one.seat)?.unshift(submissionView(one))
  const view = projectorView(state)
  const open = lessons.flatMap(({ id }) => settings.locked.includes(id) ? [] : [id])
  const current = view.current === null ? null : settings.current
  const stuck = findStuck(sittingsOf(state), { now, open, current })
  return {
    ...view,
    code: settings.code,
    crowded,
    swept,
    queue: queueView([...submissions.values()], [...workers.values()], now, isCut),
    messages: settings.messages.toReversed()
      .map((one) => ({ ...one, isOver: isOver(one, now) }))
      .filter((one, at) => at < mostOver || !one.isOver),
    hands: [...hands].map(([seat, { at, lesson }]) => ({ seat, lesson, minutes: Math.floor((now - at) / 60_000) })),
    seats: seats.map(({ id, name, nickname, isOnBoard, joinedAt, lastSeenAt, lessons }) => ({
      id,
      name,
      nickname,
      isOnBoard,
      joinedAt,
      lastSeenAt,
      lessons: standingsOf(lessons),
      verified: standingsOf(verified.get(id) ?? new Map()),
      submissions: submitted.get(id) ?? [],
      stuck: stuck.get(id) ?? null,
      presence: presenceOf(seenAt(signs.get(id), lastSeenAt), signs.get(id), now),
      unfit: lastOf(lessons)?.unfit ?? []
    }))
  }
}

/** @param {LiveSeat['lessons']} lessons @returns {Record<string, Standing>} */
function standingsOf (lessons) {
  return Object.fromEntries([...lessons].map(([lesson, attempts]) => [lesson, standingOf(attempts)]))
}

/** @param {Submission} submission @returns {SubmissionView} */
function submissionView ({ id, lesson, state, problem, cheat, receivedAt, worker, graded }) {
  const result = graded === null
    ? null
    : {
        verdict: graded.report.verdict,
        ratio: graded.report.ratio,
        isVerified: graded.isVerified,
        sandbox: graded.sandbox,
        fitness: graded.fitness
      }
  return { id, lesson, state, problem, cheat, receivedAt, worker, result }
}

/** @param {RoomState} state @returns {Board} */
function boardOf ({ lessons, seats, submissions }) {
  const lesson = lessons.findLast(({ tiers }) => tiers.length > 0)
  if (lesson === undefined) return { lesson: null, reported: [], verified: [], total: 0 }
  const { id, tiers } = lesson
  const best = bestOf(tiers)
  const measured = verifiedOf(submissions.values())
  const entries = (/** @type {'reported' | 'verified'} */ board) => seats.flatMap((seat) => {
    const attempts = (board === 'verified' ? measured.get(seat.id) : seat.lessons)?.get(id)
    const found = seat.isOnBoard && attempts ? best(attempts)[board] : null
    return found ? { nickname: seat.nickname ?? seat.name, ...found } : []
  })
  const reported = entries('reported')
  return {
    lesson: id,
    reported: rankBoard(reported, tiers, longestBoard),
    verified: rankBoard(entries('verified'), tiers, longestBoard),
    total: reported.length
  }
}

/** @param {RoomState} state */
function sittingsOf ({ seats, signs }) {
  return seats.map(({ id, joinedAt, lastSeenAt, lessons }) => {
    const sign = signs.get(id)
    const lookedAt = sign?.lookedAt ?? 0
    return { id, joinedAt: Date.parse(joinedAt), seenAt: seenAt(sign, lastSeenAt), lookedAt, lessons }
  })
}

/** @param {Sign | undefined} sign @param {string} lastSeenAt with its last report @returns {number} ms since 1970 */
function seenAt (sign, lastSeenAt) {
  return Math.max(sign?.at ?? 0, Date.parse(lastSeenAt))
}
