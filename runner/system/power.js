import fs from 'node:fs'
import path from 'node:path'
import { listNames, readText } from './proc.js'

const governors = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'
const supplies = '/sys/class/power_supply'

/**
 * What keeps this machine from its full speed, as full sentences. Linux only; empty elsewhere.
 *
 * @returns {string[]}
 */
export function powerWarnings () {
  const warnings = []
  if (read(governors) === 'powersave' && !fs.existsSync('/sys/devices/system/cpu/intel_pstate')) {
    warnings.push(
      'The CPU is set to save power (governor “powersave”): speeds will be low and uneven. Plug it in, or choose the ' +
        'performance profile.'
    )
  }
  if (onBattery()) {
    warnings.push('This machine runs on its battery, and most laptops slow down then. Plug it in for steadier results.')
  }
  return warnings
}

function onBattery () {
  return listNames(supplies).some((name) =>
    read(path.join(supplies, name, 'type')) === 'Battery' &&
    read(path.join(supplies, name, 'status')) === 'Discharging')
}

/** @param {string} file */
function read (file) {
  return readText(file)?.trim()
}
