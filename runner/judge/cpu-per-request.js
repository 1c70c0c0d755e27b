import { median } from './statistics.js'

/**
 * @import { Mechanism } from './mechanism.js'
 * @import { Role, Round } from './round.js'
 */

/**
 * CPU time of each server for one answer under the load in which the lesson's mechanism shows, ms, median of the
 * rounds. Pure.
 *
 * @param {{ mechanism: Mechanism }} lesson
 * @param {readonly Round[]} rounds the counted ones
 * @returns {{ baseline: number, yours: number } | null} null where the system does not tell, or nothing was counted
 */
export function cpuPerRequestOf ({ mechanism }, rounds) {
  const seen = rounds.filter(({ result }) => result.load === mechanism.load)
  const of = (/** @type {Role} */ side) =>
    seen.map((round) => round[side].cpuPerRequestMs).filter((ms) => ms !== null)
  const [baseline, yours] = [of('baseline'), of('yours')]
  return baseline.length === 0 || yours.length === 0 ? null : { baseline: median(baseline), yours: median(yours) }
}
