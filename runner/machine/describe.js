import os from 'node:os'
import { powerWarnings } from './power.js'

/**
 * @param {{ steal?: number | null }} [seen]
 * @returns {import('../judge/record.js').MachineResult}
 */
export function describeMachine ({ steal = null } = {}) {
  return {
    node: process.version,
    v8: process.versions.v8,
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    platform: `${process.platform} ${process.arch}`,
    steal,
    warnings: powerWarnings()
  }
}
