import { createStandings, isSound, newEvidence, summariseLoad } from '../../judge/index.js'
import { judgedOn } from '../../system/index.js'
import { createPairs } from './pairs.js'
import { seeWaterfall } from './record-waterfall.js'
import { runRound } from './round.js'

/**
 * @import { Round, Slice } from '../../judge/index.js'
 * @import { Context, RoundsOutcome } from '../context.js'
 */

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
