import nodeFs from 'node:fs/promises'
import { fingerprintOf, startingPointOf } from '../lesson/index.js'
import { changeNotes } from './progress-file.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/**
 * Remembers that the learner's copy was made from today's slow server. A failure does no harm.
 *
 * @param {LessonEntry} entry
 * @param {typeof nodeFs} [fs]
 */
export async function noteStart (entry, fs = nodeFs) {
  const startedFrom = fingerprintOf(startingPointOf(entry))
  await changeNotes(entry, () => ({ startedFrom }), { fs }).catch(() => {})
}
