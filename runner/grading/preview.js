import { checkSyntax, isUnchanged, runCheck } from '../check/index.js'
import { inTurn } from '../system/index.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { TurnOptions } from './turn-options.js'
 *
 * @typedef {object} Preview
 * @property {ResultRecord} record
 * @property {number} durationMs without the wait for the turn
 * @property {boolean} isUnchanged the code is still what learners start from
 */

/**
 * A preview of a learner's server in a few seconds: one round, and whether every answer is right. It decides nothing,
 * and nothing is saved.
 *
 * @param {TurnOptions} options
 * @returns {Promise<Preview>}
 */
export async function preview ({ entry, dir, where, onWait, onStart = () => {}, onProgress, signal }) {
  const askedAt = performance.now()
  const broken = await checkSyntax({ entry, dir, signal })
  if (broken !== null) return { record: broken, durationMs: performance.now() - askedAt, isUnchanged: false }
  return inTurn({ about: { kind: 'preview', entry, dir }, where, tell: onWait, signal }, async (publish) => {
    onStart()
    const startedAt = performance.now()
    const wasUnchanged = isUnchanged(entry, dir)
    const record = await runCheck({
      entry,
      dir,
      speed: 'preview',
      onProgress: (event) => {
        publish(event)
        onProgress(event)
      },
      signal
    })
    publish({ type: 'record', record })
    const durationMs = performance.now() - startedAt
    return { record, durationMs, isUnchanged: wasUnchanged && isUnchanged(entry, dir) }
  })
}
