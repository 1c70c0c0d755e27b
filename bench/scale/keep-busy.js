import { setMaxListeners } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker, followRedis, gradeHere } from '../../classroom/queue/index.js'
import { openRoom } from '../../classroom/room/index.js'
import { askRoom } from '../../test/room/open.js'
import { makeFolder } from '../../test/temporary.js'
import { gradingOf, submissionBy } from './course.js'

/**
 * A real room and real workers, whose graders are timers, all in this process.
 *
 * @import { Lesson } from './course.js'
 *
 * @param {object} given
 * @param {readonly Lesson[]} given.lessons
 * @param {number} given.workers
 * @param {number} given.each how many jobs there are for each of them
 * @param {(lesson: string) => number} given.gradingMs by id
 * @param {string} [given.redisUrl] default: they ask the room, which is in their process
 * @returns {Promise<{ efficiency: number, perSecond: number }>} efficiency: the share of the workers' time in which
 *   they graded, while jobs were waiting and all workers had begun; perSecond: jobs then
 */
export async function keepBusy ({ lessons, workers, each, gradingMs, redisUrl }) {
  const { dir, remove } = makeFolder()
  const mostSeats = workers * each
  const given = { dir: path.join(dir, 'class'), env: process.env, admissionLimits: null, mostSeats, redisUrl }
  const { learners: [address], code, work: room, close } = await openRoom(given)
  const url = new URL('/', address).href
  const controller = new AbortController()
  const { signal } = controller
  setMaxListeners(0, signal)
  /** When each job was begun and ended, by worker, ms. @type {[from: number, to: number][][]} */
  const graded = Array.from({ length: workers }, () => [])
  let done = 0
  let onEnd = () => {}
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => { onEnd = resolve })
  const work = (/** @type {number} */ number) => {
    const worker = createWorker({
      about: { worker: `timer-${number}`, machine: '', fitness: '' },
      grade: async ({ lesson }) => {
        const from = performance.now()
        await sleep(gradingMs(lesson), undefined, { signal })
        graded[number].push([from, performance.now()])
        if (++done === workers * each) onEnd()
        return gradingOf(/** @type {Lesson} */ (lessons.find(({ id }) => id === lesson)))
      },
      signal
    })
    return redisUrl === undefined
      ? gradeHere({ work: room, worker, signal, tell: () => {} })
      : followRedis({ url: redisUrl, worker, signal, onFault: () => {} })
  }
  try {
    // No seat may have more waiting.
    for (let nth = 0, token = ''; nth < workers * each; nth++) {
      if (nth % 3 === 0) ({ token } = (await askRoom(url, 'POST', '/api/seats', { code, name: `Learner ${nth}` })).json)
      const body = submissionBy(lessons[nth % lessons.length], nth)
      const { status } = await askRoom(url, 'POST', '/api/seat/submissions', body, token)
      if (status !== 202) throw new Error(`A submission was refused: ${status}`)
    }
    const running = Array.from({ length: workers }, (_, at) => work(at))
    await ended
    controller.abort()
    await Promise.all(running)
    return whileWaiting(graded)
  } finally {
    controller.abort()
    await close()
    remove()
  }
}

/** @param {readonly [from: number, to: number][][]} graded */
function whileWaiting (graded) {
  const all = graded.flat()
  // The last job that is begun leaves none that waits.
  const [from, to] = [Math.max(...graded.map(([[first]]) => first)), Math.max(...all.map(([begun]) => begun))]
  const busy = all.reduce((sum, [begun, ended]) => sum + Math.max(0, Math.min(to, ended) - Math.max(from, begun)), 0)
  const began = all.filter(([begun]) => begun > from).length
  return { efficiency: busy / graded.length / (to - from), perSecond: 1000 * began / (to - from) }
}
