import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { WorkshopError } from '../errors.js'
import { passedEnvironment, spawnHelper } from '../session/index.js'
import { shownPath } from '../shown-path.js'
import { removeGroups, startIn } from '../sandbox/index.js'
import { inTurn, makeTemporary } from '../system/index.js'

/**
 * One submission, checked again by us: in a separate process, in a sandbox.
 *
 * @import { CheckProgress, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Sandbox } from '../sandbox/index.js'
 *
 * @typedef {object} Regraded
 * @property {ResultRecord} record
 * @property {Pick<Sandbox, 'kind' | 'enforced' | 'missing'>} sandbox
 * @property {boolean} verified it ran in a sandbox
 *
 * @typedef {object} RegradeOptions
 * @property {LoadedLesson} lesson
 * @property {string} dir the submission's folder
 * @property {string} [seed] repeats the inputs of an earlier run
 * @property {boolean} [speed] false: only whether every answer is right
 * @property {number} [budgetMs] how long the rounds may take
 * @property {Sandbox} sandbox of `probeSandbox`
 * @property {AbortSignal} signal
 * @property {(event: CheckProgress) => void} [onProgress]
 */

/** No check takes so long, even on a slow machine, ms. */
const mostMs = 5 * 60_000

/**
 * Waits for its turn, then checks the submission as `npm run check` does, without looking inside the servers. Whatever
 * the submission does, all that was started is stopped before this returns or throws.
 *
 * @param {RegradeOptions} options
 * @returns {Promise<Regraded>}
 * @throws {WorkshopError} there is nothing to grade, or the submission kept the check from reaching a verdict; or the
 *   signal's reason
 */
export async function regrade ({ lesson: entry, dir, sandbox, signal, onProgress = () => {}, ...given }) {
  if (!fs.lstatSync(path.join(dir, entry.file), { throwIfNoEntry: false })?.isFile()) {
    throw new WorkshopError(`There is no ${entry.file} in ${shownPath(dir)}, or it’s a link: hand in the file itself.`)
  }
  const tell = (/** @type {string} */ text) => onProgress({ type: 'phase', phase: 'start', text })
  const order = { entry: plain(entry), dir: path.resolve(dir), sandbox, ...given }
  const record = await inTurn({ about: { kind: 'check', entry, dir }, tell, signal }, () =>
    inSandbox(order, { signal, onProgress }))
  const { kind, enforced, missing } = sandbox
  return {
    record: { ...record, submission: shownPath(dir) },
    sandbox: { kind, enforced, missing },
    verified: kind !== 'none'
  }
}

/** Without its functions, which no message can carry. @param {LoadedLesson} entry */
function plain ({ lesson, file, ...entry }) {
  return entry
}

/**
 * @param {{ sandbox: Sandbox } & Record<string, unknown>} order
 * @param {Required<Pick<RegradeOptions, 'signal' | 'onProgress'>>} options
 * @returns {Promise<ResultRecord>}
 */
async function inSandbox (order, { signal, onProgress }) {
  const folder = await makeTemporary()
  const run = path.basename(folder.dir)
  const helper = spawnHelper({
    file: fileURLToPath(new URL('submission-process.js', import.meta.url)),
    name: 'The re-grading',
    env: { ...passedEnvironment(), TMPDIR: folder.dir },
    through: order.sandbox.kind === 'none' ? undefined : startIn(order.sandbox, run, folder.dir),
    signal
  })
  helper.child.on('message', (/** @type {any} */ { progress }) => { if (progress) onProgress(progress) })
  try {
    const { record, problem } = await helper.ask('grade', { ...order, run }, mostMs)
    if (problem !== undefined) throw new WorkshopError(problem)
    return record
  } catch (error) {
    if (signal.aborted || error instanceof WorkshopError) throw error
    throw new WorkshopError(`The submission got no verdict. ${error.message.split('\n')[0]}`, { cause: error })
  } finally {
    await helper.close()
    await removeGroups(order.sandbox.hierarchies, run)
    await folder.remove()
  }
}
