import { disturbance, isSound } from '../../judge/index.js'
import { testDuringLoad } from '../contract.js'
import { noteSlice } from './note-slice.js'
import { memoryOf } from './heap-growth.js'
import { measureSlice } from './measure-slice.js'

/**
 * @import { Evidence, Role, Round, Slice } from '../../judge/index.js'
 * @import { Random } from '../../lesson/index.js'
 * @import { Pair } from './pairs.js'
 * @import { RoundsContext } from '../context.js'
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
 * keeps some of their ratio. As with the size of work (system/speed.js), half of that has to do, except under a quota,
 * whose pauses take their share of the ratio as well. Pure.
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
