import { median } from './statistics.js'

/**
 * Did what the lesson is about move? Evidence beside the verdict, never part of it. Pure.
 *
 * @param {import('../catalogue/lesson.js').Lesson} lesson
 * @param {readonly import('./rounds.js').Round[]} rounds the counted ones
 * @returns {import('./record.js').MechanismResult | null}
 */
export function seeMechanism ({ mechanism }, rounds) {
  const seen = rounds.filter(({ result }) => result.load === mechanism.load)
  const baseline = seen.map((round) => round.baseline.cpuPerRequestMs).filter((ms) => ms !== null)
  const yours = seen.map((round) => round.yours.cpuPerRequestMs).filter((ms) => ms !== null)
  if (seen.length === 0) return null
  if (baseline.length === 0 || yours.length === 0) return { expected: mechanism.expected, seen: 'This system does not tell how much CPU time a server uses.', confirmed: null }
  const [before, after] = [median(baseline), median(yours)]
  const factor = before / after
  return {
    expected: mechanism.expected,
    seen: `CPU time for one answer: ${before.toPrecision(3)} ms → ${after.toPrecision(3)} ms`,
    confirmed: mechanism.cpuPerRequest === 'falls' ? factor >= 1.5 : factor >= 0.5 && factor <= 2
  }
}
