import { setTimeout as sleep } from 'node:timers/promises'
import { followTurn, measuring } from '../../process/index.js'

/**
 * @import { Job } from './job.js'
 * @import { NewestJob } from './newest-job.js'
 */

/** No event announces a measurement, so we poll. */
const lookEveryMs = 1000

/**
 * Shows what terminals measure on this machine as jobs, one after the other, until `signal` aborts.
 *
 * @param {NewestJob} newest
 * @param {(dir: string) => Promise<string | null>} slugOf of the lesson whose copy lies there
 * @param {AbortSignal} signal
 */
export async function followTerminal (newest, slugOf, signal) {
  while (!signal.aborted) {
    /** @type {Promise<Job | null>} */
    let job = Promise.resolve(null)
    // It ended by itself.
    let isWhole = false
    const begin = async (/** @type {any} */ { kind, dir, comparison }) => {
      const lesson = kind === 'compare' ? '' : await slugOf(dir)
      return lesson === null || newest.isActive()
        ? null
        : newest.begin({ kind, lesson, comparison, state: 'running', elsewhere: true })
    }
    const onLine = (/** @type {any} */ line) => {
      if (line?.type === 'job' && line.pid !== process.pid) {
        isWhole = line.kind === 'bench' || line.kind === 'profile'
        job = begin(line)
        return
      }
      const isRecord = line?.type === 'record'
      isWhole ||= isRecord
      job = job.then((known) => {
        if (known) newest.tell(known, isRecord ? 'record' : 'progress', isRecord ? line.record : line)
        return known
      })
    }
    await followTurn(measuring, { onLine, signal }).catch(() => {})
    const known = await job.catch(() => null)
    if (known) await newest.end(known, { state: isWhole ? 'done' : 'cancelled' })
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {})
  }
}
