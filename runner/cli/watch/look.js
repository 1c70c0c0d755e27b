import { runCheck } from '../../check/index.js'
import { afterEvent, noProgress } from '../../report/index.js'
import { inTurn } from '../turn.js'

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
  const onProgress = (/** @type {CheckProgress} */ event) => change({ progress: afterEvent(state.progress, event) })
  const tell = (/** @type {string} */ sentence) => change({ activity: 'waiting', notes: [sentence] })
  return inTurn({ about: `a first look at lesson ${entry.number}`, tell, signal }, async () => {
    if (state.activity === 'waiting') change({ activity: 'looking', notes: [] })
    const startedAt = performance.now()
    const record = await runCheck({ entry, dir: entry.workspaceDir, speed: 'first', onProgress, signal })
    return { record, durationMs: performance.now() - startedAt }
  })
}
