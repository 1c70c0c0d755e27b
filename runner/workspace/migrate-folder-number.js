import path from 'node:path'
import { exists } from './exists.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/**
 * Renames the learner's copy and results when an update has renumbered the lesson: its slug is permanent.
 *
 * @param {Pick<LessonEntry, 'id' | 'folder' | 'workspaceDir'>} entry
 * @param {Pick<typeof import('node:fs/promises'), 'stat' | 'readdir' | 'rename'>} fs
 */
export async function followNumber ({ id, folder, workspaceDir }, fs) {
  const workspace = path.dirname(workspaceDir)
  const results = path.join(workspace, 'results')
  for (const [parent, ending] of [[workspace, ''], [results, '.json'], [results, '.best.json']]) {
    if (await exists(path.join(parent, folder + ending), fs)) continue
    const rest = `-${id}${ending}`
    const names = await fs.readdir(parent).catch(() => [])
    const before = names.find((name) => name.endsWith(rest) && /^\d{2,}$/.test(name.slice(0, -rest.length)))
    if (before === undefined) continue
    // If this fails, another process has done it.
    await fs.rename(path.join(parent, before), path.join(parent, folder + ending)).catch(() => {})
  }
}
