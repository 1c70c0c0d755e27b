import { randomInt } from 'node:crypto'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { recordOf, runRounds } from '../check/index.js'
import { PortTaken, WorkshopError } from '../errors.js'
import { newEvidence } from '../judge/index.js'
import { startGenerator } from '../load/index.js'
import { answers, judgedOn, makeTemporary, withSession } from '../process/index.js'
import { createRandom } from '../random.js'
import { workshopRoot } from '../workshop.js'
import { aroundLoad } from './ask-both.js'
import { gatesOf } from './comparison-gates.js'
import { conclude, createComparisonStandings, isOfBefore } from './conclude.js'
import lesson from './lesson.js'
import { withoutSecrets } from './secrets.js'
import { startOptionsOf } from './sides.js'

/**
 * @import { CheckProgress, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { ServerFolder, Session, StartOptions } from '../process/index.js'
 * @import { Load } from './load-file.js'
 * @import { Side } from './sides.js'
 *
 * @typedef {object} CompareOptions
 * @property {[Side, Side]} sides the original first
 * @property {Load} load
 * @property {readonly string[]} [ignore] what answers may differ in, as in a load file
 * @property {readonly string[]} gates names; none: those that fit the load
 * @property {number | null} target how many times as fast the second has to be; null: how much is the question
 * @property {number} [precision] without a target: 0.05 is ±5 %
 * @property {number} seconds at most, of rounds
 * @property {readonly string[]} [notes] sentences about the two
 * @property {string} seed
 * @property {(event: CheckProgress) => void} [onProgress]
 * @property {AbortSignal} signal
 *
 * @typedef {object} ProfileTarget
 * @property {LoadedLesson} entry
 * @property {string} dir
 * @property {{ folder: ServerFolder, options: StartOptions }} own
 * @property {string} loadName
 * @property {string} seed
 * @property {AbortSignal} signal
 */

const place = fileURLToPath(new URL('.', import.meta.url))
/** Few, so that many pairs tell what a process keeps for life; not one, because starts cost time. */
const cyclesPerPair = 4
/** What two processes that are never restarted differ by hides anything smaller. */
const [usualPrecision, precisionOfRunning] = [0.05, 0.12]

/**
 * Compares two servers of people's own. Whatever happens, what was started is stopped and what was made is removed.
 *
 * @param {CompareOptions} options
 * @returns {Promise<ResultRecord>}
 * @throws {WorkshopError} they can't be started as asked
 */
export async function compareServers (options) {
  const { sides, load, gates: names, target, seed, seconds, notes = [], onProgress = () => {}, signal } = options
  const startedAt = new Date()
  const isRunning = sides.some(({ running }) => running)
  const { precision = isRunning ? precisionOfRunning : usualPrecision } = options
  const { gates, loads } = gatesOf(names, { target, ...load })
  refuseUnseen(gates, isRunning)
  const [before, after] = sides.map(({ name }) => name)
  const ignore = [...load.ignore ?? [], ...options.ignore ?? []]
  const entry = entryOf(sides, { load, ignore, gates, loads })
  return withSession(entry, { seed, signal }, async (session) => {
    const generator = await startGenerator(session)
    const pairing = { target, precision, cyclesPerPair: isRunning ? Infinity : cyclesPerPair }
    const inspect = gates.some(({ load }) => loads[load].batches !== undefined)
    let elapsedMs = 0
    const outcome = await runRounds({
      lesson: entry.lesson,
      ...await prepareSides(session, sides, { inspect }),
      random: createRandom(seed),
      cores: os.availableParallelism(),
      getGenerator: async () => generator,
      onProgress: (event) => {
        if (event.type === 'round') ({ elapsedMs } = event)
        onProgress(event)
      },
      phase: (phase, text) => onProgress({ type: 'phase', phase, text })
    }, {
      ...aroundLoad({ load, ignore, seed, names: [before, after] }),
      standings: createComparisonStandings(gates, judgedOn(), pairing),
      cyclesPerPair: pairing.cyclesPerPair,
      servers: [before, after],
      budgetMs: seconds * 1000
    }).catch((error) => {
      if (!(error instanceof PortTaken)) throw error
      return { evidence: { ...newEvidence(), portTaken: error.message }, output: '', baselineOutput: '' }
    })
    const asked = { before, after, target, precision, seconds: elapsedMs / 1000 }
    const { says, gates: results, ...decision } = conclude(outcome.evidence, asked)
    const isBefore = isOfBefore(outcome.evidence)
    const record = recordOf({ entry, submission: after, seed: session.seed, startedAt }, {
      decision,
      evidence: { ...outcome.evidence, gates: results },
      outcome,
      warnings: [...notes],
      output: decision.verdict === 'error' || says === 'crashed'
        ? (isBefore ? outcome.baselineOutput : outcome.output)
        : ''
    })
    return {
      ...hidden(record),
      output: record.output.map(({ text }) => ({ server: isBefore ? before : after, text })),
      comparison: { before, after, says }
    }
  })
}

/** Messages of the load name paths, too. @template T @param {T} record @returns {T} */
function hidden (record) {
  return JSON.parse(JSON.stringify(record), (_, value) => typeof value === 'string' ? withoutSecrets(value) : value)
}

/** @param {ReturnType<typeof gatesOf>['gates']} gates @param {boolean} isRunning */
function refuseUnseen (gates, isRunning) {
  const unseen = gates.find(({ kind }) => kind === 'cpu' || kind === 'retained')
  if (!isRunning || !unseen) return
  throw new WorkshopError(`--gate ${unseen.name} needs servers that are started here: name folders instead of ` +
    'addresses.')
}

/**
 * @param {[Side, Side]} sides
 * @param {Pick<LoadedLesson['lesson'], 'gates' | 'loads'> & { load: Load, ignore: readonly string[] }} given
 * @returns {LoadedLesson}
 */
function entryOf ([before, after], { load, ignore, ...given }) {
  // A function that prepares the servers runs here, not in the generator.
  const sent = { load: { ...load, before: undefined }, ignore }
  const title = `${after.name}, compared with ${before.name}`
  return {
    number: 0,
    id: lesson.id,
    folder: lesson.id,
    root: workshopRoot,
    dir: place,
    slowDir: place,
    solutionDir: place,
    workspaceDir: place,
    file: 'server.js',
    lesson: { ...lesson, ...given, title, data: () => ({ files: {}, data: sent }) }
  }
}

/**
 * The two for a profile, each under the load that keeps it busy.
 *
 * @template T
 * @param {Pick<CompareOptions, 'sides' | 'load' | 'seed' | 'signal'>} options
 * @param {(targets: [ProfileTarget, ProfileTarget]) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {WorkshopError} they can't be started, or have to be prepared
 */
export async function withProfileTargets ({ sides, load, seed, signal }, use) {
  if (load.before || sides.some(({ running }) => running)) {
    throw new WorkshopError('--profile takes two folders or commits, and a load without `before`.')
  }
  const entry = entryOf(sides, { load, ignore: [], ...gatesOf(['rate'], { ...load, target: null }) })
  const { dir: scratch, remove } = await makeTemporary()
  try {
    const [before, after] = await Promise.all(sides.map(async (side) => {
      const { folder, options } = await openSide(side, { scratch, inspect: false })
      return { entry, dir: folder.dir, own: { folder, options }, loadName: 'busy', seed, signal }
    }))
    return await use([before, after])
  } finally {
    await remove()
  }
}

/**
 * The size of the environment moves a process's memory and so its speed (Mytkowicz et al., 2009): drawn for each start,
 * it's noise instead of a bias.
 */
function padding () {
  return { MAKE_IT_FAST_PADDING: 'x'.repeat(randomInt(4096)) }
}

/**
 * A session that starts these two instead of a lesson's.
 *
 * @param {Session} session
 * @param {[Side, Side]} sides
 * @param {{ inspect: boolean }} options
 */
async function prepareSides (session, sides, { inspect }) {
  const [before, after] = await Promise.all(sides.map((side) => openSide(side, { scratch: session.scratch, inspect })))
  return {
    submission: after.folder,
    session: {
      ...session,
      baseline: before.folder,
      start: async (/** @type {'baseline' | 'yours'} */ role) => {
        const { folder, options, running } = role === 'baseline' ? before : after
        if (!running) return session.start(role, folder, { ...options, env: { ...options.env, ...padding() } })
        if (await answers('127.0.0.1', running.port)) return { server: running, failure: null }
        throw new WorkshopError(`Nothing listens at ${folder.shownDir}: start that server first.`)
      }
    }
  }
}

/** @param {Side} side @param {{ scratch: string, inspect: boolean }} given */
async function openSide ({ name, dir: find, start, running }, { scratch, inspect }) {
  const dir = await find(scratch)
  const options = running ? {} : startOptionsOf(dir, { name, start, inspect })
  return { folder: { dir, shownDir: name }, options, running }
}
