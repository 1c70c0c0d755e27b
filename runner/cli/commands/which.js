import { loadLesson, resolveLesson } from '../../lesson/index.js'
import { WorkshopError } from '../../errors.js'
import { openCopy } from '../../workspace/index.js'

/** @import { LoadedLesson } from '../../lesson/index.js' */

/**
 * Reads `lesson-3 [slow|mine|solution]` from a command line.
 *
 * @param {string[]} positionals
 * @param {{ env: NodeJS.ProcessEnv, usage: string, server?: string }} options server: a folder given by --server
 * @returns {Promise<{ entry: LoadedLesson, dir: string, which: string }>}
 * @throws {WorkshopError}
 */
export async function findEntry ([name, which = 'mine', ...surplus], { env, usage, server }) {
  if (!name || surplus.length > 0) throw new WorkshopError(`Say which lesson, one at a time: ${usage}`)
  const entry = await loadLesson(await resolveLesson(name, { env }))
  if (server !== undefined) return { entry, dir: server, which: server }
  switch (which) {
    case 'slow':
      if (entry.lesson.check !== undefined) {
        throw new WorkshopError(
          `Lesson ${entry.number} is about ${entry.file}, not about a server: say mine or solution.`
        )
      }
      return { entry, dir: entry.slowDir, which: 'the slow server' }
    case 'solution':
      return { entry, dir: entry.solutionDir, which: 'the solution' }
    case 'mine':
      return {
        entry,
        dir: (await openCopy(entry)).dir,
        which: `your ${entry.lesson.check?.writes ?? 'server'}`
      }
    default:
      throw new WorkshopError(`“${which}” isn’t slow, mine or solution: ${usage}`)
  }
}
