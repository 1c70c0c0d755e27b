import { checkSyntax, isUnchanged, runCheck } from '../../check/index.js'
import { afterEvent, noProgress } from '../../report/index.js'
import { inTurn } from '../../system/index.js'

/**
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { WatchState } from '../../report/index.js'
 */

/**
 * A look at a learner's server, shown while it goes on.
 *
 * @param {LoadedLesson} entry
 * @param {object} given
 * @param {WatchState} given.state learns what goes on
 * @param {(state: WatchState) => void} given.show
 * @param {AbortSignal} given.signal
 * @returns {Promise<{ record: ResultRecord, durationMs: number, isUnchanged: boolean }>} durationMs: without the
 *   waiting for others
 */
export async function lookAt (entry, { state, show, signal }) {
  const change = (/** @type {Partial<WatchState>} */ news) => show(Object.assign(state, news))
  const number = state.looks + 1
  change({ activity: 'looking', progress: noProgress, looks: number })
  const dir = entry.workspaceDir
  const begunAt = performance.now()
  const broken = await checkSyntax({ entry, dir, signal })
  if (broken) return { record: broken, durationMs: performance.now() - begunAt, isUnchanged: false }
  const tell = (/** @type {string} */ sentence) => {
    change({ activity: 'waiting', waiting: { what: `Look ${number}`, sentence, since: Date.now() } })
    return () => change({ activity: 'looking', waiting: null })
  }
  return inTurn({ about: { kind: 'look', entry, dir }, tell, signal }, async (publish) => {
    const startedAt = performance.now()
    const onProgress = (/** @type {CheckProgress} */ event) => {
      publish(event)
      change({ progress: afterEvent(state.progress, event) })
    }
    const unchanged = isUnchanged(entry, dir)
    const record = await runCheck({ entry, dir, speed: 'first', onProgress, signal })
    publish({ type: 'record', record })
    return { record, durationMs: performance.now() - startedAt, isUnchanged: unchanged && isUnchanged(entry, dir) }
  })
}
