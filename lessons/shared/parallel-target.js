/** On two cores, which may share a physical one. Work that stays on one core gains nothing. */
const leastGain = 1.05
const gainOfACore = 0.2

/**
 * The target of a gate whose gain is parallelism, from the number of cores. Cores that share a physical core, and the
 * load itself, keep the gain below the count of cores; on one core there's no gain to be had.
 *
 * @param {number} most what no number of cores can exceed, such as half the threads of a pool
 * @returns {(machine: { cores: number }) => number | undefined}
 */
export function parallelTarget (most) {
  return ({ cores }) => cores < 2 ? undefined : Math.min(most, leastGain + gainOfACore * (cores - 2))
}
