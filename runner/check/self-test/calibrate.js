import { performance } from 'node:perf_hooks'
import { work } from './work.js'

/** @type {number | undefined} */
let unitsPerMs

/**
 * How many units of the self-test's work fill so many milliseconds on this machine, about. Measured once in each
 * process.
 *
 * @param {number} ms
 */
export function calibrate (ms) {
  // The fastest of several: what disturbs a measurement makes it slower.
  unitsPerMs ??= Math.max(...Array.from({ length: 5 }, speed))
  return Math.round(unitsPerMs * ms)
}

/** @returns {number} units a millisecond */
function speed () {
  const units = 5000
  const startedAt = performance.now()
  work(units)
  return units / (performance.now() - startedAt)
}
