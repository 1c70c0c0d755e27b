import { createStandings, newEvidence, summariseLoad } from '../judge/index.js'
import { checkBeside } from './contract.js'
import { loadsOf, noteSlice } from './rounds/index.js'

/**
 * @import { Evidence, SliceReport } from '../judge/index.js'
 * @import { Lesson } from '../lesson/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Server } from '../session/index.js'
 * @import { Context } from './check-server.js'
 * @import { RoundsOutcome } from './rounds/index.js'
 */

/** A slice is long enough for this many answers, and for servers that misbehave only when they are busy. */
const sliceMs = 300

/**
 * Is every answer right under load? One verified slice of each load, of the submission alone, whose speed
 * nobody looks at.
 *
 * @param {Context} context
 * @param {Generator} generator
 * @returns {Promise<RoundsOutcome>}
 */
export async function runSlices (context, generator) {
  const { lesson, session, submission, cores, phase } = context
  const evidence = newEvidence()
  /** @type {SliceReport[]} */
  const served = []
  let output = ''
  /** @type {Server | null} */
  let server = null
  let life = 0
  phase('rounds', 'Checking every answer under load')
  for (const name of loadsOf(lesson)) {
    if (server === null || lesson.loads[name].fresh) {
      if (server !== null) await session.stop(server)
      const started = await session.start('yours', submission)
      life++
      if (started.failure !== null) {
        evidence.startFailure = `Started once more, your server failed: ${started.failure}`
        output = started.output
        break
      }
      server = started.server
    }
    served.push(...await loadOnce(context, generator, { name, server, life, evidence }))
    if (isWrong(evidence)) break
  }
  evidence.gates = createStandings(lesson, { cores, tellsMemory: process.platform === 'linux' }).judge([])
  evidence.unmeasured = true
  return {
    rounds: [],
    load: summariseLoad(served, [], evidence.problems),
    cpuPerRequest: null,
    waterfall: null,
    steal: null,
    output: server?.output() ?? output,
    evidence
  }
}

/** @param {Evidence} evidence */
function isWrong ({ startFailure, crash, problems, contract }) {
  return (
    startFailure !== null || crash !== null || problems.length > 0 || contract.some(({ status }) => status === 'fail')
  )
}

/**
 * @param {Context} context
 * @param {Generator} generator
 * @param {{ name: string, server: Server, life: number, evidence: Evidence }} given
 * @returns {Promise<SliceReport[]>}
 */
async function loadOnce (context, generator, { name, server, life, evidence }) {
  const load = context.lesson.loads[name]
  const order = {
    life: `yours#${life}`,
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
  const beside = checkBeside(context, { server, label: name, evidence, running: () => running })
  const [reports] = await Promise.all([slices().finally(() => { running = false }), beside])
  for (const report of reports) noteSlice('yours', server, report, evidence)
  return reports
}
