import { createStandings, unchangedGates } from '../judge/index.js'
import { judgedOn } from '../process/index.js'
import { testContract } from './contract.js'
import { seeWaterfall, startMeasurement } from './round.js'

/**
 * About how fast a server is now, from one round of the lesson's first gate. Every answer is verified; the ratio is no
 * verdict.
 *
 * @import { Evidence, GateResult } from '../judge/index.js'
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
  const { lesson } = context
  const machine = judgedOn()
  const known = (/** @type {GateResult[]} */ gates) => unchangedGates(lesson.gates, machine, gates)
  if (known(createStandings(lesson, machine).judge([])) === null) return null
  const { outcome } = await measureOneRound(context, (gates) => known(gates) ?? [])
  return { found: [outcome.evidence], outcome }
}

/**
 * @param {Context} context
 * @param {(gates: GateResult[]) => GateResult[]} judge what the round says of the gates
 */
async function measureOneRound (context, judge) {
  const { lesson, random, onProgress, phase, getGenerator } = context
  phase('warm-up', 'Starting both servers')
  await getGenerator()
  const measurement = startMeasurement(context, { draw: random.fork('first') })
  const { rounds, note, run, isSound } = measurement
  const pair = await measurement.start()
  const startedAt = performance.now()
  const standings = createStandings(lesson, judgedOn())
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
