/**
 * How long a check may take. Pure.
 *
 * @import { GateResult } from '../judge/index.js'
 * @import { Lesson } from '../lesson/index.js'
 *
 * @typedef {object} Times how long a check may take here, ms
 * @property {number} wholeMs all of it, for most verdicts
 * @property {number} leastRoundsMs rounds get at least this much …
 * @property {number} extraMs … this much more where it settles what is open, or where that isn't known yet …
 * @property {number} mostMs … and never more than this, but for a round of each load
 */

/** On a machine as fast as those on which the targets were set. @type {Omit<Times, 'mostMs'>} */
const tuned = { wholeMs: 28_000, leastRoundsMs: 8000, extraMs: 32_000 }
/** A slow machine gets more time, but people don't wait for ever. */
export const mostPace = 1.6
const mostMs = 70_000

/**
 * The budget follows the machine.
 *
 * @param {number} pace how many times as long this machine needs for the same work, 1 or more
 * @returns {Times}
 */
export function timesFor (pace) {
  const stretch = Math.min(Math.max(pace, 1), mostPace)
  const { wholeMs, leastRoundsMs, extraMs } = tuned
  return { wholeMs: wholeMs * stretch, leastRoundsMs: leastRoundsMs * stretch, extraMs: extraMs * stretch, mostMs }
}

/** A forecast that rests on few rounds is a guess: so many times as long is allowed for. */
const caution = 1.25

/**
 * Is there time for another cycle? There is a soft end, and a hard one for those of whom it is known that they can be
 * settled before it, or that have too few rounds to know.
 *
 * @param {object} given
 * @param {number} given.elapsedMs
 * @param {number} given.cycleMs how long a cycle takes
 * @param {number} given.softMs
 * @param {number} given.hardMs
 * @param {number | null} given.forecastMs until everything is settled; null where nothing is known
 * @param {boolean} [given.tooFew] some gate has so few rounds that one odd round would keep it open
 */
export function hasTime ({ elapsedMs, cycleMs, softMs, hardMs, forecastMs, tooFew = false }) {
  if (elapsedMs + cycleMs <= (tooFew ? hardMs : softMs)) return true
  return forecastMs !== null && elapsedMs + Math.max(cycleMs, forecastMs * caution) <= hardMs
}

/**
 * How long it would take to settle the gates that are open: those of one load are settled by the same rounds.
 *
 * @param {Pick<Lesson, 'gates'>} lesson
 * @param {readonly Pick<GateResult, 'name' | 'verdict' | 'moreSeconds'>[]} standing
 * @returns {number | null} ms; null where one cannot be settled, or nothing is known
 */
export function forecast ({ gates }, standing) {
  /** By load. @type {Map<string, number>} */
  const needed = new Map()
  for (const { name, verdict, moreSeconds } of standing) {
    if (verdict !== 'inconclusive') continue
    if (moreSeconds === null) return null
    const load = gates.find((gate) => gate.name === name)?.load ?? ''
    needed.set(load, Math.max(needed.get(load) ?? 0, moreSeconds * 1000))
  }
  return [...needed.values()].reduce((sum, ms) => sum + ms, 0)
}
