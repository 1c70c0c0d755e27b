import nodeFs from 'node:fs/promises'
import { fingerprintOf, startingPointOf } from '../lesson/index.js'
import { changeNotes } from './progress-file.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/**
 * Remembers of which slow server the learner's copy is one: of today's. It does no harm if this can't be remembered.
 *
 * @param {LessonEntry} entry
 * @param {typeof nodeFs} [fs]
 */
export async function noteStart (entry, fs = nodeFs) {
  const startedFrom = fingerprintOf(startingPointOf(entry))
  await changeNotes(entry, () => ({ startedFrom }), { fs }).catch(() => {})
}
