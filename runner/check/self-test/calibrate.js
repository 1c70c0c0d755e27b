import { performance } from 'node:perf_hooks'

/** @type {number | undefined} */
let unitsPerMs

/**
 * How many units of the self-test's work fill so many milliseconds on this machine, about. One unit is 1000 turns of the
 * loop in server.js. Measured once in each process.
 *
 * @param {number} ms
 */
export function calibrate (ms) {
  unitsPerMs ??= Math.max(...Array.from({ length: 5 }, speed))
  return Math.round(unitsPerMs * ms)
}

/** @returns {number} units a millisecond */
function speed () {
  const units = 5000
  let x = 0x2545f491
  const startedAt = performance.now()
  for (let i = 0; i < units * 1000; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
  }
  // Never true: see server.js.
  return x === 0 ? 0 : units / (performance.now() - startedAt)
}
