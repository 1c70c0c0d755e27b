import { percent } from '../format.js'

/** @import { SliceConditions } from './slice.js' */

/** More than this share of the CPU stolen disturbs a slice. */
const mostSteal = 0.1
/** More than this much of one core taken by other programs disturbs a slice … */
const mostForeign = 0.3
/** … where the cores are this busy: with cores to spare they do not compete. */
const crowded = 0.85
/** A server that is not asked anything may use this much of one core. */
const mostIdle = 0.25

/**
 * Why a round does not count, or null. Looks at the machine only, never at the round's figures: a round is not thrown
 * away because its value displeases.
 *
 * @param {readonly SliceConditions[]} slices the two slices of the round
 * @param {string} [baseline] what sentences call that server
 * @returns {{ cause: 'steal' | 'stopped' | 'interfered' | 'foreign' | 'idle server', text: string } | null}
 */
export function disturbance (slices, baseline = 'the slow server') {
  if (slices.some(({ stopped }) => stopped)) {
    return { cause: 'stopped', text: 'a signal had stopped a server while it was measured' }
  }
  const interfered = slices.find((slice) => slice.interfered)
  if (interfered) {
    return { cause: 'interfered', text: `at ${baseline}: ${interfered.interfered?.replace(/\.$/, '')}` }
  }
  const worst = (/** @type {'steal' | 'foreign' | 'idleServer'} */ key) =>
    Math.max(...slices.map((slice) => slice[key] ?? 0))
  if (worst('steal') > mostSteal) {
    return { cause: 'steal', text: `${percent(worst('steal'))} of the CPU time was taken by other virtual machines` }
  }
  if (worst('idleServer') > mostIdle) {
    return {
      cause: 'idle server',
      text: `the server that was not being measured kept ${percent(worst('idleServer'))} of a core busy`
    }
  }
  if (slices.some(({ foreign, busy }) => (foreign ?? 0) > mostForeign && (busy ?? 1) > crowded)) {
    return { cause: 'foreign', text: `other programs kept ${percent(worst('foreign'))} of a core busy` }
  }
  return null
}

/** Of a round that counts all the same, the two slices differ by no more than this in what they had to wait. */
const even = 0.1

/**
 * Did other programs or machines disturb both servers about equally? Such a round says the same of their ratio, with
 * more noise, which the scatter of many pairs shows. Pure.
 *
 * @param {SliceConditions} baseline
 * @param {SliceConditions} yours
 */
export function isEven (baseline, yours) {
  return !isTouched(baseline) && !isTouched(yours) && Math.abs(harmOf(yours) - harmOf(baseline)) <= even
}

/** @param {SliceConditions} conditions */
function isTouched ({ stopped, interfered, idleServer }) {
  return Boolean(stopped || interfered) || (idleServer ?? 0) > mostIdle
}

/**
 * Not the share of the others: who leaves a core idle gives it to them, and loses nothing.
 *
 * @param {SliceConditions} conditions
 */
function harmOf ({ waiting, steal }) {
  return (waiting ?? 0) + (steal ?? 0)
}

/** The two slices of a round may differ by so much in what they had to wait, and still be called equally disturbed. */
const alike = 0.02

/**
 * Was a disturbed round at least as hard on yours as on the baseline? Such a round can only make yours look slower than
 * it is: it cannot fail a fix, and it may help to pass one. Pure.
 *
 * @param {SliceConditions} baseline
 * @param {SliceConditions} yours
 */
export function isHandicap (baseline, yours) {
  if (isTouched(baseline) || yours.interfered) return false
  return harmOf(yours) >= harmOf(baseline) - alike
}
