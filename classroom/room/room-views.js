import { csvText } from '../../runner/report/index.js'
import { hasPassed, knownOf, lastOf, standingOf, verifiedOf } from './attempts.js'
import { bestOf, predictedOf, rankBoard } from './board.js'
import { findStuck, medianTime, presenceOf, sharedReasons } from './presence.js'
import { lastSweep } from './seats.js'
import { queueView, showSubmission } from './submissions.js'

/**
 * The room as data for its pages, each with what its readers may see.
 *
 * @import { Attempt, Submission } from './attempts.js'
 * @import { Clock, Prediction } from '../../runner/shared/seat-and-room.js'
 * @import { Sign } from './presence.js'
 * @import { LiveSeat, Room } from './room-state.js'
 * @import { Message } from './store.js'
 *
 * @typedef {ReturnType<typeof learnerView>} LearnerView what everyone in the room may know
 * @typedef {LearnerView['lessons'][number]} LessonView
 * @typedef {ReturnType<typeof publicView>} PublicView
 * @typedef {ReturnType<typeof projectorView>} ProjectorView no names of learners but those on the board
 * @typedef {ProjectorView['lessons'][number]} CountedLesson
 * @typedef {ReturnType<typeof instructorView>} InstructorView
 * @typedef {InstructorView['seats'][number]} SeatView
 */

const longestBoard = 50
const mostOver = 5

/** @param {Room} room @param {number} [seat] whose own messages are included */
export function learnerView (room, seat) {
  const { messages, isLobbyLocked, current, timer, locked, revealed } = room.settings()
  const now = room.now()
  return {
    messages: messages.filter((one) => !isOver(one, now) && (one.to === 'all' || one.to.some((id) => id === seat)))
      .map(({ to, ...said }) => said),
    isLobbyLocked,
    current: clockOf(current, now),
    timer: clockOf(timer, now),
    lessons: room.lessons.map(({ id, number, title }) =>
      ({ id, number, title, isLocked: locked.includes(id), isRevealed: revealed.includes(id) }))
  }
}

/** @param {Room} room @param {LiveSeat} seat @returns {Prediction | null} null: nothing to predict just now */
export function predictionFor ({ settings, lessons, store, now }, { id, lessons: own }) {
  const current = clockOf(settings().current, now())
  const { id: lesson = '', leading = null } = lessons.find((one) => one.id === current?.lesson) ?? {}
  if (leading === null) return null
  return { lesson, gate: leading, ratio: store.readPrediction(id, lesson), isOpen: !hasPassed(own.get(lesson)) }
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

/** @param {Room} room */
export function publicView (room) {
  return { ...learnerView(room), board: boardOf(room) }
}

/** @param {Room} room */
function boardOf ({ lessons, seats, submissions }) {
  const { id, tiers } = lessons.findLast(({ tiers }) => tiers.length > 0) ?? { id: null, tiers: [] }
  const best = bestOf(tiers)
  const measured = verifiedOf(submissions)
  const entries = (/** @type {'reported' | 'verified'} */ board) => seats().flatMap((seat) => {
    const attempts = (board === 'verified' ? measured.get(seat.id) : seat.lessons)?.get(id ?? '')
    const found = seat.isOnBoard && attempts ? best(attempts)[board] : null
    return found ? { nickname: seat.nickname ?? seat.name, ...found } : []
  })
  const reported = entries('reported')
  return {
    lesson: id,
    reported: rankBoard(reported, tiers, longestBoard),
    verified: rankBoard(entries('verified'), tiers, longestBoard),
    /** Including those not shown. */
    total: reported.length
  }
}

/** @param {Room} room */
export function projectorView (room) {
  const seats = sittingsOf(room)
  const view = publicView(room)
  const current = view.current?.lesson
  const measured = [...verifiedOf(room.submissions).values()]
  return {
    ...view,
    seats: seats.length,
    predicted: current === undefined ? null : predictedOf(room.store.readPredictions(), current, seats),
    lessons: view.lessons.map((lesson) => {
      const tried = seats.flatMap(({ lessons }) => {
        const attempts = lessons.get(lesson.id)
        return attempts ? [standingOf(attempts)] : []
      })
      const passed = tried.filter(({ state }) => state === 'pass').length
      return {
        ...lesson,
        passed,
        trying: tried.length - passed,
        verified: measured.filter((lessons) => hasPassed(lessons.get(lesson.id))).length,
        medianMs: medianTime(seats, lesson.id)
      }
    }),
    reasons: sharedReasons(seats).filter(({ lesson }) => (current ?? lesson) === lesson)
  }
}

/** @param {Room} room */
export function instructorView (room) {
  const { lessons, submissions, signs } = room
  const [now, settings, seats] = [room.now(), room.settings(), room.seats()]
  const verified = verifiedOf(submissions)
  /** @type {Map<number, ReturnType<typeof submissionView>[]>} the newest first */
  const submitted = new Map(seats.map(({ id }) => [id, []]))
  for (const one of submissions.values()) submitted.get(one.seat)?.unshift(submissionView(one))
  const view = projectorView(room)
  const open = lessons.flatMap(({ id }) => settings.locked.includes(id) ? [] : [id])
  const current = view.current === null ? null : settings.current
  const stuck = findStuck(sittingsOf(room), { now, open, current })
  return {
    ...view,
    code: settings.code,
    crowded: room.admission.crowded(),
    swept: lastSweep(room)?.seats.length ?? 0,
    queue: queueView(room),
    // Those shown now, and the last five, the newest first.
    messages: settings.messages.toReversed()
      .map((one) => ({ ...one, isOver: isOver(one, now) }))
      .filter((one, at) => at < mostOver || !one.isOver),
    hands: [...room.hands].map(([seat, { at, lesson }]) =>
      ({ seat, lesson, minutes: Math.floor((now - at) / 60_000) })),
    seats: seats.map(({ tokenHash, removedAt, kept, allowances, lessons, ...seat }) => ({
      ...seat,
      lessons: standingsOf(lessons),
      verified: standingsOf(verified.get(seat.id) ?? new Map()),
      submissions: submitted.get(seat.id) ?? [],
      stuck: stuck.get(seat.id) ?? null,
      presence: presenceOf(seenAt(signs.get(seat.id), seat.lastSeenAt), signs.get(seat.id), now),
      unfit: lastOf(lessons)?.unfit ?? []
    }))
  }
}

/** @param {LiveSeat['lessons']} lessons */
function standingsOf (lessons) {
  return Object.fromEntries([...lessons].map(([lesson, attempts]) => [lesson, standingOf(attempts)]))
}

/** @param {Submission} submission */
function submissionView ({ id, lesson, state, problem, cheat, receivedAt, worker, graded }) {
  return { id, lesson, state, problem, cheat, receivedAt, worker, result: graded && resultView(graded) }
}

/** @param {NonNullable<Submission['graded']>} graded */
function resultView ({ report: { verdict, ratio }, ...about }) {
  return { verdict, ratio, ...about }
}

/** @param {Room} room */
function sittingsOf ({ seats, signs }) {
  return seats().map(({ id, joinedAt, lastSeenAt, lessons }) => {
    const sign = signs.get(id)
    const lookedAt = sign?.lookedAt ?? 0
    return { id, joinedAt: Date.parse(joinedAt), seenAt: seenAt(sign, lastSeenAt), lookedAt, lessons }
  })
}

/** @param {Sign | undefined} sign @param {string} lastSeenAt with its last report @returns {number} ms since 1970 */
function seenAt (sign, lastSeenAt) {
  return Math.max(sign?.at ?? 0, Date.parse(lastSeenAt))
}

/** An instructor's files about a class. */

const columns = [
  'seat', 'name', 'nickname', 'lesson', 'number', 'title', 'state', 'attempts', 'ratio', 'target', 'tier', 'reason',
  'last', 'passed', 'source', 'verified', 'verified ratio', 'verified tier', 'graded', 'cheat'
]

/** Who made the measurement. */
const sources = {
  reported: 'the learner’s machine',
  imported: 'a file of the learner’s',
  verified: 'the class’s machine'
}

/** @param {Room} room @returns {string} CSV (RFC 4180), a line per seat and lesson, begun or not */
export function csvOf ({ seats, lessons, submissions }) {
  const verified = verifiedOf(submissions)
  const cheats = new Map([...submissions.values()].flatMap(({ seat, lesson, cheat }) =>
    cheat === null ? [] : [[`${seat} ${lesson}`, cheat.evidence]]))
  const rows = seats().flatMap((seat) => lessons.map(({ id, number, title }) => [
    seat.id, seat.name, seat.nickname, id, number, title, ...standingCells(seat.lessons.get(id)),
    ...verifiedCells(verified.get(seat.id)?.get(id)), cheats.get(`${seat.id} ${id}`) ?? null
  ]))
  return csvText([columns, ...rows])
}

/** @param {readonly Attempt[]} [attempts] */
function standingCells (attempts) {
  if (attempts === undefined) return ['not begun', 0, ...Array(7).fill(null)]
  const { state, attempts: count, ratio, target, tier, reason, lastAt, passedAt, source } = standingOf(attempts)
  return [state, count, short(ratio), short(target), tier, reason, isoOf(lastAt), isoOf(passedAt), sources[source]]
}

/** What the class measured itself. @param {readonly Attempt[]} [attempts] */
function verifiedCells (attempts) {
  if (attempts === undefined) return Array(4).fill(null)
  const { state, ratio, tier, lastAt } = standingOf(attempts)
  return [state, short(ratio), tier, isoOf(lastAt)]
}

/** @param {number | null} figure */
function short (figure) {
  return figure === null ? null : Math.round(100 * figure) / 100
}

/**
 * In pieces: a room may have more than a string can hold.
 *
 * @param {Room} room
 * @returns {Generator<string>} JSON, everything but secrets: seats, reports with their records, submissions
 *   with files and results, the audit log
 */
export function * jsonOf (room) {
  const { store, lessons, submissions } = room
  const { createdAt, messages, isLobbyLocked, locked, revealed } = room.settings()
  const seats = room.seats()
  const shown = lessons.map(({ checks, gates, ...lesson }) => lesson)
  yield JSON.stringify({
    format: 'make-it-fast-room',
    version: 1,
    room: { createdAt, messages, isLobbyLocked, locked, revealed, lessons: shown },
    seats: seats.map(({ tokenHash, lessons: _, kept, allowances, ...seat }) => seat),
    predictions: store.readPredictions(),
    audit: store.readAudit()
  }).slice(0, -1)
  let before = ',"reports":['
  for (const { id } of seats) {
    for (const report of store.readReportsOf(id)) {
      yield before + JSON.stringify({ ...knownOf(report, lessons), record: JSON.parse(report.record) })
      before = ','
    }
  }
  yield before === ',' ? '],"submissions":[' : `${before}],"submissions":[`
  before = ''
  for (const { id } of submissions.values()) {
    yield `${before}${JSON.stringify(showSubmission(room, id))}`
    before = ','
  }
  yield ']}'
}

/** @param {number | null} at ms since 1970 */
function isoOf (at) {
  return at === null ? null : new Date(at).toISOString()
}
