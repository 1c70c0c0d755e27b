/**
 * The two servers of the rounds, started and stopped together.
 *
 * @import { Evidence, Role } from '../../judge/index.js'
 * @import { Stream } from '../../lesson/index.js'
 * @import { Server } from '../../session/index.js'
 * @import { RoundsContext } from '../context.js'
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
