/** @import { CoursePoint, GateResult } from './record.js' */

/**
 * A gate's state after each round, with the newest one added. For two states after the same round, the later
 * counts; a round that changed nothing is left out. Pure.
 *
 * @param {readonly CoursePoint[]} course
 * @param {number} round its number
 * @param {Pick<GateResult, 'ratio' | 'interval95'>} gate its state after the round
 * @returns {CoursePoint[]}
 */
export function courseAfter (course, round, { ratio, interval95 }) {
  if (ratio === null) return [...course]
  const former = course.filter((point) => point.round < round)
  const last = former.at(-1)
  /** @type {CoursePoint} */
  const point = {
    round,
    ratio: shorten(ratio),
    interval95: interval95 && [shorten(interval95[0]), shorten(interval95[1])]
  }
  const isSame = last && last.ratio === point.ratio && String(last.interval95) === String(point.interval95)
  return isSame ? former : [...former, point]
}

/** As many digits as are ever shown: it is sent after each round. @param {number} value */
function shorten (value) {
  return Number(value.toPrecision(5))
}
