import fs from 'node:fs'
import path from 'node:path'

/**
 * The first file that was written, replaced or removed since then. Nobody can set back the time that is looked at
 * (ctime), so one look at the end is enough.
 *
 * @param {string} folder
 * @param {number} sinceMs
 * @returns {string | null} the file, or the folder from which one was removed
 */
export function changedSince (folder, sinceMs) {
  try {
    if (fs.lstatSync(folder).ctimeMs > sinceMs) return folder
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      // Caches of tools: no server reads them.
      if (entry.name.startsWith('.')) continue
      const place = path.join(folder, entry.name)
      const changed = entry.isDirectory() ? changedSince(place, sinceMs) : fs.lstatSync(place).ctimeMs > sinceMs ? place : null
      if (changed !== null) return changed
    }
    return null
  } catch {
    return folder
  }
}
