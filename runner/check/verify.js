import { createStandings, isSound, mergeEvidence, newEvidence, summariseLoad } from '../judge/index.js'
import { judgedOn } from '../process/index.js'
import { testDuringLoad } from './contract.js'
import { nothingSeen } from './round.js'
import { loadsOf } from './rounds.js'
import { findingsOf } from './slice.js'

/**
 * Is every answer right under load? One verified slice of each load, of the submission alone, whose speed is not
 * measured (`--no-speed`).
 *
 * @import { SliceReport } from '../judge/index.js'
 * @import { Server } from '../process/index.js'
 * @import { Context } from './context.js'
 * @import { Outcome } from './round.js'
 */

/** A slice is long enough for this many answers, and for servers that misbehave only when they are busy. */
const sliceMs = 300

/** Starts what the slices need, ahead of them. @param {Context} context */
export function getReady ({ session, submission, getGenerator }) {
  const ready = { generator: getGenerator(), started: session.start('yours', submission) }
  // When neither is awaited any more, the check is over, and has said why.
  for (const promise of Object.values(ready)) promise.catch(() => {})
  return ready
}

/**
 * @param {Context} context
 * @param {ReturnType<typeof getReady>} ready
 * @returns {Promise<Outcome>}
 */
export async function verifyUnderLoad (context, ready) {
  const { lesson, session, submission, phase } = context
  const gates = createStandings(lesson, judgedOn()).judge([])
  let evidence = mergeEvidence(newEvidence(), { unmeasured: true, gates })
  let output = ''
  /** @type {Server | null} */
  let server = null
  let count = 0
  /** @type {SliceReport[]} */
  const served = []
  await ready.generator
  phase('rounds', 'Checking every answer under load')
  for (const name of loadsOf(lesson)) {
    // One server after the other, where a load wants a fresh one.
    if (server === null || lesson.loads[name].fresh) {
      if (server !== null) await session.stop(server)
      const started = await (count++ === 0 ? ready.started : session.start('yours', submission))
      server = started.server
      if (started.failure !== null) {
        output = started.output
        evidence = mergeEvidence(evidence, { startFailure: `Started again, your server failed: ${started.failure}` })
      }
    }
    if (server === null) break
    const { reports, found } = await loadOnce(context, { name, server, instance: `yours#${count}` })
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
  const order = { instance, load: name, port: server.port, sliceMs, sliceAnswers, exactly }
  const { slice } = await context.getGenerator()
  let running = true
  const slices = async () => {
    const first = await slice(order)
    if (arrivals === undefined || first.rate === 0) return [first]
    // How much arrives follows from what this server can do, since the slow one is not there to compare with.
    return [first, await slice({ ...order, rate: arrivals * first.rate })]
  }
  const tests = testDuringLoad(context, { server, label: name, running: () => running })
  const [reports, said] = await Promise.all([slices().finally(() => { running = false }), tests])
  return { reports, found: [said, ...reports.map((report) => findingsOf(server, report))] }
}
