import { watchChanges } from '../workspace/index.js'

/**
 * Tells of saves in the learner's copies of the lessons that were shown last.
 *
 * @import { LessonEntry } from '../lesson/index.js'
 *
 * @typedef {object} Saves
 * @property {(entry: LessonEntry) => void} watch
 * @property {(entry: LessonEntry) => void} restart we made its copy: that isn't a save
 * @property {() => Promise<void>} close
 */

/** A learner may have a few lessons open at once; each costs a look at a handful of files. */
const mostLessons = 3

/**
 * @param {object} given
 * @param {(entry: LessonEntry, file: string) => void} given.onSave file: relative to the copy
 * @param {(entry: LessonEntry) => boolean} given.isRunning is the server of that copy running?
 * @returns {Saves}
 */
export function createSaves ({ onSave, isRunning }) {
  /** By id, the one shown last at the end. @type {Map<string, ReturnType<typeof watchChanges>>} */
  const watched = new Map()
  const end = async (/** @type {string | undefined} */ id) => {
    if (id === undefined) return
    const watch = watched.get(id)
    watched.delete(id)
    const changes = await watch
    changes?.close()
  }
  const begin = (/** @type {LessonEntry} */ entry) => watchChanges({
    dir: entry.workspaceDir,
    onChange: (file) => onSave(entry, file),
    isRunning: () => isRunning(entry)
  })
  return {
    watch: (entry) => {
      const watch = watched.get(entry.id) ?? begin(entry)
      watched.delete(entry.id)
      watched.set(entry.id, watch)
      if (watched.size > mostLessons) end([...watched.keys()][0])
    },
    restart: (entry) => {
      if (!watched.has(entry.id)) return
      end(entry.id)
      watched.set(entry.id, begin(entry))
    },
    close: async () => { await Promise.all([...watched.keys()].map(end)) }
  }
}
