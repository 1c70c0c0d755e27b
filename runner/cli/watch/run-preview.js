import { preview } from '../../grading/index.js'
import { afterEvent, noProgress } from '../../report/index.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { WatchState } from '../../report/index.js'
 */

/**
 * A preview of a learner's server, shown as it runs.
 *
 * @param {LoadedLesson} entry
 * @param {object} given
 * @param {WatchState} given.state is updated
 * @param {(state: WatchState) => void} given.show
 * @param {AbortSignal} given.signal
 * @param {typeof preview} [given.look]
 */
export async function runPreview (entry, { state, show, signal, look = preview }) {
  const change = (/** @type {Partial<WatchState>} */ news) => show(Object.assign(state, news))
  const number = state.previews + 1
  change({ activity: 'busy', progress: noProgress, previews: number })
  return look({
    entry,
    dir: entry.workspaceDir,
    onWait: (sentence) => {
      const since = state.waiting?.since ?? Date.now()
      change({ activity: 'waiting', waiting: { what: `Look ${number}`, sentence, since } })
      return () => change({ activity: 'busy', waiting: null })
    },
    onProgress: (event) => change({ progress: afterEvent(state.progress, event) }),
    signal
  })
}
