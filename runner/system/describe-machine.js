import os from 'node:os'
import { cpuLimit } from './cpu-limit.js'
import { powerWarnings } from './power.js'

/** @import { MachineResult } from '../judge/index.js' */

/** Below this share of a second core, nothing gains from running in parallel. */
const leastSecond = 0.75

/**
 * What of this machine decides which gates can be judged here.
 *
 * @param {number | null} [limit] CPUs that may be used, where that is limited
 */
export function judgedOn (limit = cpuLimit()) {
  const cores = os.availableParallelism()
  const usable = limit === null ? cores : Math.min(cores, Math.max(1, Math.floor(limit + 1 - leastSecond)))
  return { cores: usable, tellsUse: process.platform === 'linux' }
}

/** @returns {string[]} full sentences */
function limitWarnings () {
  const limit = cpuLimit()
  if (limit === null) return []
  const share = Number(limit.toPrecision(2))
  const isOne = limit < 1 + leastSecond
  return [
    `This system lets us use ${share} CPU${share === 1 ? '' : 's'}, as containers do, and stops everything for the ` +
      `rest of each tenth of a second: checks take longer here${isOne ? ', and no second core can be shown' : ''}.`
  ]
}

/**
 * @param {{ steal?: number | null, work?: number }} [seen]
 * @returns {MachineResult}
 */
export function describeMachine ({ steal = null, work = 1 } = {}) {
  return {
    node: process.version,
    v8: process.versions.v8,
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    platform: `${process.platform} ${process.arch}`,
    steal,
    work,
    warnings: [...powerWarnings(), ...limitWarnings()]
  }
}
