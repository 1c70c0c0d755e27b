import os from 'node:os'
import { powerWarnings } from './power.js'

/** @import { MachineResult } from '../judge/index.js' */

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
