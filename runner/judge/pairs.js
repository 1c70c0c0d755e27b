/**
 * The two servers of the rounds, started and stopped together.
 *
 * @typedef {import('../server/start.js').Server} Server
 *
 * @typedef {object} Pair
 * @property {Server} baseline
 * @property {Server} yours
 * @property {number} number
 * @property {Map<import('../catalogue/lesson.js').Stream, number>} capacity answers a second that the baseline of this
 *   pair was last seen to give, by stream
 */

/**
 * @param {Pick<import('./rounds.js').RoundsGiven, 'crew' | 'generator' | 'slow' | 'submission'>} given
 * @param {import('./verdict.js').Evidence} evidence learns of servers that do not start
 */
export function createPairs ({ crew, generator, slow, submission }, evidence) {
  let started = 0
  let output = ''
  return {
    /** @returns {Promise<Pair | null>} */
    start: async () => {
      const [baseline, yours] = await Promise.all([crew.start('baseline', slow), crew.start('yours', submission)])
      if (baseline.failure !== null) evidence.baselineFailures.push(baseline.failure)
      if (yours.failure !== null) {
        evidence.startFailure = `Started once more, your server failed: ${yours.failure}`
        output = yours.output
      }
      if (!baseline.server || !yours.server) return null
      return { baseline: baseline.server, yours: yours.server, number: ++started, capacity: new Map() }
    },
    /** @param {Pair} pair */
    stop: async (pair) => {
      output = pair.yours.output()
      await Promise.all([crew.stop(pair.baseline), crew.stop(pair.yours), generator.forget(`baseline#${pair.number}`), generator.forget(`yours#${pair.number}`)])
    },
    /** What the submission wrote. */
    output: () => output
  }
}
