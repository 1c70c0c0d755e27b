import { disturbance, isSound, mergeEvidence, newEvidence, summariseLoad } from '../judge/index.js'
import { waitFor } from './context.js'
import { testDuringLoad } from './contract.js'
import { loadTimeFor, measureSlice, settleSilence } from './slice.js'

/**
 * One round: both servers under the same load, one after the other. A measurement adds up what its rounds show.
 *
 * @import { Evidence, LatencyResult, Role, Round, Slice, WaterfallResult } from '../judge/index.js'
 * @import { Random, Stream } from '../lesson/index.js'
 * @import { Call, Server } from '../process/index.js'
 * @import { Context } from './context.js'
 *
 * @typedef {object} Pair the two servers of the rounds, started and stopped together
 * @property {Server} baseline
 * @property {Server} yours
 * @property {number} number
 * @property {Map<Stream, number>} capacity answers a second that the baseline of this pair was last seen to give, by
 *   stream
 * @property {Record<Role, unknown>} [kept] what the streams have to know of each
 *
 * @typedef {object} RoundOptions
 * @property {Pair} pair
 * @property {string} name of the load
 * @property {number} number
 * @property {number} [warmUp] not to be counted; one of so many loads that warm these servers up
 *
 * @typedef {object} MeasurementOptions
 * @property {Random} draw decides which server is first
 * @property {boolean} [startedBefore] has the submission been seen to start already?
 * @property {(pair: { baseline: Server, yours: Server }) =>
 *   Promise<{ kept?: Record<Role, unknown>, found: Partial<Evidence> }>} [prepare] of both servers, once they listen
 * @property {[string, string]} [servers] what the two are called
 *
 * @typedef {ReturnType<typeof startMeasurement>} Measurement
 * @typedef {ReturnType<Measurement['outcome']>} Outcome
 */

/** @type {Role[]} */
const roles = ['baseline', 'yours']
const again = 'Started again, your server failed: '

/**
 * Pairs of servers, their rounds, and what those have shown so far.
 *
 * @param {Context} context
 * @param {MeasurementOptions} options
 */
export function startMeasurement (context, { draw, startedBefore = false, prepare, servers }) {
  const { session, submission, getGenerator } = context
  /** @type {Round[]} */
  const rounds = []
  /** Every slice of the submission, also warm-ups. @type {Slice[]} */
  const served = []
  let evidence = newEvidence()
  let started = 0
  const wrote = { baseline: '', yours: '' }
  const note = (/** @type {Partial<Evidence>[]} */ ...found) => { evidence = mergeEvidence(evidence, ...found) }
  return {
    rounds,
    note,
    isSound: () => isSound(evidence),
    /** @returns {Promise<Pair | null>} null where one does not start */
    start: async () => {
      const [baseline, yours] = await Promise.all([
        waitFor(context, 'baseline', () => session.start('baseline', session.baseline)),
        waitFor(context, 'yours', () => session.start('yours', submission))
      ])
      if (baseline.failure !== null) {
        wrote.baseline = baseline.output
        note({ baselineFailures: [baseline.failure] })
      }
      if (yours.failure !== null) {
        wrote.yours = yours.output
        note({ startFailure: `${startedBefore || started > 0 ? again : ''}${yours.failure}` })
      }
      if (!baseline.server || !yours.server) return null
      const pair = { baseline: baseline.server, yours: yours.server, number: ++started, capacity: new Map() }
      if (!prepare) return pair
      const { kept, found } = await prepare(pair)
      note(found)
      return { ...pair, kept }
    },
    stop: async (/** @type {Pair} */ pair) => {
      Object.assign(wrote, { baseline: pair.baseline.output(), yours: pair.yours.output() })
      const { forget } = await getGenerator()
      await Promise.all(roles.flatMap((role) => [session.stop(pair[role]), forget(`${role}#${pair.number}`)]))
    },
    /** @returns {Promise<Round | null>} null when a server failed, or when it was only the warm-up */
    run: async (/** @type {RoundOptions} */ options) => {
      session.signal?.throwIfAborted()
      const { seen, round } = await runRound(context, { ...options, draw, servers })
      served.push(...seen.flatMap(({ role, slice }) => role === 'yours' ? slice : []))
      note(...seen.flatMap(({ found }) => found))
      return isSound(evidence) ? round : null
    },
    /** @param {Partial<typeof nothingSeen>} seen */
    outcome: (seen) => ({
      ...nothingSeen,
      ...seen,
      rounds,
      load: summariseLoad(served, rounds, evidence.problems),
      evidence,
      output: wrote.yours,
      baselineOutput: wrote.baseline
    })
  }
}

/** What only rounds show. */
export const nothingSeen = {
  latencies: /** @type {LatencyResult[]} */ ([]),
  /** ms, where the system tells it. */
  cpuPerRequest: /** @type {{ baseline: number, yours: number } | null} */ (null),
  steal: /** @type {number | null} */ (null),
  waterfall: /** @type {WaterfallResult | null} */ (null)
}

/** An open loop above this share of the capacity shows how much that is. */
const saturated = 1.5

/** @param {Context} context @param {RoundOptions & Pick<MeasurementOptions, 'draw' | 'servers'>} options */
async function runRound (context, options) {
  const { pair, name, number, warmUp = 0, draw, servers } = options
  const load = context.lesson.loads[name]
  const startedAt = performance.now()
  const order = draw.next() < 0.5 ? roles : roles.toReversed()
  const rate = warmUp > 0
    ? undefined
    : load.rate ?? (load.arrivals && load.arrivals * (pair.capacity.get(load.stream) ?? 1))
  if (warmUp > 0 && load.arrivals === undefined) {
    // Side by side, which saves time: their speed is not measured.
    const seen = await Promise.all(roles.map((role) => loadOne(context, options, { role })))
    // What one does while the other works is no interference: both are at work.
    const found = seen.map((one) => one.found.map(({ interfered, ...found }) => found))
    return { round: null, seen: seen.map((one, at) => ({ ...one, found: found[at] })) }
  }
  /** @type {Awaited<ReturnType<typeof loadOne>>[]} */
  const seen = []
  for (const role of order) {
    const one = await loadOne(context, options, { role, rate })
    seen.push(one)
    if (!isSound(mergeEvidence(newEvidence(), ...one.found))) return { round: null, seen }
    const showsCapacity = load.arrivals !== undefined && (warmUp > 0 || load.arrivals >= saturated)
    if (role === 'baseline' && showsCapacity) pair.capacity.set(load.stream, one.slice.rate)
  }
  if (warmUp > 0) return { round: null, seen }
  const [baseline, yours] = (order === roles ? seen : seen.toReversed()).map(({ slice }) => slice)
  const disturbed = disturbance([baseline.conditions, yours.conditions], servers?.[0])
  /** @type {Round} */
  const round = {
    result: {
      load: name,
      number,
      first: order[0],
      baseline: baseline.rate,
      yours: yours.rate,
      disturbed: disturbed?.text ?? null,
      ...servers && { servers }
    },
    baseline,
    yours,
    pair: pair.number,
    seconds: (performance.now() - startedAt) / 1000,
    disturbed
  }
  return { round, seen }
}

/**
 * What V8 needs to compile the code of a fast server, about: without it the first rounds show a third of its speed. All
 * loads of a lesson together warm it up.
 */
const warmUpMs = 1000
/** A slow machine needs longer for that, within reason. */
const mostStretch = 2.5
/** Where the system stops us for most of each tenth of a second, a slice lasts at least a few of them. */
const limitedSliceMs = 400

/**
 * The queue of an open loop grows with time, while a short one takes as long as this machine is slow: a longer slice
 * keeps their ratio, within reason. Pure.
 *
 * @param {number} sliceMs on a fast machine
 * @param {{ isOpen: boolean, pace: number, limit: number | null }} given limit: CPUs that may be used; null: all
 * @returns {number} ms
 */
export function sliceMsOf (sliceMs, { isOpen, pace, limit }) {
  const longer = sliceMs * (isOpen ? Math.min(pace, mostStretch) : 1)
  return limit === null ? longer : Math.max(longer, limitedSliceMs)
}

/**
 * One slice of one server, with the checks that run during it.
 *
 * @param {Context} context
 * @param {RoundOptions & Pick<MeasurementOptions, 'servers'>} options
 * @param {{ role: Role, rate?: number }} which rate: requests/s of an open loop
 */
async function loadOne (context, { pair, name, number, warmUp: loads = 0, servers }, { role, rate }) {
  const { lesson, cores, session: { pace, limit } } = context
  const server = pair[role]
  const load = lesson.loads[name]
  const warmUp = loads > 0
  const isShort = role === 'baseline' && load.baselineExactly !== undefined
  const generator = await context.getGenerator()
  const order = {
    instance: `${role}#${pair.number}`,
    load: name,
    port: server.port,
    connections: load.connections,
    lasting: load.lasting,
    kept: pair.kept?.[role],
    sliceMs: warmUp
      ? load.warmUpMs ?? warmUpMs * Math.min(pace, mostStretch) / loads
      : sliceMsOf(load.sliceMs ?? 200, { isOpen: rate !== undefined, pace, limit }),
    sliceAnswers: warmUp ? load.warmUpAnswers ?? 1 : load.sliceAnswers ?? 10,
    // What is counted in batches is warmed up by the clock.
    exactly: warmUp && load.batches !== undefined ? undefined : isShort ? load.baselineExactly : load.exactly,
    rate,
    ...loadTimeFor(server)
  }
  const { slice, found } = await waitFor(context, role, () => measureSlice({
    server,
    other: pair[role === 'baseline' ? 'yours' : 'baseline'],
    generator,
    cores,
    order,
    batches: warmUp || isShort ? undefined : load.batches,
    during: (running) => testDuringLoad(context, { server, label: `${name}/${number}`, running })
  }))
  // Who compares two servers of their own is told what happened.
  if (servers === undefined) {
    await waitFor(context, role, () => settleSilence(slice, {
      server, generator, order, useSlow: (use) => use(pair.baseline)
    }))
  }
  return { role, slice, found }
}

/** Not every request of a mixed load calls the upstream: this many are tried. */
const tries = 20

/**
 * The calls that one request makes to the upstream, asked of both servers while no other request is in flight.
 *
 * @param {Pick<Context, 'lesson' | 'getGenerator'>} context
 * @param {Pair} pair both idle
 * @returns {Promise<WaterfallResult | null>} null where no request needs more than one call
 */
export async function seeWaterfall ({ lesson, getGenerator }, { baseline, yours }) {
  if (!lesson.upstream) return null
  const generator = await getGenerator()
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
    await Promise.all(roles.map((role) => generator.forget(`${role}#waterfall`)))
  }
}

/** Pure. @param {readonly Call[]} calls @returns {WaterfallResult['yours']} from the first call on */
export function barsOf (calls) {
  const start = Math.min(...calls.map(({ startMs }) => startMs))
  return calls.map(({ path, startMs, endMs }) => ({
    path,
    startMs: startMs - start,
    endMs: endMs === null ? null : endMs - start
  }))
}
