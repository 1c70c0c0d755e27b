import os from 'node:os'
import path from 'node:path'
import { createRandom } from '../../catalogue/index.js'
import { median, runRounds, standardDeviation } from '../../judge/index.js'
import { startGenerator } from '../../load/index.js'
import { createCrew } from '../crew.js'
import { prepareRun } from '../prepare.js'
import { newSeed } from '../seed.js'
import { calibratedEntry, place, writeCalibrated } from './pair.js'

/**
 * @typedef {object} SelfTest
 * @property {number[]} ratios of the two servers, one a round
 * @property {number} typical median of the ratios: the true one on a good machine
 * @property {number} seconds that one round took, mean
 * @property {[number, number] | null} interval of the ratio, from the rounds that count
 * @property {number} spread standard deviation of the log ratio; 0.1 is about 10 %
 * @property {number} disturbed rounds during which something else was going on
 * @property {number | null} steal 0 to 1
 * @property {number | null} generatorBusy 0 to 1
 * @property {string | null} problem what went wrong, a sentence
 */

/**
 * Measures two servers against each other for a few seconds, whose true ratio is known.
 *
 * @param {{ ratio?: number, budgetMs?: number, signal?: AbortSignal }} [options] ratio: how many times as fast the second one
 *   is, by default the same
 * @returns {Promise<SelfTest>}
 */
export async function runSelfTest ({ ratio = 1, budgetMs = 4000, signal } = {}) {
  const seed = newSeed()
  // A target that no number of rounds can decide: they go on until the time is up.
  const { lesson } = calibratedEntry({ gates: [{ name: 'ratio', kind: 'rate', load: 'work', target: ratio * 1.000001, look: 'Nothing to do.' }] })
  let elapsedMs = 0
  const prepared = await prepareRun(lesson, seed)
  const { guard } = prepared
  /** @type {import('../../load/index.js').Generator | undefined} */
  let generator
  const crew = createCrew({ prepared, signal })
  try {
    generator = await startGenerator({ module: new URL('lesson.js', import.meta.url).href, known: {}, seed, guard, signal })
    const { evidence, load, rounds, steal } = await runRounds({
      lesson,
      cores: os.availableParallelism(),
      crew,
      generator,
      slow: { dir: place, shownDir: 'self-test' },
      submission: { dir: writeCalibrated(path.join(prepared.scratch, 'faster'), ratio), shownDir: 'self-test' },
      budgetMs,
      random: createRandom(seed),
      known: {},
      onProgress: (event) => { if (event.type === 'round') elapsedMs = event.elapsedMs },
      phase: () => {},
      signal
    })
    const ratios = rounds.map(({ baseline, yours }) => yours / baseline)
    return {
      ratios,
      typical: ratios.length > 0 ? median(ratios) : NaN,
      interval: evidence.gates[0]?.interval ?? null,
      seconds: elapsedMs / 1000 / Math.max(ratios.length, 1),
      spread: standardDeviation(ratios.map(Math.log)),
      disturbed: load.disturbedRounds,
      steal,
      generatorBusy: load.generatorBusy,
      problem: evidence.startFailure ?? evidence.crash ?? evidence.problems[0] ?? evidence.baselineFailures[0] ?? evidence.baselineProblems[0] ?? null
    }
  } finally {
    await crew.stopAll()
    await generator?.close()
    await prepared.clean()
  }
}
