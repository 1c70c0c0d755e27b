/**
 * @import { GateResult } from '../../judge/index.js'
 * @import { Lesson } from '../../lesson/index.js'
 */

/** A forecast that rests on few rounds is a guess: so many times as long is allowed for. */
const caution = 1.25

/**
 * Is there time for another lap? There is a soft end, and a hard one for those of whom it is known that they can be
 * settled before it. Pure.
 *
 * @param {object} given
 * @param {number} given.elapsedMs
 * @param {number} given.lapMs how long a lap takes
 * @param {number} given.softMs
 * @param {number} given.hardMs
 * @param {number | null} given.forecastMs until everything is settled; null where nobody knows
 */
export function hasTime ({ elapsedMs, lapMs, softMs, hardMs, forecastMs }) {
  if (elapsedMs + lapMs <= softMs) return true
  return forecastMs !== null && elapsedMs + Math.max(lapMs, forecastMs * caution) <= hardMs
}

/**
 * How long it would take to settle the gates that are open: those of one load are settled by the same rounds. Pure.
 *
 * @param {Pick<Lesson, 'gates'>} lesson
 * @param {readonly Pick<GateResult, 'name' | 'verdict' | 'moreSeconds'>[]} standing
 * @returns {number | null} ms; null where one cannot be settled, or nobody knows
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
