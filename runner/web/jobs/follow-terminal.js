import { setTimeout as sleep } from 'node:timers/promises'
import { followTurn, measuring } from '../../system/index.js'

/**
 * @import { Announced } from '../../system/index.js'
 * @import { Job } from './job.js'
 */

/** Nobody tells us that a measurement begins: we look so often. */
const lookEveryMs = 1000

/**
 * Follows what others measure on this machine, one after the other, until `signal` aborts.
 *
 * @param {object} given
 * @param {(announced: Announced) => Promise<Job | null>} given.onStart null: it is none of ours
 * @param {(job: Job, line: any) => void} given.onLine
 * @param {(job: Job, isWhole: boolean) => Promise<unknown>} given.onEnd isWhole: it was not broken off
 * @param {AbortSignal} given.signal
 */
export async function followOthers ({ onStart, onLine, onEnd, signal }) {
  while (!signal.aborted) {
    /** @type {Promise<Job | null>} */
    let job = Promise.resolve(null)
    let isWhole = false
    const hear = (/** @type {any} */ line) => {
      if (line?.type === 'job' && line.pid !== process.pid) {
        isWhole = line.kind === 'bench' || line.kind === 'profile'
        job = onStart(line)
      } else {
        if (line?.type === 'record') isWhole = true
        job = job.then((known) => {
          if (known) onLine(known, line)
          return known
        })
      }
    }
    await followTurn(measuring, { onLine: hear, signal }).catch(() => {})
    const known = await job.catch(() => null)
    if (known) await onEnd(known, isWhole)
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {})
  }
}
