import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../errors.js'
import { jobName, readJobName } from './rules.js'

/**
 * The queue's way to workers elsewhere: BullMQ carries the names of jobs, and nothing else. The store is the truth, so
 * Redis may lose all of it at any time.
 *
 * @import { Ticket } from './rules.js'
 * @import { Outcome } from './worker.js'
 *
 * @typedef {object} Announcer
 * @property {(waiting: readonly (Ticket & { round: number })[]) => void} announce again and again: what is known stays
 * @property {() => Promise<void>} close
 */

/** A job that is known by its name isn't added twice, even for so long after its end, s. */
const keptSeconds = 3600
/** Another worker may take it by then. */
const unfitMs = 5000
const mostPriority = 2 ** 21
/** A Redis that is gone isn't waited for any longer. */
const closeMs = 1000

/** One queue a room. @param {string} secret of its workers */
function nameOf (secret) {
  return `make-it-fast-${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`
}

/**
 * @param {{ url: string, secret: string, onFault: (error: Error) => void }} given
 * @returns {Promise<Announcer>}
 */
export async function openRedis ({ url, secret, onFault }) {
  const { Queue, Redis } = await importLibraries()
  // Ours, because the library's own way to close waits for a Redis that is gone.
  const connection = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  connection.on('error', onFault)
  const queue = new Queue(nameOf(secret), { connection, skipMetasUpdate: true })
  queue.on('error', onFault)
  /** @type {Map<string, number>} */
  const pending = new Map()
  let isBusy = false
  const flush = async () => {
    if (isBusy || connection.status !== 'ready') return
    isBusy = true
    try {
      while (pending.size > 0) {
        const batch = [...pending]
        await queue.addBulk(batch.map(([jobId, round]) => ({ name: 'grade', data: {}, opts: optionsOf(jobId, round) })))
        for (const [jobId] of batch) pending.delete(jobId)
      }
    } catch (error) {
      // The reconciler brings all of them again.
      pending.clear()
      onFault(error)
    } finally {
      isBusy = false
    }
  }
  connection.on('ready', flush)
  return {
    announce: (waiting) => {
      for (const one of waiting) pending.set(jobName(one), one.round)
      flush()
    },
    close: async () => {
      pending.clear()
      connection.disconnect()
    }
  }
}

/** @param {string} jobId @param {number} round */
function optionsOf (jobId, round) {
  return {
    jobId,
    priority: Math.min(round, mostPriority),
    attempts: 3,
    backoff: { type: 'fixed', delay: 1000 },
    removeOnComplete: { age: keptSeconds },
    // So that the reconciler can bring it again.
    removeOnFail: true
  }
}

/**
 * Takes one job after the other, until the signal.
 *
 * @param {object} given
 * @param {string} given.url
 * @param {string} given.secret
 * @param {(ticket: Ticket) => Promise<Outcome>} given.take
 * @param {AbortSignal} given.signal
 * @param {(error: Error) => void} given.onFault
 */
export async function followRedis ({ url, secret, take, signal, onFault }) {
  const { DelayedError, Worker } = await importLibraries()
  const worker = new Worker(nameOf(secret), async (job, token) => {
    const ticket = readJobName(job.id ?? '')
    if (ticket === null || signal.aborted || await take(ticket) !== 'unfit') return
    await job.moveToDelayed(Date.now() + unfitMs, token)
    throw new DelayedError()
  }, {
    connection: { url, maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(200 * times, 2000) },
    concurrency: 1
  })
  worker.on('error', onFault)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await Promise.race([worker.close(true).catch(() => {}), sleep(closeMs, undefined, { ref: false })])
}

async function importLibraries () {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')])
    return { ...bullmq, Redis }
  } catch (error) {
    throw new WorkshopError('REDIS_URL needs the packages bullmq and ioredis, which aren’t installed here: run ' +
      '`npm ci` in the folder of the workshop, without --omit=dev.', { cause: error })
  }
}
