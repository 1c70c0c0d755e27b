/**
 * @import { SliceConditions, SliceReport } from '../../judge/index.js'
 * @import { cpuBetween } from '../../system/index.js'
 *
 * What was seen while one order was carried out.
 * @typedef {object} Batch
 * @property {SliceReport} report
 * @property {ReturnType<typeof cpuBetween>} machine
 * @property {{ cpuMs: number, waitMs: number } | null} serving CPU time of the server under load
 * @property {{ cpuMs: number, waitMs: number } | null} resting of the other one
 * @property {boolean} stopped the server under load was stopped by a signal at some moment
 * @property {boolean} connectedToBaseline the other one was connected to it
 * @property {string | null} interfered what else was done to the baseline meanwhile, a sentence
 * @property {number} ownMs CPU time of the runner and the generator
 */

/**
 * What the machine was doing while a slice was measured, from the accounts of its parts. Pure.
 *
 * @param {readonly Batch[]} parts
 * @param {number} cores
 * @returns {SliceConditions}
 */
export function conditionsOf (parts, cores) {
  const machine = sum(parts.map((part) => part.machine), ['busyMs', 'wallMs'])
  const serving = sum(parts.map((part) => part.serving), ['cpuMs', 'waitMs'])
  const resting = sum(parts.map((part) => part.resting), ['cpuMs'])
  const own = parts.reduce((total, { ownMs }) => total + ownMs, 0) + (serving?.cpuMs ?? 0) + (resting?.cpuMs ?? 0)
  const stolen = parts.reduce((total, part) => total + (part.machine?.steal ?? 0) * (part.machine?.wallMs ?? 0), 0)
  return {
    steal: machine ? stolen / machine.wallMs : null,
    foreign: machine && serving ? Math.max(0, machine.busyMs - own) / machine.wallMs : null,
    busy: machine ? machine.busyMs / machine.wallMs / cores : null,
    waiting: serving && serving.cpuMs > 0 ? serving.waitMs / (serving.cpuMs + serving.waitMs) : null,
    stopped: parts.some(({ stopped }) => stopped),
    connectedToBaseline: parts.some(({ connectedToBaseline }) => connectedToBaseline),
    interfered: parts.map(({ interfered }) => interfered).find((what) => what !== null) ?? null,
    idleServer: machine && resting ? resting.cpuMs / machine.wallMs : null
  }
}

/**
 * @template {string} K
 * @param {readonly (Record<K, number> | null)[]} accounts
 * @param {readonly K[]} keys
 * @returns {Record<K, number> | null} null where one of them is unknown
 */
function sum (accounts, keys) {
  const total = /** @type {Record<K, number>} */ (Object.fromEntries(keys.map((key) => [key, 0])))
  for (const account of accounts) {
    if (!account) return null
    for (const key of keys) total[key] += account[key]
  }
  return total
}
