import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { median, standardDeviation } from '../../judge/index.js'
import { startGenerator } from '../../load/index.js'
import { withSession } from '../../process/index.js'
import { createRandom, newSeed } from '../../shared/random.js'
import { workshopRoot } from '../../shared/workshop.js'
import { runRounds } from '../rounds.js'
import lesson from './lesson.js'
import { work } from './work.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Outcome } from '../round.js'
 *
 * @typedef {object} SelfTest
 * @property {number[]} ratios of the two servers, one a round
 * @property {number} typical median of the ratios: 1 on a good machine
 * @property {number} spread standard deviation of the log ratio; 0.1 is about 10 %
 * @property {number} disturbed rounds during which something else was going on
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
  const entry = selfTestEntry()
  return withSession(entry, { seed, signal }, async (session) => {
    const generator = await startGenerator(session)
    return summarise(await runRounds({
      lesson: entry.lesson,
      session,
      submission: { dir: entry.dir, shownDir: 'self-test' },
      random: createRandom(seed),
      cores: os.availableParallelism(),
      getGenerator: async () => generator,
      onProgress: () => {},
      phase: () => {}
    }, { budgetMs }))
  })
}

/** @param {Outcome} outcome @returns {SelfTest} */
function summarise ({ evidence, load, rounds }) {
  const { startFailure, crash, problems, baselineFailures, baselineProblems } = evidence
  const ratios = rounds.map(({ result: { baseline, yours } }) => yours / baseline)
  return {
    ratios,
    typical: ratios.length > 0 ? median(ratios) : NaN,
    spread: standardDeviation(ratios.map(Math.log)),
    disturbed: load.disturbedRounds,
    problem: startFailure ?? crash ?? problems[0] ?? baselineFailures[0] ?? baselineProblems[0] ?? null
  }
}

/** The folder of the server. */
const place = fileURLToPath(new URL('.', import.meta.url))
/** The work of an answer, ms on a quiet core: much more than HTTP itself costs, much less than a slice. */
const workMs = 6
/** Of work, on this machine: measured once in each process. @type {number | undefined} */
let unitsPerMs

/** The self-test as an entry that `runCheck` takes. @returns {LoadedLesson} */
export function selfTestEntry () {
  // The fastest of several: what disturbs a measurement makes it slower.
  unitsPerMs ??= Math.max(...Array.from({ length: 5 }, speed))
  const files = { 'work.json': JSON.stringify({ units: Math.round(unitsPerMs * workMs) }) }
  return {
    number: 0,
    id: lesson.id,
    folder: '00-self-test',
    root: workshopRoot,
    dir: place,
    slowDir: place,
    solutionDir: place,
    workspaceDir: place,
    file: 'server.js',
    lesson: { ...lesson, data: () => ({ files }) }
  }
}

/** @returns {number} units a millisecond */
function speed () {
  const units = 5000
  const startedAt = performance.now()
  work(units)
  return units / (performance.now() - startedAt)
}
