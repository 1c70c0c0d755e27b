import { createStandings, isSound, newEvidence, summariseLoad } from '../judge/index.js'
import { judgedOn } from '../system/index.js'
import { testDuringLoad } from './contract.js'
import { loadsOf, noteSlice } from './rounds/index.js'

/**
 * @import { Evidence, SliceReport } from '../judge/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Server, Started } from '../session/index.js'
 * @import { Context, RoundsOutcome } from './context.js'
 *
 * @typedef {{ generator: Promise<Generator>, started: Promise<Started> }} Ready
 */

/** A slice is long enough for this many answers, and for servers that misbehave only when they are busy. */
const sliceMs = 300

/**
 * Starts what the slices need, ahead of them.
 *
 * @param {Context} context
 * @returns {Ready}
 */
export function getReady ({ session, submission, getGenerator }) {
  const ready = { generator: getGenerator(), started: session.start('yours', submission) }
  // When neither is awaited any more, the check is over, and has said why.
  for (const promise of Object.values(ready)) promise.catch(() => {})
  return ready
}

/**
 * Is every answer right under load? One verified slice of each load, of the submission alone, whose speed is not
 * measured.
 *
 * @param {Context} context
 * @param {Ready} ready
 * @returns {Promise<RoundsOutcome>}
 */
export async function verifyUnderLoad (context, ready) {
  const { lesson, phase } = context
  const evidence = newEvidence()
  const servers = createServers(context, ready, evidence)
  const generator = await ready.generator
  /** @type {SliceReport[]} */
  const served = []
  phase('rounds', 'Checking every answer under load')
  for (const name of loadsOf(lesson)) {
    const server = await servers.forLoad(name)
    if (server === null) break
    served.push(...await loadOnce(context, generator, { name, server, instance: servers.count(), evidence }))
    if (!isSound(evidence)) break
  }
  evidence.gates = createStandings(lesson, judgedOn()).judge([])
  evidence.unmeasured = true
  return {
    rounds: [],
    load: summariseLoad(served, [], evidence.problems),
    cpuPerRequest: null,
    waterfall: null,
    steal: null,
    output: servers.output(),
    evidence
  }
}

/**
 * One server after the other, where a load wants a fresh one.
 *
 * @param {Context} context
 * @param {Ready} ready
 * @param {Evidence} evidence learns of one that does not start
 */
function createServers ({ lesson, session, submission }, ready, evidence) {
  let output = ''
  let count = 0
  /** @type {Server | null} */
  let server = null
  return {
    count: () => count,
    output: () => server?.output() ?? output,
    /** @param {string} name @returns {Promise<Server | null>} */
    forLoad: async (name) => {
      if (server !== null && !lesson.loads[name].fresh) return server
      if (server !== null) await session.stop(server)
      const started = await (count++ === 0 ? ready.started : session.start('yours', submission))
      if (started.failure !== null) {
        evidence.startFailure = `Started again, your server failed: ${started.failure}`
        output = started.output
      }
      server = started.server
      return server
    }
  }
}

/**
 * @param {Context} context
 * @param {Generator} generator
 * @param {{ name: string, server: Server, instance: number, evidence: Evidence }} given
 * @returns {Promise<SliceReport[]>}
 */
async function loadOnce (context, generator, { name, server, instance, evidence }) {
  const load = context.lesson.loads[name]
  const order = {
    instance: `yours#${instance}`,
    load: name,
    port: server.port,
    sliceMs,
    sliceAnswers: load.sliceAnswers ?? 10,
    exactly: load.exactly
  }
  let running = true
  const slices = async () => {
    const first = await generator.slice(order)
    if (load.arrivals === undefined || first.rate === 0) return [first]
    // How much arrives follows from what this server can do, since the slow one is not there to compare with.
    return [first, await generator.slice({ ...order, rate: load.arrivals * first.rate })]
  }
  const tests = testDuringLoad(context, { server, label: name, evidence, running: () => running })
  const [reports] = await Promise.all([slices().finally(() => { running = false }), tests])
  for (const report of reports) noteSlice('yours', server, report, evidence)
  return reports
}
