/**
 * The calls that one request makes to the upstream, asked of both servers while no other request is in flight.
 *
 * @import { WaterfallResult } from '../../judge/index.js'
 * @import { Call, Server } from '../../session/index.js'
 * @import { Pair } from './pairs.js'
 * @import { RoundsContext } from '../context.js'
 */

/** Not every request of a mixed load calls the upstream: this many are tried. */
const tries = 20

/**
 * @param {Pick<RoundsContext, 'lesson' | 'generator'>} context
 * @param {Pair} pair both idle
 * @returns {Promise<WaterfallResult | null>} null where no request needs more than one call
 */
export async function seeWaterfall ({ lesson, generator }, { baseline, yours }) {
  if (!lesson.upstream) return null
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
    await Promise.all([generator.forget('baseline#waterfall'), generator.forget('yours#waterfall')])
  }
}

/**
 * Pure.
 *
 * @param {readonly Call[]} calls
 * @returns {WaterfallResult['yours']} from the first call on
 */
export function barsOf (calls) {
  const start = Math.min(...calls.map(({ startMs }) => startMs))
  return calls.map(({ path, startMs, endMs }) => ({
    path,
    startMs: startMs - start,
    endMs: endMs === null ? null : endMs - start
  }))
}
