import { errorMessage } from '../error-message.js'
import { handlers } from './handlers.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Job } from './job.js'
 * @import { NewestJob } from './newest-job.js'
 */

/**
 * Runs a job of ours to its end, which the job itself tells.
 *
 * @param {object} given
 * @param {Job} given.job
 * @param {NewestJob} given.newest
 * @param {LoadedLesson} given.entry
 * @param {(entry: LoadedLesson) => Promise<string>} given.openCopy the folder of the learner's copy
 * @param {Promise<void>} [given.before] the end of the job before it, which is waited for
 * @param {AbortSignal} given.signal
 */
export async function runJob ({ job, newest, entry, openCopy, before, signal }) {
  await before
  const { kind, tool, more } = job
  try {
    const { record, isStopped = false, ...rest } = await handlers[kind]({
      entry,
      dir: await openCopy(entry),
      tool,
      more,
      onStart: () => newest.change(job, { state: 'running', message: '' }),
      onProgress: (event) => newest.tell(job, 'progress', event),
      say: (message) => newest.change(job, { message }),
      signal
    })
    if (record) newest.tell(job, 'record', record)
    await newest.end(job, { state: isStopped ? 'cancelled' : 'done', ...rest })
  } catch (error) {
    await newest.end(job, signal.aborted
      ? { state: 'cancelled', message: 'Stopped. Nothing is left running.' }
      : { state: 'failed', message: errorMessage(error) })
  }
}
