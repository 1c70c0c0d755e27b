import os from 'node:os'
import path from 'node:path'
import { median, standardDeviation } from '../../judge/index.js'
import { startGenerator } from '../../load/index.js'
import { createRandom, newSeed } from '../../random.js'
import { withSession } from '../../session/index.js'
import { runRounds } from '../rounds/index.js'
import { calibratedEntry, writeCalibrated } from './pair.js'

/**
 * @import { RoundsOutcome } from '../context.js'
 *
 * @typedef {object} SelfTest
 * @property {number[]} ratios of the two servers, one a round
 * @property {number} typical median of the ratios: the true one on a good machine
 * @property {number} seconds that one round took, mean
 * @property {[number, number] | null} interval of the ratio, from the rounds that count
 * @property {number} spread standard deviation of the log ratio; 0.1 is about 10 %
 * @property {number} disturbed rounds during which something else was going on
 * @property {string | null} problem what went wrong, a sentence
 */

/**
 * Measures two servers against each other for a few seconds, whose true ratio is known.
 *
 * @param {{ ratio?: number, budgetMs?: number, signal?: AbortSignal }} [options] ratio: how many times as fast the
 *   second one is, by default the same
 * @returns {Promise<SelfTest>}
 */
export async function runSelfTest ({ ratio = 1, budgetMs = 4000, signal } = {}) {
  const seed = newSeed()
  // A target that no number of rounds can decide: they go on until the time is up.
  const target = ratio * 1.000001
  const entry = calibratedEntry({
    gates: [{ name: 'ratio', kind: 'rate', load: 'work', target, look: 'Nothing to do.' }]
  })
  let elapsedMs = 0
  return withSession(entry, { seed, signal }, async (session) => {
    const generator = await startGenerator(session)
    const outcome = await runRounds({
      lesson: entry.lesson,
      session,
      submission: { dir: writeCalibrated(path.join(session.scratch, 'faster'), ratio), shownDir: 'self-test' },
      random: createRandom(seed),
      cores: os.availableParallelism(),
      generator,
      getGenerator: async () => generator,
      budgetMs,
      onProgress: (event) => { if (event.type === 'round') elapsedMs = event.elapsedMs },
      phase: () => {}
    })
    return summarise(outcome, elapsedMs)
  })
}

/** @param {RoundsOutcome} outcome @param {number} elapsedMs @returns {SelfTest} */
function summarise ({ evidence, load, rounds }, elapsedMs) {
  const { startFailure, crash, problems, baselineFailures, baselineProblems } = evidence
  const ratios = rounds.map(({ baseline, yours }) => yours / baseline)
  return {
    ratios,
    typical: ratios.length > 0 ? median(ratios) : NaN,
    interval: evidence.gates[0]?.interval ?? null,
    seconds: elapsedMs / 1000 / Math.max(ratios.length, 1),
    spread: standardDeviation(ratios.map(Math.log)),
    disturbed: load.disturbedRounds,
    problem: startFailure ?? crash ?? problems[0] ?? baselineFailures[0] ?? baselineProblems[0] ?? null
  }
}
