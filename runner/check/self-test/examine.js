import { setTimeout as sleep } from 'node:timers/promises'
import { checkPlaces, cpuBetween, cpuSnapshot, describeMachine, sweepPlaces } from '../../system/index.js'
import { diagnose, diagnoseDeeply } from './findings.js'
import { runSelfTest } from './index.js'

/**
 * Is this machine fit to measure? First what can be seen at once, then what a measurement shows.
 *
 * @import { Finding } from './findings.js'
 */

/** Far enough from 1 to be told on a noisy machine, near enough that a bias would show. */
const knownRatio = 1.5
const deepMs = 12_000
const quietMs = 1000

/**
 * Takes a second: what other programs do meanwhile is part of it.
 *
 * @param {object} given
 * @param {string[]} given.folders that have to be writable
 * @param {AbortSignal} given.signal
 * @returns {Promise<Finding[]>}
 */
export async function examineAtRest ({ folders, signal }) {
  const machine = describeMachine()
  const places = [...await checkPlaces(folders), ...await sweepPlaces()]
  const before = cpuSnapshot()
  await sleep(quietMs, undefined, { signal })
  return diagnose({ machine, places, quiet: cpuBetween(before, cpuSnapshot(), machine.cores), selfTest: null })
}

/**
 * Measures servers whose true ratio is known. Nothing else may be measured meanwhile.
 *
 * @param {object} given
 * @param {boolean} [given.deep] half a minute instead of some seconds: how small a difference can be told?
 * @param {(sentence: string) => void} given.tell
 * @param {AbortSignal} given.signal
 * @returns {Promise<Finding[]>}
 */
export async function examineUnderLoad ({ deep = false, tell, signal }) {
  if (!deep) {
    tell('Two identical servers, in turn, for a few seconds …')
    const selfTest = await runSelfTest({ signal })
    return diagnose({ machine: describeMachine(), places: [], quiet: null, selfTest })
  }
  tell('Two identical servers, in turn, for twelve seconds …')
  const identical = await runSelfTest({ budgetMs: deepMs, signal })
  tell(`Two servers, one ${knownRatio}× as fast, for twelve seconds …`)
  const apart = await runSelfTest({ ratio: knownRatio, budgetMs: deepMs, signal })
  return diagnoseDeeply({ identical, apart, ratio: knownRatio })
}

/**
 * Pure.
 *
 * @param {readonly Finding[]} findings
 * @returns {string} a sentence
 */
export function conclude (findings) {
  const has = (/** @type {Finding['state']} */ state) => findings.some((finding) => finding.state === state)
  if (has('bad')) return 'This machine can’t measure until that’s fixed.'
  return has('doubt')
    ? 'It can measure, but with the doubts above, checks take longer or stay inconclusive.'
    : 'This machine is fit to measure.'
}
