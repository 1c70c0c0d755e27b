import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../../runner/shared/errors.js'
import { jobName, leaseMs } from './submission-table.js'

/**
 * The queue's way to workers on other machines: BullMQ over Redis. The room's table stays the truth. A few jobs at a
 * time are handed over, in its order, and each outcome is taken once, by its token; so Redis may lose all at any time.
 *
 * @import { Job, Outcome, Work } from './submission-table.js'
 * @import { Worker } from './worker.js'
 *
 * @typedef {object} Engine
 * @property {() => void} feed something waits now
 * @property {() => Promise<void>} close
 */

/** One for all rooms: a worker grades for every room of its Redis. */
const queueName = 'make-it-fast'
/** On which workers say that they are there, and that there is something to be looked at. */
const channel = 'make-it-fast-workers'
const presenceMs = 5000
/** What no room takes any more, s: it was restored from a copy, or deleted. */
const keptSeconds = 24 * 3600
/** What a worker can't grade waits for so long, and that worker waits twice as long: another one takes it by then. */
const unfitMs = 500
/** A Redis that is gone isn't waited for any longer. */
const closeMs = 2000

const usualTimes = {
  tickMs: 5000,
  /** After so long without Redis, what it has is graded elsewhere: before the leases are over. */
  cutMs: leaseMs * 3 / 4,
  lockMs: leaseMs,
  stalledMs: 15_000
}

/** Before the next attempt to connect. @param {number} times */
const pauseMs = (times) => Math.min(200 * times, 2000)

/**
 * The room's side.
 *
 * @param {object} given
 * @param {string} given.url
 * @param {string} given.room its name among all that share this Redis
 * @param {Work} given.work
 * @param {(sentence: string) => void} given.tell
 * @param {(isCut: boolean) => void} given.noteCut
 * @param {Partial<typeof usualTimes>} [given.times]
 * @returns {Promise<Engine>}
 */
export async function openRedis ({ url, room, work, tell, noteCut, times }) {
  const { tickMs, cutMs } = { ...usualTimes, ...times }
  const { Queue, Redis } = await importLibraries()
  // Ours, because the library's own way to close waits for a Redis that is gone.
  const connection = new Redis(url, {
    enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5000, retryStrategy: pauseMs
  })
  const hearing = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: pauseMs })
  const queue = new Queue(queueName, { connection, skipMetasUpdate: true })
  let why = ''
  for (const one of [hearing, queue]) one.on('error', () => {})
  connection.on('error', ({ message }) => { why = message })
  /** @type {Handed} */
  const handed = new Map(work.held().map((job) => [jobName(room, job), { ...job, worker: null }]))
  const sides = { queue, work, handed, room }
  const look = createLoop({
    look: async (name) => {
      if (connection.status !== 'ready') throw new Error(why)
      if (name === undefined) await feed(sides)
      else await lookAt(sides, name)
    },
    tell,
    noteCut,
    onLong: () => {
      for (const job of handed.values()) {
        try { work.settle({ ...job, outcome: { isGivenBack: true } }) } catch (error) { tell(error.message) }
      }
    },
    quietMs: tickMs / 2,
    cutMs
  })
  const lookAtAll = () => { look(handed.keys()) }
  connection.on('ready', lookAtAll)
  hearing.on('message', (_, text) => {
    const said = readPresence(text)
    if (said === null) return
    work.noteWorker(said)
    look(handed.has(said.job) ? [said.job] : [])
  })
  hearing.on('ready', () => { hearing.subscribe(channel).catch(() => {}) })
  const ticking = setInterval(lookAtAll, tickMs)
  return {
    feed: () => { look([]) },
    close: async () => {
      clearInterval(ticking)
      connection.disconnect()
      hearing.disconnect()
    }
  }
}

/** @param {string} text @returns {any} null: no worker says this */
function readPresence (text) {
  try {
    const said = JSON.parse(text)
    return typeof said?.worker === 'string' && said.worker !== '' ? said : null
  } catch {
    return null
  }
}

/**
 * Looks at jobs, then hands over more; one thing after the other.
 *
 * @param {object} given
 * @param {(name?: string) => Promise<void>} given.look at that job; without a name, whether more can be handed over
 * @param {(sentence: string) => void} given.tell
 * @param {(isCut: boolean) => void} given.noteCut
 * @param {() => void} given.onLong it has been cut for so long
 * @param {number} given.quietMs nothing is said of a shorter silence
 * @param {number} given.cutMs
 */
function createLoop ({ look, tell, noteCut, onLong, quietMs, cutMs }) {
  /** @type {Set<string>} */
  const wanted = new Set()
  let [isBusy, isAgain, heardAt, isCut] = [false, false, Date.now(), false]
  const noteHeard = (/** @type {boolean} */ isHeard, why = '') => {
    if (isHeard) heardAt = Date.now()
    else if (Date.now() - heardAt < quietMs) return
    if (isHeard === isCut) {
      isCut = !isHeard
      noteCut(isCut)
      tell(isCut
        ? `Redis doesn’t answer: other machines get no submissions until it does. Nothing is lost. ${why}`
        : 'Redis answers again.')
    }
    if (Date.now() - heardAt >= cutMs) onLong()
  }
  return async (/** @type {Iterable<string>} */ names) => {
    for (const name of names) wanted.add(name)
    isAgain = true
    if (isBusy) return
    isBusy = true
    try {
      while (isAgain) {
        isAgain = false
        for (const name of wanted) {
          wanted.delete(name)
          await look(name)
        }
        await look()
      }
      noteHeard(true)
    } catch (error) {
      wanted.clear()
      // The room itself couldn't keep something: the next round tries again.
      if (error.status !== undefined) tell(error.message)
      else noteHeard(false, error.message)
    } finally {
      isBusy = false
    }
  }
}

/**
 * Looks what has become of a job.
 *
 * @typedef {Map<string, Job & { worker: string | null }>} Handed by name
 * @typedef {{ queue: import('bullmq').Queue, work: Work, handed: Handed, room: string }} Sides
 *
 * @param {Sides} sides
 * @param {string} name
 */
async function lookAt ({ queue, work, handed }, name) {
  const job = handed.get(name)
  if (job === undefined) return
  const isOurs = work.renew(job)
  const state = await queue.getJobState(name)
  if (state === 'unknown') {
    if (isOurs) await add(queue, name, { ...job, files: work.filesOf(job.id) })
    else handed.delete(name)
    return
  }
  const there = await queue.getJob(name)
  const worker = there?.processedBy ?? null
  const isLost = state === 'failed' || state === 'active' || there?.deferredFailure !== undefined
  /** @type {Outcome} */
  const outcome = isLost ? { failure: `Its worker stopped answering: ${worker}` } : { isGivenBack: true }
  if (isOurs && worker !== null && worker !== job.worker) work.begin({ ...job, worker })
  job.worker = worker
  if (isOurs && (state === 'completed' || state === 'failed')) {
    work.settle({ ...job, outcome: state === 'failed' ? outcome : there?.returnvalue })
  } else if (isOurs && !isUntaken(work.workers(), job.lesson)) return
  // A job that a worker has can't be removed: it's looked at again.
  if (await queue.remove(name) !== 1) return
  handed.delete(name)
  work.settle({ ...job, outcome })
}

/** None of them takes that lesson. @param {ReturnType<Work['workers']>} workers @param {string} lesson */
function isUntaken (workers, lesson) {
  return workers.every(({ unfit }) => unfit.includes(lesson))
}

/** One job more than there are workers, so that none of them waits. @param {Sides} sides */
async function feed ({ queue, work, handed, room }) {
  const workers = work.workers()
  const without = workers[0]?.unfit.filter((lesson) => isUntaken(workers, lesson))
  while (workers.length > 0 && handed.size <= workers.length) {
    const job = work.claim({ worker: 'Redis', without })
    if (job === null) return
    const name = jobName(room, job)
    handed.set(name, { ...job, files: [], worker: null })
    await add(queue, name, job)
  }
}

/** @param {import('bullmq').Queue} queue @param {string} jobId @param {Job} job */
async function add (queue, jobId, { lesson, files }) {
  const age = { age: keptSeconds }
  await queue.add('grade', { lesson, files }, { jobId, removeOnComplete: age, removeOnFail: age })
}

/**
 * A worker's side: takes one job after the other, until the signal.
 *
 * @param {object} given
 * @param {string} given.url
 * @param {Worker} given.worker
 * @param {AbortSignal} given.signal
 * @param {(error: Error) => void} given.onFault
 * @param {Partial<typeof usualTimes>} [given.times]
 */
export async function followRedis ({ url, worker, signal, onFault, times }) {
  const { lockMs, stalledMs } = { ...usualTimes, ...times }
  const { DelayedError, Redis, Worker } = await importLibraries()
  const speaking = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, retryStrategy: pauseMs })
  const say = (/** @type {string | undefined} */ job) => {
    speaking.publish(channel, JSON.stringify({ ...worker.about(), job })).catch(() => {})
  }
  const current = { isBusy: false }
  const engine = new Worker(queueName, async (job, token, lost) => {
    current.isBusy = true
    say(job.id)
    const outcome = await worker.take(job.data, lost ?? signal)
    if (!('isUnfit' in outcome)) return outcome
    current.isBusy = false
    await job.moveToDelayed(Date.now() + unfitMs, token)
    await sleep(2 * unfitMs, undefined, { signal }).catch(() => {})
    throw new DelayedError()
  }, {
    // A Redis that is gone isn't waited for when this ends.
    connection: { url, maxRetriesPerRequest: null, retryStrategy: (times) => signal.aborted ? null : pauseMs(times) },
    name: worker.about().worker,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
    // The room decides whether a lost job is tried again.
    maxStalledCount: 0,
    runRetryDelay: 1000
  })
  engine.on('lockRenewalFailed', (jobs) => { for (const job of jobs) engine.cancelJob(job) })
  const noteEnd = (/** @type {{ id?: string } | undefined} */ job) => {
    current.isBusy = false
    say(job?.id)
  }
  engine.on('completed', noteEnd).on('failed', noteEnd)
  for (const one of [speaking, engine]) one.on('error', onFault)
  speaking.on('ready', () => say(undefined))
  const presence = setInterval(() => say(undefined), Math.min(presenceMs, lockMs / 4))
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await engine.pause(true)
  // Until it has given back what it had.
  for (const end = Date.now() + closeMs; current.isBusy && Date.now() < end;) await sleep(20)
  // The library's own way to wait never ends if Redis is gone.
  await engine.close(true)
  clearInterval(presence)
  speaking.disconnect()
}

/**
 * @param {string | undefined} given
 * @returns {string} an address of Redis
 * @throws {WorkshopError} it's none; doesn't repeat it, because it may hold a password
 */
export function readRedisUrl (given) {
  if (given !== undefined && URL.canParse(given) && /^rediss?:$/.test(new URL(given).protocol)) return given
  throw new WorkshopError('Say where Redis is, as in REDIS_URL=rediss://:PASSWORD@redis.example:6379 (without TLS: ' +
    'redis://).')
}

async function importLibraries () {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')])
    return { ...bullmq, Redis }
  } catch (error) {
    throw new WorkshopError('Redis needs the packages bullmq and ioredis, which aren’t installed here: run ' +
      '`npm ci` in the folder of the workshop, without --omit=dev.', { cause: error })
  }
}
