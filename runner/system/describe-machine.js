import os from 'node:os'
import { powerWarnings } from './power.js'

/** @import { MachineResult } from '../judge/index.js' */

/**
 * What the judge has to know of this machine: which gates can be judged here.
 *
 * @param {number} [cores]
 */
export function judgedOn (cores = os.availableParallelism()) {
  return { cores, tellsUse: process.platform === 'linux' }
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
    warnings: powerWarnings()
  }
}
