/**
 * The target of a gate whose gain is parallelism, from the number of cores. Cores that share a physical core, and the
 * load itself, keep the gain below the count of cores; on one core there's no gain to be had.
 *
 * @param {number} most what no number of cores can exceed, such as half the threads of a pool
 * @param {number} [atTwo] on two cores; work that stays on one core gains nothing
 * @returns {(machine: { cores: number }) => number | undefined}
 */
export function parallelTarget (most, atTwo = 1.05) {
  return ({ cores }) => cores < 2 ? undefined : Math.min(most, atTwo + 0.2 * (cores - 2))
}
