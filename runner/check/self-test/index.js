import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../../catalogue/index.js'
import { median, runRounds, standardDeviation } from '../../judge/index.js'
import { startGenerator } from '../../load/index.js'
import { markerName, newRunMarker } from '../../server/index.js'
import { createCrew } from '../crew.js'
import { prepareRun } from '../prepare.js'
import { newSeed } from '../seed.js'
import lesson from './lesson.js'

/**
 * @typedef {object} SelfTest
 * @property {number[]} ratios of the two identical servers, one a round
 * @property {number} typical median of the ratios: 1 on a good machine
 * @property {number} spread standard deviation of the log ratio; 0.1 is about 10 %
 * @property {number} disturbed rounds during which something else was going on
 * @property {number | null} steal 0 to 1
 * @property {number | null} generatorBusy 0 to 1
 * @property {string | null} problem what went wrong, a sentence
 */

/**
 * Measures two identical servers against each other for a few seconds.
 *
 * @param {{ budgetMs?: number, signal?: AbortSignal }} [options]
 * @returns {Promise<SelfTest>}
 */
export async function runSelfTest ({ budgetMs = 4000, signal } = {}) {
  const seed = newSeed()
  const prepared = await prepareRun(lesson, seed)
  const runMarker = newRunMarker()
  /** @type {import('../../load/index.js').Generator | undefined} */
  let generator
  const crew = createCrew({ runMarker, prepared, signal, onSpawn: (pid) => generator?.guard(pid), onStop: (pid) => generator?.release(pid) })
  try {
    generator = await startGenerator({ module: new URL('lesson.js', import.meta.url).href, known: {}, seed, marker: `${markerName}=${runMarker}`, signal })
    const place = { dir: fileURLToPath(new URL('.', import.meta.url)), shownDir: 'self-test' }
    const { evidence, load, rounds, steal } = await runRounds({
      lesson,
      cores: os.availableParallelism(),
      crew,
      generator,
      slow: place,
      submission: place,
      budgetMs,
      random: createRandom(seed),
      known: {},
      onProgress: () => {},
      phase: () => {},
      signal
    })
    const ratios = rounds.map(({ baseline, yours }) => yours / baseline)
    return {
      ratios,
      typical: ratios.length > 0 ? median(ratios) : NaN,
      spread: standardDeviation(ratios.map(Math.log)),
      disturbed: load.disturbedRounds,
      steal,
      generatorBusy: load.generatorBusy,
      problem: evidence.startFailure ?? evidence.crash ?? evidence.problems[0] ?? evidence.baselineFailures[0] ?? evidence.baselineProblems[0] ?? null
    }
  } finally {
    await crew.stopAll()
    await generator?.close()
    prepared.clean()
  }
}
