import { runContract } from '../contract/index.js'
import { readMemory } from '../inspector/index.js'
import { disturbance } from './disturbed.js'
import { measureSlice } from './slice.js'

/**
 * @typedef {import('./rounds.js').Round} Round
 * @typedef {import('./slice.js').Slice} Slice
 *
 * @typedef {object} RoundGiven
 * @property {import('./pairs.js').Pair} pair
 * @property {string} name of the load
 * @property {number} number
 * @property {number} [warmUp] not to be counted; one of so many loads that warm these servers up
 * @property {import('../catalogue/lesson.js').Check[]} during checks that run beside the load
 * @property {import('../catalogue/lesson.js').Random} draw decides which server is first
 * @property {import('./verdict.js').Evidence} evidence learns what went wrong
 * @property {Slice[]} served every slice of the submission
 */

/**
 * What V8 needs to compile the code of a fast server, about: without it the first rounds show a third of its speed. All loads
 * of a lesson together warm it up.
 */
const warmUpMs = 1000
/** Whatever is done to the slow server in so many slices is done on purpose. */
const mostSightings = 2
/** An open loop above this share of the capacity shows how much that is. */
const saturated = 1.5

/**
 * One round: both servers under the same load, one after the other.
 *
 * @param {import('./rounds.js').RoundsGiven} given
 * @param {RoundGiven} round
 * @returns {Promise<Round | null>} null when a server failed, or when it was only the warm-up
 */
export async function runRound (given, { pair, name, number, warmUp: loads = 0, during, draw, evidence, served }) {
  const { lesson, cores, generator, random, known, signal } = given
  signal?.throwIfAborted()
  const warmUp = loads > 0
  const load = lesson.loads[name]
  const startedAt = performance.now()
  const first = draw.next() < 0.5 ? /** @type {const} */ ('baseline') : /** @type {const} */ ('yours')
  const rate = warmUp || load.arrivals === undefined ? undefined : load.arrivals * (pair.capacity.get(load.stream) ?? 1)
  /** @type {Partial<Record<'baseline' | 'yours', Slice>>} */
  const slices = {}
  for (const role of first === 'baseline' ? /** @type {const} */ (['baseline', 'yours']) : /** @type {const} */ (['yours', 'baseline'])) {
    const server = pair[role]
    const slice = await measureSlice({
      server,
      other: pair[role === 'baseline' ? 'yours' : 'baseline'],
      generator,
      cores,
      order: {
        life: `${role}#${pair.number}`,
        load: name,
        port: server.port,
        sliceMs: warmUp ? load.warmUpMs ?? warmUpMs / loads : load.sliceMs ?? 200,
        // Nobody counts the answers of a warm-up.
        sliceAnswers: warmUp ? 1 : load.sliceAnswers ?? 10,
        // What is counted in batches is warmed up by the clock.
        exactly: warmUp && load.batches !== undefined ? undefined : load.exactly,
        rate
      },
      batches: warmUp ? 1 : load.batches,
      readMemory: load.batches === undefined || warmUp ? undefined : (one) => memoryOf(one, role, evidence),
      during: async (running) => {
        while (during.length > 0 && running()) {
          const results = await runContract({ checks: during, when: 'during', server, oracle: null, random: random.fork(`${name}/${number}`), data: known, signal })
          const failed = results.filter(({ status }) => status === 'fail')
          if (role === 'yours') evidence.contract.push(...failed)
          else evidence.baselineFailures.push(...failed.map((check) => `it ${check.name}: ${check.message}`))
          if (failed.length > 0) return
        }
      }
    })
    slices[role] = slice
    if (role === 'yours') served.push(slice)
    note(role, server, slice, evidence)
    if (isBroken(evidence)) return null
    const showsCapacity = load.arrivals !== undefined && (warmUp || load.arrivals >= saturated)
    if (role === 'baseline' && showsCapacity) pair.capacity.set(load.stream, slice.rate)
  }
  const { baseline, yours } = slices
  if (!baseline || !yours || warmUp) return null
  const disturbed = disturbance([baseline.conditions, yours.conditions])
  return {
    result: { load: name, number, first, baseline: baseline.rate, yours: yours.rate, disturbed: disturbed?.text ?? null },
    baseline,
    yours,
    seconds: (performance.now() - startedAt) / 1000,
    disturbed
  }
}

/** Is anything known that no further round could change? @param {import('./verdict.js').Evidence} evidence */
export function isBroken (evidence) {
  return evidence.meddling !== null || evidence.crash !== null || evidence.startFailure !== null || evidence.problems.length > 0 ||
    evidence.baselineProblems.length > 0 || evidence.baselineFailures.length > 0 || evidence.contract.some(({ status }) => status === 'fail')
}

/**
 * @param {'baseline' | 'yours'} role
 * @param {import('../server/start.js').Server} server
 * @param {Slice} slice
 * @param {import('./verdict.js').Evidence} evidence
 */
function note (role, server, slice, evidence) {
  const sentences = [...slice.lost, ...slice.problems].map(({ message }) => message)
  if (role === 'baseline') evidence.baselineProblems.push(...sentences)
  else evidence.problems.push(...sentences)
  if (role === 'baseline' && slice.conditions.visited) evidence.meddling = 'While the slow server was measured, your server was connected to it: the two have nothing to do with each other.'
  // Once may be chance, as another program that looks for a port of its own; such a round does not count.
  if (slice.conditions.meddled && ++evidence.sightings >= mostSightings) evidence.baselineProblems.push(slice.conditions.meddled)
  if (!server.hasExited()) return
  if (role === 'baseline') evidence.baselineFailures.push(`it ${server.howItEnded()}`)
  else evidence.crash = `Your server ${server.howItEnded()} under load.`
}

/**
 * @param {import('../server/start.js').Server} server
 * @param {'baseline' | 'yours'} role
 * @param {import('./verdict.js').Evidence} evidence
 */
async function memoryOf (server, role, evidence) {
  const url = server.inspector()
  try {
    if (url === null) throw new Error('it did not say where its inspector is')
    const { heapBytes, externalBytes } = await readMemory(url)
    return { retained: heapBytes + externalBytes, footprint: await server.resident() }
  } catch (error) {
    const what = `its memory could not be read (${error.message}): leave the inspector alone, with which this lesson looks at the heap`
    if (role === 'baseline') evidence.baselineFailures.push(what)
    // A server that has ended is told of as such.
    else if (!server.hasExited()) evidence.problems.push(`Your server ran, but ${what}.`)
    return { retained: 0, footprint: null }
  }
}
