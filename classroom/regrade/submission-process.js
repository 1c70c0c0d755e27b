import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { checkSyntax, runCheck } from '../../runner/check/index.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { loadLesson } from '../../runner/lesson/index.js'
import { serveOrders } from '../../runner/process/child.js'
import { launchIn } from './bubblewrap.js'
import { takeFiles } from './plain-files.js'

/**
 * The process that checks one submission: alone in the outer sandbox with all that the check starts, so that its
 * loopback is seen by none but these.
 */

serveOrders({
  grade: async ({ entry: found, dir: given, sandbox, run, disks, ...options }) => {
    try {
      const entry = await loadLesson(found)
      // Relative paths in the record say nothing about this machine.
      process.chdir(await mkdtemp(path.join(os.tmpdir(), 'taken-')))
      const dir = path.resolve('submission')
      await takeFiles(given, dir)
      const check = { ...options, entry, dir }
      const onProgress = (/** @type {object} */ progress) => { process.send?.({ progress }) }
      const onWait = (/** @type {object} */ wait) => { process.send?.({ wait }) }
      const launch = sandbox.kind === 'none' ? undefined : launchIn(sandbox, run, disks)
      // What records a server from inside would have to be let into its sandbox.
      const record = await checkSyntax(check)
      if (record !== null) return { record }
      const checked = await runCheck({ ...check, sampleInside: false, launch, onProgress, onWait })
      return { record: checked.record }
    } catch (error) {
      if (error instanceof WorkshopError) return { problem: error.message }
      throw error
    }
  }
})
