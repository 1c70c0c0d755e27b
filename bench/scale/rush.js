import path from 'node:path'
import { openStore } from '../../classroom/room/store.js'
import { makeFolder } from '../../test/temporary.js'

/**
 * The rush before a deadline, through the room's real table, by a clock that doesn't wait: all learners hand in within
 * `withinMs`, and some of them first send ten versions.
 *
 * @typedef {{ seat: number, at: number }} Arrival
 * @typedef {{ seat: number, waitedMs: number }} Graded
 * @typedef {object} Line
 * @property {(seat: number, now: number) => void} add
 * @property {(now: number) => { seat: number, done: () => void } | null} take
 */

/** @param {{ learners: number, eager: number, versions: number, withinMs: number }} given @returns {Arrival[]} */
export function arrivalsOf ({ learners, eager, versions, withinMs }) {
  return Array.from({ length: learners }, (_, seat) => seat < eager
    ? Array.from({ length: versions }, () => ({ seat, at: 0 }))
    : [{ seat, at: Math.round(withinMs * seat / learners) }]).flat().sort((a, b) => a.at - b.at)
}

/**
 * @param {readonly Arrival[]} arrivals in their order
 * @param {Line} line
 * @param {{ workers: number, gradingMs: (nth: number) => number }} how
 * @returns {{ waits: Graded[], endMs: number, lead: number }} waits: until the first result of each; lead: how many
 *   more results one learner had than another who waited, at most
 */
export function play (arrivals, line, { workers, gradingMs }) {
  const free = Array.from({ length: workers }, () => ({ until: 0, end: () => {} }))
  /** @type {Map<number, { at: number, waitedMs: number }>} */
  const first = new Map()
  for (const { seat, at } of arrivals) if (!first.has(seat)) first.set(seat, { at, waitedMs: -1 })
  const waiting = new Map()
  const taken = new Map()
  let [next, started, endMs, lead] = [0, 0, 0, 0]
  while (started < arrivals.length) {
    const worker = free.reduce((a, b) => b.until < a.until ? b : a)
    const now = waiting.size > 0 ? worker.until : Math.max(worker.until, arrivals[next].at)
    for (; next < arrivals.length && arrivals[next].at <= now; next++) {
      const { seat, at } = arrivals[next]
      line.add(seat, at)
      waiting.set(seat, (waiting.get(seat) ?? 0) + 1)
    }
    worker.end()
    const job = line.take(now)
    if (job === null) throw new Error('A job that waits was not given out.')
    const { seat } = job
    const left = waiting.get(seat) - 1
    if (left > 0) waiting.set(seat, left)
    else waiting.delete(seat)
    for (const other of waiting.keys()) lead = Math.max(lead, (taken.get(seat) ?? 0) - (taken.get(other) ?? 0))
    taken.set(seat, (taken.get(seat) ?? 0) + 1)
    worker.until = now + gradingMs(started++)
    worker.end = job.done
    endMs = Math.max(endMs, worker.until)
    const own = first.get(seat)
    if (own && own.waitedMs < 0) own.waitedMs = worker.until - own.at
  }
  for (const { end } of free) end()
  return { waits: [...first].map(([seat, { waitedMs }]) => ({ seat, waitedMs })), endMs, lead }
}

/** For comparison. @returns {Line} */
export function firstComeFirstServed () {
  /** @type {number[]} */
  const line = []
  return {
    add: (seat) => { line.push(seat) },
    take: () => line.length === 0 ? null : { seat: /** @type {number} */ (line.shift()), done: () => {} }
  }
}

/** The room's own queue. @param {number} learners @returns {Promise<Line & { close: () => void }>} */
export async function roomsQueue (learners) {
  const { dir, remove } = makeFolder()
  const { submissions, addSeat, close } = await openStore(path.join(dir, 'room.sqlite'))
  const anyone = { nickname: null, isOnBoard: false, joinedAt: '', lastSeenAt: '', removedAt: null }
  const seats = Array.from({ length: learners }, (_, at) =>
    addSeat({ tokenHash: String(at), name: String(at), ...anyone }, { at: '', what: 'join', about: '' }))
  let submitted = 0
  return {
    add: (seat, now) => {
      submissions.add({ seat: seats[seat], lesson: 'capstone', hash: String(submitted++), files: '[]', now })
    },
    take: (now) => {
      const row = submissions.claim({ worker: 'one', now })
      if (row === null) return null
      const { id, token } = row
      return { seat: seats.indexOf(row.seat), done: () => submissions.finish({ id, token, now, result: '{}' }) }
    },
    close: () => {
      close()
      remove()
    }
  }
}
