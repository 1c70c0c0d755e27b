import {
  createStandings, isSound, mergeEvidence, newEvidence, summariseLoad, unchangedGates
} from '../judge/index.js'
import { judgedOn } from '../process/index.js'
import { TooBusy } from '../shared/errors.js'
import { waitFor } from './context.js'
import { testContract, testDuringLoad } from './contract.js'
import { nothingSeen, seeWaterfall, startMeasurement } from './round.js'
import { loadsOf } from './rounds.js'
import { findingsOf, loadTimeFor, settleSilence } from './slice.js'

/**
 * Checks of a few seconds: one round, for a preview and for the slow server itself, or the answers alone. No ratio that
 * they show is a verdict.
 *
 * @import { Evidence, GateResult, SliceReport } from '../judge/index.js'
 * @import { Server } from '../process/index.js'
 * @import { Context } from './context.js'
 * @import { Outcome } from './round.js'
 */

/** The shortest that shows compiled code: so many loads would share the time of a whole warm-up. */
const shareOfWarmUp = 3

/**
 * The speed first: it is known within two seconds, and whether all answers are right is not.
 *
 * @param {Context} context
 * @returns {Promise<{ found: Partial<Evidence>[], outcome: Outcome }>}
 */
export async function runPreview (context) {
  const { outcome, isSound } = await measureOneRound(context, (gates) => gates)
  const found = [{ ...outcome.evidence, unmeasured: true }]
  if (!isSound) return { found, outcome }
  const contract = await testContract(context, { compare: false })
  return {
    found: [...found, contract.found],
    outcome: { ...outcome, output: contract.output || outcome.output }
  }
}

/**
 * The slow server itself needs no proof that it is slow: one round says what it does now.
 *
 * @param {Context} context
 * @returns {Promise<{ found: Partial<Evidence>[], outcome: Outcome } | null>} null where that alone fails no gate
 */
export async function measureUnchanged (context) {
  const { lesson, gain } = context
  const machine = judgedOn({ gain })
  const known = (/** @type {GateResult[]} */ gates) => unchangedGates(lesson.gates, machine, gates)
  if (known(createStandings(lesson, machine).judge([])) === null) return null
  const { outcome } = await measureOneRound(context, (gates) => known(gates) ?? [])
  return { found: [outcome.evidence], outcome }
}

/**
 * One round of the lesson's first gate. Every answer is verified.
 *
 * @param {Context} context
 * @param {(gates: GateResult[]) => GateResult[]} judge what the round says of the gates
 */
async function measureOneRound (context, judge) {
  const { lesson, gain, random, onProgress, phase, getGenerator } = context
  phase('start', 'Starting both servers')
  await getGenerator()
  const measurement = startMeasurement(context, { draw: random.fork('first') })
  const { rounds, note, run, isSound } = measurement
  const pair = await measurement.start()
  const startedAt = performance.now()
  const standings = createStandings(lesson, judgedOn({ gain }))
  let waterfall = null
  if (pair) {
    const [{ load: name }] = lesson.gates
    if (!lesson.loads[name].fresh) await run({ pair, name, number: 0, warmUp: shareOfWarmUp })
    phase('rounds', 'A quick look at its speed')
    const round = isSound() ? await run({ pair, name, number: 1 }) : null
    if (round) {
      // What would not count towards a verdict still says about how fast it is.
      rounds.push({ ...round, disturbed: null })
      const elapsedMs = performance.now() - startedAt
      onProgress({ type: 'round', round: round.result, gates: judge(standings.judge(rounds)), elapsedMs })
    }
    if (isSound()) waterfall = await seeWaterfall(context, pair)
    await measurement.stop(pair)
  }
  note({ gates: judge(standings.judge(rounds)) })
  return { outcome: measurement.outcome({ waterfall }), isSound: isSound() }
}

/** A slice is long enough for this many answers, and for servers that misbehave only when they are busy. */
const sliceMs = 300
/** … and for how much a server can do. */
const capacityMs = 150

/**
 * The load of a check that measures nothing: it needn't wait for the end of the contract. Only where requests arrive at
 * a multiple of what a server can do has it a machine of its own.
 *
 * @param {Context} context
 */
export function loadBeside (context) {
  const { lesson, session, submission, phase } = context
  // Ahead, as all servers: what others write leaves no room for one that comes later.
  const first = session.start('yours', submission)
  // When it isn't awaited any more, the check is over, and has said why.
  first.catch(() => {})
  const canBeside = Object.values(lesson.loads).every(({ arrivals }) => arrivals === undefined)
  /** @type {Promise<Outcome> | undefined} */
  let loading
  const load = () => (loading ??= verifyUnderLoad(context, first))
  return {
    /** The machine has less to do now. */
    begin: () => { if (canBeside) load().catch(() => {}) },
    /** Begins at the latest now. */
    end: () => {
      phase('rounds', 'Checking every answer under load')
      return load()
    }
  }
}

/**
 * Is every answer right under load (`--no-speed`)? One verified slice of each load, of the submission alone, whose
 * speed is not measured.
 *
 * @param {Context} context
 * @param {ReturnType<Context['session']['start']>} first its server
 * @returns {Promise<Outcome>}
 */
async function verifyUnderLoad (context, first) {
  const { lesson, session, submission } = context
  const gates = createStandings(lesson, judgedOn()).judge([])
  let evidence = mergeEvidence(newEvidence(), { unmeasured: true, gates })
  let output = ''
  /** @type {Server | null} */
  let server = null
  let count = 0
  /** @type {SliceReport[]} */
  const served = []
  for (const name of loadsOf(lesson)) {
    // One server after the other, where a load wants a fresh one.
    if (server === null || lesson.loads[name].fresh) {
      if (server !== null) await session.stop(server)
      const starting = count++ === 0 ? first : session.start('yours', submission)
      const started = await waitFor(context, 'yours', () => starting)
      server = started.server
      if (started.failure !== null) {
        output = started.output
        evidence = mergeEvidence(evidence, { startFailure: `Started again, your server failed: ${started.failure}` })
      }
    }
    if (server === null) break
    const given = { name, server, instance: `yours#${count}` }
    const { reports, found } = await waitFor(context, 'yours', () => loadOnce(context, given))
    served.push(...reports)
    evidence = mergeEvidence(evidence, ...found)
    if (!isSound(evidence)) break
  }
  return {
    ...nothingSeen,
    rounds: [],
    load: summariseLoad(served, [], evidence.problems),
    output: server?.output() ?? output,
    baselineOutput: '',
    evidence
  }
}

/**
 * @param {Context} context
 * @param {{ name: string, server: Server, instance: string }} given name: of the load
 */
async function loadOnce (context, { name, server, instance }) {
  const { sliceAnswers = 10, exactly, arrivals } = context.lesson.loads[name]
  const order = { instance, load: name, port: server.port, sliceMs, sliceAnswers, exactly, ...loadTimeFor(server) }
  const generator = await context.getGenerator()
  const { slice } = generator
  let running = true
  const slices = async () => {
    const first = await slice(arrivals === undefined ? order : { ...order, sliceMs: capacityMs })
    if (arrivals === undefined || first.rate === 0) return [first]
    // How much arrives follows from what this server can do, since the slow one is not there to compare with.
    return [first, await slice({ ...order, rate: arrivals * first.rate })]
  }
  const tests = testDuringLoad(context, { server, label: name, running: () => running })
  const [reports, said] = await Promise.all([slices().finally(() => { running = false }), tests])
  for (const report of reports) {
    await settleSilence(report, { server, generator, order, useSlow: (use) => withSlow(context, use) })
  }
  return { reports, found: [said, ...reports.map((report) => findingsOf(server, report))] }
}

/**
 * @template T
 * @param {Context} context @param {(server: Server) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withSlow ({ session }, use) {
  const { server, failure } = await session.start('baseline', session.baseline)
  if (failure !== null) throw new TooBusy(`the slow server didn’t start: ${failure}`)
  return use(server).finally(() => session.stop(server))
}
