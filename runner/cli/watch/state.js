import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createStandings } from '../../judge/index.js'
import { readHints } from '../../lesson/index.js'
import { judgedOn } from '../../process/index.js'
import { emptyWatch } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { readProgress, readUnfinished, sayOutdated } from '../../workspace/index.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { WatchState } from '../../report/index.js'
 *
 * @typedef {{ at: string, ratio: number, isRough: boolean }} PreviewRatio at: ISO 8601
 */

/** @param {LoadedLesson} entry @returns {Promise<WatchState>} */
export async function firstState (entry) {
  const { lesson, number, workspaceDir } = entry
  const file = path.join(workspaceDir, entry.file)
  const hints = await readHints(entry).catch(() => [])
  return {
    ...emptyWatch,
    lesson: { number, title: lesson.title },
    file: shownPath(file),
    link: pathToFileURL(file).href,
    targets: lesson.kind === 'load plan' ? [] : createStandings(lesson, judgedOn()).judge([]),
    hints: { shown: 0, total: hints.length }
  }
}

/**
 * Reads again what other commands may have changed.
 *
 * @param {WatchState} state
 * @param {LoadedLesson} entry
 * @param {readonly PreviewRatio[]} previews
 */
export async function refresh (state, entry, previews) {
  const { last, history, hints, state: standing, isOutdated } = await readProgress(entry)
  state.last = history.at(-1) ?? (last ? { at: last.startedAt, verdict: last.verdict, ratio: null } : null)
  const attempts = history.flatMap(({ at, ratio }) => ratio === null ? [] : [{ at, ratio, isPreview: false }])
  state.history = [...attempts, ...previews.map((preview) => ({ ...preview, isPreview: true }))]
    .sort((a, b) => a.at.localeCompare(b.at))
  state.hints = { ...state.hints, shown: Math.min(hints, state.hints.total) }
  state.isPassed = standing === 'pass'
  state.canGoOn = await readUnfinished(entry, entry.workspaceDir) !== null
  const outdated = sayOutdated(entry, isOutdated)
  if (outdated !== '' && !state.notes.includes(outdated)) state.notes = [...state.notes, outdated]
}
