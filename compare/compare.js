import { randomInt } from 'node:crypto'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { recordOf, runRounds } from '../runner/check/index.js'
import { PortTaken, WorkshopError } from '../runner/shared/errors.js'
import { newEvidence } from '../runner/judge/index.js'
import { startGenerator } from '../runner/load/index.js'
import { answers, judgedOn, makeTemporary, withSession } from '../runner/process/index.js'
import { profileOne, profileTwo } from '../runner/profiling/index.js'
import { plural } from '../runner/shared/format.js'
import { createRandom } from '../runner/shared/random.js'
import { workshopRoot } from '../runner/shared/workshop.js'
import { aroundLoad, preparedOf, runBefore } from './ask-both.js'
import { conclude, isOfBefore } from './conclude.js'
import { createComparisonStandings, gatesOf } from './gates.js'
import lesson from './lesson.js'
import { withCodings } from './load-file.js'
import { withoutSecrets } from './secrets.js'
import { openSide } from './sides.js'

/**
 * @import { CheckProgress, ResultRecord } from '../runner/judge/index.js'
 * @import { Server, Session } from '../runner/process/index.js'
 * @import { Target } from '../runner/profiling/index.js'
 * @import { Asking } from './ask-both.js'
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
 * @property {number} seconds that it may take, give or take what is under way then
 * @property {readonly string[]} [notes] sentences about the two
 * @property {string} seed
 * @property {(event: CheckProgress) => void} [onProgress]
 * @property {AbortSignal} signal
 */

/** Few, so that many pairs tell what a process keeps for life; not one, because starts cost time. */
const usualCycles = 4
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
  const { sides, target, seed, seconds, notes = [], onProgress = () => {}, signal } = options
  const load = withCodings(options.load)
  const startedAt = new Date()
  const isRunning = sides.some(({ running }) => running)
  const { precision = isRunning ? precisionOfRunning : usualPrecision } = options
  const cyclesPerPair = isRunning ? Infinity : usualCycles
  const { gates, loads } = gatesOf(options.gates, { target, ...load })
  refuseUnseen(gates, isRunning)
  const [before, after] = sides.map(({ name }) => name)
  const ignore = [...load.ignore ?? [], ...options.ignore ?? []]
  const entry = entryOf(sides, { load, ignore, gates, loads })
  const end = endAfter(seconds, signal)
  return withSession(entry, { seed, signal: end.signal }, async (session) => {
    const generator = await startGenerator(session)
    let elapsedMs = 0
    const opened = await openSides(session, sides, { inspect: gates.some(({ kind }) => kind === 'retained') })
    end.begin()
    const outcome = await runRounds({
      lesson: entry.lesson,
      ...opened,
      random: createRandom(seed),
      cores: os.availableParallelism(),
      getGenerator: async () => generator,
      onProgress: (event) => {
        if (event.type === 'round') ({ elapsedMs } = event)
        onProgress(event)
      },
      phase: (phase, text) => onProgress({ type: 'phase', phase, text })
    }, {
      ...aroundLoad({ load, ignore, seed, seconds, withTwin: twinsOf(opened, sides[0]) }, [before, after]),
      standings: createComparisonStandings(gates, judgedOn(), { target, precision, cyclesPerPair }),
      cyclesPerPair,
      servers: [before, after],
      budgetMs: seconds * 1000
    }).catch((error) => {
      if (!(error instanceof PortTaken)) throw error
      const nothing = /** @type {const} */ ({ output: '', baselineOutput: '' })
      return { ...nothing, evidence: { ...newEvidence(), portTaken: error.message } }
    })
    const { evidence, output = '', baselineOutput = '', ...measured } = outcome
    const asked = { before, after, target, precision, seconds: elapsedMs / 1000 }
    const { says, gates: results, ...decision } = conclude(evidence, asked)
    const record = recordOf({ entry, submission: after, seed: session.seed, startedAt }, {
      decision,
      evidence: { ...evidence, gates: results },
      // A comparison says nothing about a mechanism, which only a lesson expects.
      outcome: { ...measured, cpuPerRequest: undefined },
      warnings: [...notes]
    })
    const blamed = isOfBefore(evidence) ? { server: before, text: baselineOutput } : { server: after, text: output }
    const isShown = blamed.text !== '' && (decision.verdict === 'error' || says === 'crashed')
    return { ...withoutSecretsIn(record), output: isShown ? [blamed] : [], comparison: { before, after, says } }
  }).catch(end.explain).finally(end.clear)
}

/** What is under way when the time is up may be finished for so long, or for half as long as was given, s. */
const leastMargin = 30

/**
 * The hard end of a comparison, for servers so slow that a single round of them takes longer.
 *
 * @param {number} seconds
 * @param {AbortSignal} signal
 */
function endAfter (seconds, signal) {
  const over = new AbortController()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  return {
    signal: AbortSignal.any([signal, over.signal]),
    begin: () => { timer = setTimeout(() => over.abort(), (seconds + Math.max(leastMargin, seconds / 2)) * 1000) },
    clear: () => clearTimeout(timer),
    /** @param {unknown} error @returns {never} */
    explain: (error) => {
      if (!over.signal.aborted || signal.aborted) throw error
      throw new WorkshopError(`${plural(seconds, 'second')} were too few: a single round of this load takes longer. ` +
        'Leave slow requests out of it, or give it more time with --seconds.')
    }
  }
}

/** @param {Awaited<ReturnType<typeof openSides>>} opened @param {Side} original @returns {Asking['withTwin']} */
function twinsOf ({ session }, { running }) {
  return async (use) => {
    const { server } = running ? { server: null } : await session.start('baseline')
    if (server === null) return null
    try {
      return await use(server)
    } finally {
      await session.stop(server)
    }
  }
}

/** Messages of the load name paths, too. @param {ResultRecord} record @returns {ResultRecord} */
function withoutSecretsIn (record) {
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
 * The two as the data of a check: what the session, the load generator and the record need of a lesson.
 *
 * @param {[Side, Side]} sides
 * @param {ReturnType<typeof gatesOf> & { load: Load, ignore: readonly string[] }} given
 */
function entryOf ([before, after], { load, ignore, ...given }) {
  const place = fileURLToPath(new URL('.', import.meta.url))
  // A function that prepares the servers runs here, not in the generator.
  const data = { load: { ...load, before: undefined }, ignore }
  const title = `${after.name}, compared with ${before.name}`
  return {
    number: 0,
    root: workshopRoot,
    dir: place,
    // Nothing of it is started: `openSides` puts the original in its place.
    slowDir: place,
    lesson: { ...lesson, ...given, title, data: () => ({ files: {}, data }) }
  }
}

/**
 * A session that starts these two instead of a lesson's.
 *
 * @param {Session} session
 * @param {[Side, Side]} sides
 * @param {{ inspect: boolean }} given
 */
async function openSides (session, sides, { inspect }) {
  const [before, after] = await Promise.all(sides.map((side) => openSide(side, session.scratch, { inspect })))
  return {
    submission: after.folder,
    session: {
      ...session,
      baseline: before.folder,
      start: async (/** @type {'baseline' | 'yours'} */ role) => {
        const { folder, options, running } = role === 'baseline' ? before : after
        // The size of the environment moves a process's memory and so its speed (Mytkowicz et al., 2009): drawn for
        // each start, it's noise instead of a bias.
        const env = { ...options.env, MAKE_IT_FAST_PADDING: 'x'.repeat(randomInt(4096)) }
        if (!running) return session.start(role, folder, { ...options, env })
        if (await answers('127.0.0.1', running.port)) return { server: running, failure: null }
        throw new WorkshopError(`Nothing listens at ${folder.shownDir}: start that server first.`)
      }
    }
  }
}

/** What a profile records, as `npm run profile` does. */
const profileSeconds = 3

/**
 * Records CPU profiles of the two, each under the load that keeps it busy, and what changed from one to the other.
 *
 * @param {Pick<CompareOptions, 'sides' | 'load' | 'seed' | 'signal'>} options
 * @param {{ folder: string, say: (text: string) => void }} given folder: for the report
 * @throws {WorkshopError} they can't be started
 */
export async function profileServers ({ sides, ...options }, given) {
  const [one, other] = sides.map(({ name }) => name)
  return withTargets(sides, options, ([before, after]) =>
    profileTwo({ targets: [before, after], names: [one, other], seconds: profileSeconds, ...given }))
}

/**
 * Profiles one server under the load that keeps it busy.
 *
 * @param {{ side: Side, load: Load, seed: string, signal: AbortSignal, enough: AbortSignal }} options
 * @param {Omit<Parameters<typeof profileOne>[0], 'target' | 'name'>} given
 * @throws {WorkshopError} it can't be started
 */
export async function profileServer ({ side, ...options }, given) {
  return withTargets([side], options, ([target]) => profileOne({ target, name: side.name, ...given }))
}

/**
 * @template T
 * @param {Side[]} sides
 * @param {{ load: Load, seed: string, signal: AbortSignal, enough?: AbortSignal }} options
 * @param {(targets: Target[]) => Promise<T>} use
 */
async function withTargets (sides, { load, seed, ...signals }, use) {
  if (sides.some(({ running }) => running)) throw new WorkshopError('--profile takes two folders or commits.')
  // A profile reads nothing else of a lesson.
  const entry = /** @type {any} */ (entryOf([sides[0], sides[sides.length - 1]],
    { load: withCodings(load), ignore: [], ...gatesOf(['rate'], { ...load, target: null }) }))
  const scratch = await makeTemporary()
  try {
    return await use(await Promise.all(sides.map(async (side) => {
      const { folder, options } = await openSide(side, scratch.dir, { inspect: false })
      const prepare = async (/** @type {Server} */ server) => {
        const prepared = preparedOf(side.name, server)
        await runBefore(load, prepared, seed)
        return { isOriginal: false, origin: prepared.origin, kept: prepared.kept }
      }
      const own = { folder, options, prepare, command: 'npx make-it-fast profile .' }
      return { entry, dir: folder.dir, own, loadName: 'busy', seed, ...signals }
    })))
  } finally {
    await scratch.remove()
  }
}
