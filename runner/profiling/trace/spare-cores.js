/**
 * How many of the machine’s cores were idle between two readings. Pure.
 *
 * @typedef {{ times: { user: number, nice: number, sys: number, idle: number, irq: number } }} Core as os.cpus() has
 *   it, ms
 *
 * @param {readonly Core[]} before
 * @param {readonly Core[]} after
 * @returns {number | null} null: the system doesn't tell
 */
export function spareCores (before, after) {
  const [idle, all] = [idleMs(after) - idleMs(before), allMs(after) - allMs(before)]
  return before.length === 0 || before.length !== after.length || all <= 0
    ? null
    : Math.max(0, (idle / all) * after.length)
}

/** @param {readonly Core[]} cores */
function idleMs (cores) {
  return cores.reduce((sum, { times }) => sum + times.idle, 0)
}

/** @param {readonly Core[]} cores */
function allMs (cores) {
  return cores.reduce((sum, { times: { user, nice, sys, idle, irq } }) => sum + user + nice + sys + idle + irq, 0)
}
