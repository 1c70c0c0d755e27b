/**
 * The queue as people see it: places, expected times, and the workers. Pure.
 *
 * @import { Submission } from './submission.js'
 *
 * @typedef {object} Worker
 * @property {string} name
 * @property {string} machine
 * @property {string} fitness a sentence
 * @property {string[]} unfit ids of lessons it can't grade
 * @property {number} seenAt ms since 1970
 *
 * @typedef {object} Place
 * @property {number} id of the submission
 * @property {number} seat
 * @property {string} lesson id
 * @property {Submission['state']} state never `done`
 * @property {number} ahead how many are before it
 * @property {number | null} expectedMs until its result; null: not known
 * @property {string | null} worker
 * @property {string | null} problem
 *
 * @typedef {object} QueueView
 * @property {number} waiting
 * @property {number} stuck
 * @property {boolean} isCut Redis doesn't answer
 * @property {Place[]} places stuck, in hand, then waiting, the next one first; may be cut
 * @property {(Omit<Worker, 'seenAt'> & { job: number | null, isGone: boolean })[]} workers
 */

const goneMs = 60_000
const recent = 20
const mostShown = 50
const order = { stuck: 0, leased: 1, waiting: 2, done: 3 }

/**
 * @param {readonly Submission[]} all
 * @param {readonly Worker[]} workers
 * @param {number} now ms since 1970
 * @returns {Place[]}
 */
export function placesOf (all, workers, now) {
  const working = workers.filter(({ seenAt }) => !isGone(seenAt, now)).length
  const usualMs = usualTime(all)
  let waiting = 0
  const open = all.filter(({ state }) => state !== 'done').sort((a, b) =>
    order[a.state] - order[b.state] || a.round - b.round || a.id - b.id)
  return open.map(({ id, seat, lesson, state, worker, problem, takenAt }) => {
    const ahead = state === 'waiting' ? waiting++ : 0
    const isKnown = usualMs !== null && working > 0 && state !== 'stuck'
    const leftMs = state === 'leased' ? Math.max(0, (takenAt ?? now) + (usualMs ?? 0) - now) : 0
    const expectedMs = !isKnown ? null : state === 'leased' ? leftMs : usualMs * (Math.floor(ahead / working) + 1)
    return { id, seat, lesson, state, ahead, expectedMs, worker, problem }
  })
}

/**
 * @param {readonly Submission[]} submissions
 * @param {readonly Worker[]} workers
 * @param {number} now ms since 1970
 * @param {boolean} isCut
 * @returns {QueueView}
 */
export function queueView (submissions, workers, now, isCut) {
  const places = placesOf(submissions, workers, now)
  const count = (/** @type {Place['state']} */ wanted) => places.filter(({ state }) => state === wanted).length
  return {
    waiting: count('waiting'),
    stuck: count('stuck'),
    isCut,
    places: places.slice(0, mostShown),
    workers: workers.map(({ seenAt, ...worker }) => ({
      ...worker,
      job: places.find(({ state, worker: name }) => state === 'leased' && name === worker.name)?.id ?? null,
      isGone: isGone(seenAt, now)
    }))
  }
}

/** @param {number} seenAt @param {number} now */
export function isGone (seenAt, now) {
  return now - seenAt > goneMs
}

/** @param {readonly Submission[]} submissions @returns {number | null} how long gradings took lately, ms */
function usualTime (submissions) {
  const times = submissions
    .flatMap(({ state, takenAt, gradedAt }) =>
      state === 'done' && takenAt !== null && gradedAt !== null ? { gradedAt, ms: gradedAt - takenAt } : [])
    .sort((a, b) => b.gradedAt - a.gradedAt).slice(0, recent)
    .map(({ ms }) => ms).sort((a, b) => a - b)
  return times.length === 0 ? null : times[times.length >> 1]
}
