import { runCheck } from '../../check/index.js'
import { afterEvent, noProgress } from '../../report/index.js'
import { inTurn } from '../../system/index.js'

/**
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { WatchState } from '../../report/index.js'
 */

/**
 * A first look at a learner's server, shown while it goes on.
 *
 * @param {LoadedLesson} entry
 * @param {object} given
 * @param {WatchState} given.state learns what goes on
 * @param {(state: WatchState) => void} given.show
 * @param {AbortSignal} given.signal
 * @returns {Promise<{ record: ResultRecord, durationMs: number }>} durationMs: without the waiting for others
 */
export async function lookAt (entry, { state, show, signal }) {
  const change = (/** @type {Partial<WatchState>} */ news) => show(Object.assign(state, news))
  change({ activity: 'looking', progress: noProgress })
  const tell = (/** @type {string} */ sentence) => change({ activity: 'waiting', notes: [sentence] })
  const dir = entry.workspaceDir
  return inTurn({ about: { kind: 'look', entry, dir }, tell, signal }, async (publish) => {
    if (state.activity === 'waiting') change({ activity: 'looking', notes: [] })
    const startedAt = performance.now()
    const onProgress = (/** @type {CheckProgress} */ event) => {
      publish(event)
      change({ progress: afterEvent(state.progress, event) })
    }
    const record = await runCheck({ entry, dir, speed: 'first', onProgress, signal })
    publish({ type: 'record', record })
    return { record, durationMs: performance.now() - startedAt }
  })
}
