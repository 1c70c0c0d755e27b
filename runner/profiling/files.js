import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { writeFileAtomic } from '../workspace/index.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/**
 * What our tools write. Nothing else goes, whatever it is called: a learner may have kept a report under another name.
 */
const ours = /^(\.html|\.json|\.txt|\.heapprofile|(\.\d+)?\.cpuprofile|\.(before|after)\.heapsnapshot)$/

/**
 * Where the reports of a lesson's servers lie.
 *
 * @param {Pick<LessonEntry, 'workspaceDir' | 'folder'>} entry
 */
export function reportsFolder ({ workspaceDir, folder }) {
  return path.join(path.dirname(workspaceDir), 'profiles', folder)
}

/**
 * @param {Pick<LessonEntry, 'workspaceDir' | 'folder'>} entry
 * @returns {{ file: string, name: string, madeAt: Date } | null} null: none was made
 */
export function newestReport (entry) {
  const dir = reportsFolder(entry)
  const names = fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => name.endsWith('.html')) : []
  const found = names.map((name) => ({
    file: path.join(dir, name),
    name,
    madeAt: fs.statSync(path.join(dir, name)).mtime
  }))
  return found.sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())[0] ?? null
}

/**
 * The files of one run of one tool: `workspace/profiles/02-leaking-listeners/mine-cpu.html`. What an earlier run of the
 * same tool left is removed when the new one begins to write.
 *
 * @typedef {object} ReportFiles
 * @property {string} dir
 * @property {(ending: string) => string} name path of the file with that ending: `.html`, `.2.cpuprofile`
 * @property {(ending: string, text: string) => Promise<string>} write atomically; resolves to the path
 *
 * @param {object} given
 * @param {string} given.folder of the lesson's profiles
 * @param {string} given.stem `mine-cpu`
 * @returns {ReportFiles}
 * @throws {WorkshopError} the folder cannot be written
 */
export function reportFiles ({ folder, stem }) {
  let isClean = false
  const prepare = () => {
    if (isClean) return
    fs.mkdirSync(folder, { recursive: true })
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const isOurs = entry.isFile() && entry.name.startsWith(stem) && ours.test(entry.name.slice(stem.length))
      if (isOurs) fs.rmSync(path.join(folder, entry.name), { force: true })
    }
    isClean = true
  }
  /** @template T @param {() => T} act @returns {T} */
  const orSay = (act) => {
    try {
      return act()
    } catch (error) {
      throw new WorkshopError(
        `The profile could not be written to ${folder} (${error.code ?? error.message}): make room there, or make ` +
          'the folder writable.',
        { cause: error }
      )
    }
  }
  return {
    dir: folder,
    name: (ending) => {
      orSay(prepare)
      return path.join(folder, `${stem}${ending}`)
    },
    write: async (ending, text) => {
      orSay(prepare)
      const file = path.join(folder, `${stem}${ending}`)
      try {
        await writeFileAtomic(file, text)
      } catch (error) {
        orSay(() => { throw error })
      }
      return file
    }
  }
}
