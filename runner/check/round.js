import { createStandings, disturbance, isSound, newEvidence, summariseLoad } from '../judge/index.js'
import { judgedOn } from '../process/index.js'
import { testDuringLoad } from './contract.js'
import { measureSlice, memoryOf } from './slice.js'

/**
 * @import { Evidence, Role, Round, Slice, WaterfallResult } from '../judge/index.js'
 * @import { Random, Stream } from '../lesson/index.js'
 * @import { Call, Server } from '../process/index.js'
 * @import { Context, RoundsContext, RoundsOutcome } from './record-of.js'
 *
 * @typedef {object} RoundOptions
 * @property {Pair} pair
 * @property {string} name of the load
 * @property {number} number
 * @property {number} [warmUp] not to be counted; one of so many loads that warm these servers up
 * @property {Random} draw decides which server is first
 * @property {Evidence} evidence learns what went wrong
 * @property {Slice[]} served every slice of the submission
 */

/** @type {Role[]} */
const roles = ['baseline', 'yours']

/**
 * What V8 needs to compile the code of a fast server, about: without it the first rounds show a third of its speed. All
 * loads of a lesson together warm it up.
 */
const warmUpMs = 1000
/** A slow machine needs longer for that, within reason. */
const mostStretch = 2.5
/** Where the system stops us for most of each tenth of a second, a slice lasts at least a few of them. */
const limitedSliceMs = 400
/** An open loop above this share of the capacity shows how much that is. */
const saturated = 1.5

/**
 * One round: both servers under the same load, one after the other.
 *
 * @param {RoundsContext} context
 * @param {RoundOptions} options
 * @returns {Promise<Round | null>} null when a server failed, or when it was only the warm-up
 */
export async function runRound (context, options) {
  const { pair, name, number, warmUp = 0, draw, evidence, served } = options
  context.session.signal?.throwIfAborted()
  const load = context.lesson.loads[name]
  const startedAt = performance.now()
  const order = draw.next() < 0.5 ? roles : roles.toReversed()
  const rate = warmUp > 0
    ? undefined
    : load.rate ?? (load.arrivals && load.arrivals * (pair.capacity.get(load.stream) ?? 1))
  if (warmUp > 0 && load.arrivals === undefined) return warmUpTogether(context, options)
  /** @type {Partial<Record<Role, Slice>>} */
  const slices = {}
  for (const role of order) {
    const slice = await loadOne(context, options, { role, rate })
    slices[role] = slice
    if (role === 'yours') served.push(slice)
    noteSlice(role, pair[role], slice, evidence)
    if (!isSound(evidence)) return null
    const showsCapacity = load.arrivals !== undefined && (warmUp > 0 || load.arrivals >= saturated)
    if (role === 'baseline' && showsCapacity) pair.capacity.set(load.stream, slice.rate)
  }
  const { baseline, yours } = slices
  if (!baseline || !yours || warmUp > 0) return null
  const disturbed = disturbance([baseline.conditions, yours.conditions], context.servers?.[0])
  return {
    result: {
      load: name,
      number,
      first: order[0],
      baseline: baseline.rate,
      yours: yours.rate,
      disturbed: disturbed?.text ?? null,
      ...context.servers && { servers: context.servers }
    },
    baseline,
    yours,
    pair: pair.number,
    seconds: (performance.now() - startedAt) / 1000,
    disturbed
  }
}

/**
 * Side by side, which saves time: their speed is not measured.
 *
 * @param {RoundsContext} context
 * @param {RoundOptions} options
 * @returns {Promise<null>}
 */
async function warmUpTogether (context, options) {
  const { pair, evidence, served } = options
  const [baseline, yours] = await Promise.all(roles.map((role) => loadOne(context, options, { role })))
  served.push(yours)
  // What one does while the other works is no interference: both are at work.
  for (const slice of [baseline, yours]) Object.assign(slice.conditions, { interfered: null })
  noteSlice('baseline', pair.baseline, baseline, evidence)
  if (isSound(evidence)) noteSlice('yours', pair.yours, yours, evidence)
  return null
}

/**
 * The queue of an open loop grows with time, while a short one takes as long as this machine is slow: a longer slice
 * keeps some of their ratio. As with the size of work (process/machine.js), half of that has to do, except under a
 * quota, whose pauses take their share of the ratio as well. Pure.
 *
 * @param {number} sliceMs on a fast machine
 * @param {{ isOpen: boolean, pace: number, limit: number | null }} given limit: CPUs that may be used; null: all
 * @returns {number} ms
 */
export function sliceMsOf (sliceMs, { isOpen, pace, limit }) {
  const stretch = Math.min(pace, mostStretch)
  if (limit === null) return sliceMs * (isOpen ? Math.sqrt(stretch) : 1)
  return Math.max(sliceMs * (isOpen ? stretch : 1), limitedSliceMs)
}

/**
 * One slice of one server, with the checks that run during it.
 *
 * @param {RoundsContext} context
 * @param {RoundOptions} options
 * @param {{ role: Role, rate?: number }} which rate: requests/s of an open loop
 * @returns {Promise<Slice>}
 */
function loadOne (context, { pair, name, number, warmUp: loads = 0, evidence }, { role, rate }) {
  const { lesson, cores, generator, session: { pace, limit } } = context
  const server = pair[role]
  const load = lesson.loads[name]
  const warmUp = loads > 0
  const isShort = role === 'baseline' && load.baselineExactly !== undefined
  const batches = warmUp || isShort ? undefined : load.batches
  return measureSlice({
    server,
    other: pair[role === 'baseline' ? 'yours' : 'baseline'],
    generator,
    cores,
    order: {
      instance: `${role}#${pair.number}`,
      load: name,
      port: server.port,
      connections: load.connections,
      kept: pair.kept?.[role],
      sliceMs: warmUp
        ? load.warmUpMs ?? warmUpMs * Math.min(pace, mostStretch) / loads
        : sliceMsOf(load.sliceMs ?? 200, { isOpen: rate !== undefined, pace, limit }),
      sliceAnswers: warmUp ? load.warmUpAnswers ?? 1 : load.sliceAnswers ?? 10,
      // What is counted in batches is warmed up by the clock.
      exactly: warmUp && load.batches !== undefined ? undefined : isShort ? load.baselineExactly : load.exactly,
      rate
    },
    batches,
    readMemory: batches === undefined ? undefined : () => memoryOf(server, role, evidence),
    during: (running) => testDuringLoad(context, { server, label: `${name}/${number}`, evidence, running })
  })
}

/**
 * What a slice shows besides its figures: wrong answers, servers that end, interference.
 */

/** Whatever is done to the slow server in so many slices is done on purpose. */
const mostInterferences = 2

/**
 * @param {Role} role
 * @param {Server} server
 * @param {Pick<Slice, 'lost' | 'problems'> & { conditions?: Slice['conditions'] }} slice
 * @param {Evidence} evidence learns what went wrong
 */
export function noteSlice (role, server, { lost, problems, conditions }, evidence) {
  const sentences = [...lost, ...problems].map(({ message }) => message)
  if (role === 'baseline') evidence.baselineProblems.push(...sentences)
  else evidence.problems.push(...sentences)
  if (role === 'baseline' && conditions?.connectedToBaseline) {
    evidence.interference = 'While the slow server was being measured, your server was connected to it: ' +
      'leave the slow server alone.'
  }
  // Once may be chance, as when another program looks for a free port; such a round doesn't count.
  if (conditions?.interfered && ++evidence.interferenceCount >= mostInterferences) {
    evidence.baselineProblems.push(conditions.interfered)
  }
  if (!server.hasExited()) return
  if (role === 'baseline') evidence.baselineFailures.push(`it ${server.howItEnded()}`)
  else evidence.crash = `Your server ${server.howItEnded()} under load.`
}

/**
 * The two servers of the rounds, started and stopped together.
 *
 * @typedef {object} Pair
 * @property {Server} baseline
 * @property {Server} yours
 * @property {number} number
 * @property {Map<Stream, number>} capacity answers a second that the baseline of this pair was last seen to give, by
 *   stream
 * @property {Record<Role, unknown>} [kept] what the streams have to know of each
 *
 * @typedef {object} Pairs
 * @property {() => Promise<Pair | null>} start null where one does not start
 * @property {(pair: Pair) => Promise<void>} stop
 * @property {() => string} output what the submission wrote
 * @property {() => string} baselineOutput
 */

const again = 'Started again, your server failed: '

/**
 * @param {Pick<RoundsContext, 'session' | 'generator' | 'submission' | 'prepare'>} context
 * @param {Evidence} evidence learns of servers that do not start
 * @param {{ startedBefore: boolean }} options has the submission been seen to start already?
 * @returns {Pairs}
 */
export function createPairs ({ session, generator, submission, prepare }, evidence, { startedBefore }) {
  let started = 0
  let [output, baselineOutput] = ['', '']
  return {
    start: async () => {
      const [baseline, yours] = await Promise.all([
        session.start('baseline', session.baseline),
        session.start('yours', submission)
      ])
      if (baseline.failure !== null) {
        evidence.baselineFailures.push(baseline.failure)
        baselineOutput = baseline.output
      }
      if (yours.failure !== null) {
        evidence.startFailure = `${startedBefore || started > 0 ? again : ''}${yours.failure}`
        output = yours.output
      }
      if (!baseline.server || !yours.server) return null
      const pair = { baseline: baseline.server, yours: yours.server, number: ++started, capacity: new Map() }
      return { ...pair, ...await prepare?.(pair, evidence) }
    },
    stop: async (pair) => {
      output = pair.yours.output()
      baselineOutput = pair.baseline.output()
      await Promise.all([
        session.stop(pair.baseline),
        session.stop(pair.yours),
        generator.forget(`baseline#${pair.number}`),
        generator.forget(`yours#${pair.number}`)
      ])
    },
    output: () => output,
    baselineOutput: () => baselineOutput
  }
}

/**
 * The calls that one request makes to the upstream, asked of both servers while no other request is in flight.
 */

/** Not every request of a mixed load calls the upstream: this many are tried. */
const tries = 20

/**
 * @param {Pick<RoundsContext, 'lesson' | 'generator'>} context
 * @param {Pair} pair both idle
 * @returns {Promise<WaterfallResult | null>} null where no request needs more than one call
 */
export async function seeWaterfall ({ lesson, generator }, { baseline, yours }) {
  if (!lesson.upstream) return null
  const callsOf = async (/** @type {Server} */ server) => {
    await server.upstream?.reset()
    // A separate instance, which begins with the same request for both. Its state is not this server's, and
    // is not judged.
    await generator.slice({
      instance: `${server.role}#waterfall`,
      load: lesson.mechanism.load,
      port: server.port,
      sliceMs: 0,
      sliceAnswers: 1,
      exactly: 1,
      unchecked: true,
      withoutProbe: true
    })
    return await server.upstream?.calls() ?? []
  }
  try {
    for (let i = 0; i < tries; i++) {
      const [before, after] = [await callsOf(baseline), await callsOf(yours)]
      if (before.length > 1) return { baseline: barsOf(before), yours: barsOf(after) }
    }
    return null
  } finally {
    await Promise.all([generator.forget('baseline#waterfall'), generator.forget('yours#waterfall')])
  }
}

/**
 * Pure.
 *
 * @param {readonly Call[]} calls
 * @returns {WaterfallResult['yours']} from the first call on
 */
export function barsOf (calls) {
  const start = Math.min(...calls.map(({ startMs }) => startMs))
  return calls.map(({ path, startMs, endMs }) => ({
    path,
    startMs: startMs - start,
    endMs: endMs === null ? null : endMs - start
  }))
}

/** The shortest that shows compiled code: so many loads would share the time of a whole warm-up. */
const shareOfWarmUp = 3

/**
 * One round of the lesson's first gate, which shows about how fast a server is now. Every answer is
 * verified; the ratio is no verdict.
 *
 * @param {Context} context
 * @returns {Promise<RoundsOutcome>}
 */
export async function runPreviewRound (context) {
  const { lesson, random, onProgress, phase, getGenerator, session, submission } = context
  const evidence = newEvidence()
  evidence.unmeasured = true
  /** @type {Slice[]} */
  const served = []
  /** @type {Round | null} */
  let round = null
  /** @type {RoundsOutcome['waterfall']} */
  let waterfall = null
  phase('warm-up', 'Starting both servers')
  const generator = await getGenerator()
  const pairs = createPairs({ session, generator, submission }, evidence, { startedBefore: false })
  const pair = await pairs.start()
  const startedAt = performance.now()
  const standings = createStandings(lesson, judgedOn())
  if (pair) {
    const [{ load: name }] = lesson.gates
    const options = { pair, name, draw: random.fork('first'), evidence, served }
    const rounds = { ...context, generator, budgetMs: 0 }
    if (!lesson.loads[name].fresh) await runRound(rounds, { ...options, number: 0, warmUp: shareOfWarmUp })
    phase('rounds', 'A quick look at its speed')
    const found = !isSound(evidence) ? null : await runRound(rounds, { ...options, number: 1 })
    // What would not count towards a verdict still says about how fast it is.
    round = found && { ...found, disturbed: null }
    if (round) {
      const elapsedMs = performance.now() - startedAt
      onProgress({ type: 'round', round: round.result, gates: standings.judge([round]), elapsedMs })
    }
    if (isSound(evidence)) waterfall = await seeWaterfall(rounds, pair)
    await pairs.stop(pair)
  }
  evidence.gates = standings.judge(round ? [round] : [])
  return {
    rounds: round ? [round.result] : [],
    load: summariseLoad(served, round ? [round] : [], evidence.problems),
    cpuPerRequest: null,
    waterfall,
    steal: null,
    output: pairs.output(),
    evidence
  }
}
